"""Who descends from a process, and how to end them all."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Set
from pathlib import Path


def descendants(root: int) -> set[int]:
    """The living descendants of a process."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def kill_all(root: int, spared: Set[int]) -> dict[int, int]:
    """Kill the descendants of a process until none is left but the spared ones.

    Returns the statuses of the children that ended.
    """
    ended: dict[int, int] = {}
    while doomed := descendants(root) - spared:
        for pid in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        ended.update(reap())
    return ended


def reap() -> dict[int, int]:
    """Collect the dead children of this process: their statuses by process id."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def _parents() -> list[tuple[int, int]]:
    """All (process, parent) pairs but for zombies."""
    if sys.platform != "linux":
        listing = subprocess.run(
            ["ps", "-axo", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
        )
        rows = [line.split() for line in listing.stdout.splitlines()]
        return [(int(pid), int(parent)) for pid, parent, state in rows if state[0] != "Z"]
    pairs = []
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):  # it ended meanwhile
                fields = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] != b"Z":
                    pairs.append((int(entry.name), int(fields[1])))
    return pairs
