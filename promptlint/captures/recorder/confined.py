"""A command below its supervisor: it writes into its copies alone, and nothing of it is left."""

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

import promptlint.builders
from promptlint.builders.error import BuilderError, FailureKind

_START = Path(promptlint.builders.__file__).with_name("start.py")
_CONFINING = 10.0  # seconds in which a supervisor must have confined the command
_SHOWN = 8192


class Confined(Struct, frozen=True):
    """How a confined run ended.

    `status` is the exit status, negative for a signal; None at the time limit. `means` are
    what confined it, `printed` is the end of its output.
    """

    status: int | None
    means: tuple[str, ...]
    printed: str


def run_confined(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    variables: Mapping[str, str],
    folder: Path,
    writable: Path,
    time_limit: float,
) -> Confined:
    """Run a command in `folder`; it may write below `writable` alone, and use the network.

    `variables` are laid over the environment for the command, not for its supervisor.
    `time_limit` is in seconds. Raises BuilderError where the command cannot be confined.
    """
    with tempfile.TemporaryFile() as output:
        assignments = [f"{name}={value}" for name, value in variables.items()]
        job = {
            "folder": str(folder),
            # `env` looks the program up in the PATH of the command's own world.
            "command": ["/usr/bin/env", *assignments, *command],
            "descriptors": [],
            "output": output.fileno(),
            "writable": [str(writable)],
            "network": True,
            # The engines of JavaScript reserve more address space than there is memory.
            "memory": None,
        }
        with subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", str(_START), "supervisor", json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment),
            pass_fds=[output.fileno()],
            start_new_session=True,
        ) as supervisor:
            assert supervisor.stdin is not None
            assert supervisor.stdout is not None
            try:
                means = _means(supervisor.stdout, command[0])
                ended = _event(supervisor.stdout, time.monotonic() + time_limit)
            finally:
                # It then ends all that it has started. Our end of its output stays open till then.
                supervisor.stdin.close()
                supervisor.wait()
        status = None if ended is None else os.waitstatus_to_exitcode(ended["exit"])
        return Confined(status, means, _end_of(output))


def _means(stream: IO[bytes], program: str) -> tuple[str, ...]:
    """What confines the command now; raises BuilderError where it cannot be started."""
    outcome = _event(stream, time.monotonic() + _CONFINING) or {}
    if "means" not in outcome:
        cause = outcome.get("error", "it could not be confined")
        raise BuilderError(FailureKind.INTERPRETER, f"{program}: {cause}")
    return tuple(outcome["means"])


def _event(stream: IO[bytes], end: float) -> dict[str, Any] | None:
    """The supervisor's next event, a line of JSON; None if there is none in time."""
    line = b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([stream], [], [], max(0.0, end - time.monotonic()))
        piece = os.read(stream.fileno(), 1) if ready else b""
        if not piece:
            return None
        line += piece
    event: dict[str, Any] = json.loads(line)
    return event


def _end_of(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _SHOWN))
    return output.read().decode(errors="replace")
