"""Run the user's command: watched, and ended at the time limit."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from promptlint.builders.supervisor.descendants import descendants
from promptlint.captures.recorder import connections

_WATCH_INTERVAL = 0.1
_GRACE = 5.0  # seconds between the polite signal and the other one


class CommandError(Exception):
    """A command that cannot be started. The message is one line: the command, then the cause."""


class Ended(Struct, frozen=True):
    """How a run of the command ended.

    `status` is its exit status, negative for a signal; None at the time limit. `elsewhere`
    are the addresses besides the recorder that it was seen connected to.
    """

    status: int | None
    elsewhere: frozenset[tuple[str, int]] = frozenset()


def run_command(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    recorder: tuple[str, int],
    time_limit: float | None = None,
    folder: Path | None = None,
) -> Ended:
    """Run a command with our own input and output until it ends, at most `time_limit` seconds.

    Raises CommandError where it cannot be started.
    """
    try:
        process = subprocess.Popen(command, cwd=folder, env=dict(environment))
    except OSError as error:
        raise CommandError(f"{command[0]}: {error.strerror}") from None
    end = None if time_limit is None else time.monotonic() + time_limit
    seen: set[tuple[str, int]] = set()
    try:
        while process.poll() is None:
            if end is not None and time.monotonic() > end:
                _end_all(process)
                return Ended(None, frozenset(seen - {recorder}))
            if connections.CAN_BE_SEEN:
                seen |= connections.remote_addresses({process.pid, *descendants(process.pid)})
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_WATCH_INTERVAL)
    except BaseException:
        _end_all(process)
        raise
    return Ended(process.returncode, frozenset(seen - {recorder}))


def _end_all(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all below it: politely, then for good."""
    family = {process.pid, *descendants(process.pid)}
    _signal(family, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    _signal(family | descendants(process.pid), signal.SIGKILL)
    process.wait()


def _signal(family: set[int], number: signal.Signals) -> None:
    for process in family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
