"""The worker: imports the builder's module once, then answers asks from forks of itself."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from .call import Ask
from .channel import Channel
from .failure import describe
from .resolve import import_target
from .sources import Sources
from .watch import Watch

_exit: Callable[[int], Any] = os._exit


def main() -> None:
    """Serve the parent on the two descriptors given as arguments."""
    channel = Channel(int(sys.argv[2]), int(sys.argv[3]))
    real_pid = os.getpid  # before it is replaced
    job = channel.receive()
    sys.argv[:] = [job["path"] or job["module"]]
    watch = Watch(job["hang"])
    try:
        watch.begin(job["import_timeout"])
        sources = Sources(job)
        module = import_target(job["module"], job["path"], job["folders"])
    except BaseException as error:  # noqa: BLE001 - whatever the import raises is reported
        channel.send({"failed": describe(error)})
        return
    watch.end()
    channel.send(_ready(sources))
    _serve(channel, Ask(module, job, sources, watch), sources, real_pid)


def _ready(sources: Sources) -> dict[str, Any]:
    """What the parent is told when everything is imported."""
    return {
        "ready": {
            "observations": sources.recorder.observations(),
            "looked_for": list(sources.recorder.looked_for),
            "executed": sources.lines.executed(),
            "fresh": _cannot_fork(),
        }
    }


def _cannot_fork() -> str:
    """Why a fork would not be the imported process over again; empty if it would."""
    if threading.active_count() > 1:
        return "the import started a thread"
    if not hasattr(os, "waitid"):
        return ""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return ""
    return "the import started a process"


def _serve(channel: Channel, ask: Ask, sources: Sources, real_pid: Callable[[], int]) -> None:
    while True:
        try:
            message = channel.receive()
        except EOFError:
            return
        if message["do"] == "ask" and message["fork"]:
            status = _in_fork(channel, ask, sources, real_pid)
            channel.send({"ended": status})
        elif message["do"] == "ask":
            _answer(channel, ask, real_pid)
        elif message["do"] == "import":
            _import_all(message["modules"])
            channel.send(_ready(sources))


def _import_all(names: list[str]) -> None:
    for name in names:
        # A module that only loads in the midst of a call is left to the call.
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def _in_fork(channel: Channel, ask: Ask, sources: Sources, real_pid: Callable[[], int]) -> int:
    """Let a forked child answer one ask. Returns how it ended, as `waitpid` says it."""
    sys.stdout.flush()
    sys.stderr.flush()
    sources.identifiers.before_fork()
    child = os.fork()
    if child:
        try:
            return os.waitpid(child, 0)[1]
        except ChildProcessError:
            return 0  # the builder's module ignores SIGCHLD: the status is lost
    sources.identifiers.after_fork()
    _answer(channel, ask, real_pid)
    _exit(0)
    return 0


def _answer(channel: Channel, ask: Ask, real_pid: Callable[[], int]) -> None:
    """Answer calls until the parent ends the ask."""
    process = real_pid()
    while True:
        try:
            message = channel.receive()
        except EOFError:
            return
        if message["do"] == "end":
            return
        answer = ask.call(message["world"])
        if real_pid() != process:
            _exit(0)  # a fork made by the builder has come back through our frames
        _flush()
        channel.send(answer)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # the builder closed or replaced it
