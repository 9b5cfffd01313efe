"""Start one confined worker, obey three commands, and leave nothing of it behind.

The last argument is a JSON job. Commands are single bytes on standard input: `k` keeps
what runs now, `c` kills what was started since, and the end of the input kills everything.
Standard output carries one JSON line for each event: the confinement, the end of a
cleaning, the end of the worker.
"""

import json
import os
import select
import signal
import sys
from typing import Any

from .confine import become, choices, confine
from .descendants import descendants, kill_all, reap
from .system_calls import PR_SET_CHILD_SUBREAPER, process_control


def main() -> None:
    """Run the job given as the last argument."""
    job = json.loads(sys.argv[-1])
    if sys.platform == "linux":
        process_control(PR_SET_CHILD_SUBREAPER, 1)
    wakeup = _wake_on_child()
    worker = _start(job)
    spared = {worker}
    commands = sys.stdin.fileno()
    while True:
        ready, _, _ = select.select([commands, wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, 512)
            _tell_end(worker, reap())
        if commands not in ready:
            continue
        command = os.read(commands, 1)
        if command == b"k":
            spared = {worker, *descendants(os.getpid())}
        elif command == b"c":
            _tell_end(worker, kill_all(os.getpid(), spared))
            _tell({"cleaned": True})
        else:
            kill_all(os.getpid(), frozenset())
            return


def _wake_on_child() -> int:
    """A descriptor that becomes readable when a child has ended."""
    wakeup, signalled = os.pipe()
    os.set_blocking(signalled, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(signalled, warn_on_full_buffer=False)
    return wakeup


def _start(job: dict[str, Any]) -> int:
    """Start the worker in the best confinement that the system grants."""
    for entered in choices(job["network"]):
        worker, outcome = _try(job, entered)
        if "refused" not in outcome:
            break
    _tell(outcome)
    return worker


def _try(job: dict[str, Any], entered: list[str]) -> tuple[int, dict[str, Any]]:
    outcome, written = os.pipe()
    worker = os.fork()
    if worker == 0:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _become_worker(job, entered, written)
    os.close(written)
    with os.fdopen(outcome, encoding="utf-8") as report:
        lines = report.read().splitlines()  # ends when the worker's program has begun
    return worker, json.loads(lines[-1])


def _become_worker(job: dict[str, Any], entered: list[str], report: int) -> None:
    key = "refused" if entered else "error"
    try:
        means = confine(job, entered)
        os.write(report, json.dumps({"means": means}).encode() + b"\n")
        key = "error"
        become(job)
    except OSError as error:
        os.write(report, json.dumps({key: str(error)}).encode() + b"\n")
    finally:
        os._exit(1)


def _tell_end(worker: int, ended: dict[int, int]) -> None:
    if worker in ended:
        _tell({"exit": ended[worker]})


def _tell(event: dict[str, Any]) -> None:
    os.write(sys.stdout.fileno(), json.dumps(event).encode() + b"\n")
