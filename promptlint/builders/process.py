"""A builder's process: started in one world, asked in many."""

import os
import signal
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from promptlint.builders.answer import Answer, Paths
from promptlint.builders.channel import Message
from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.job import Job, call_fields
from promptlint.builders.scratch import Scratch
from promptlint.builders.settings import BuilderSettings
from promptlint.builders.start import TOO_OLD
from promptlint.builders.worker_process import WorkerGoneError, WorkerProcess
from promptlint.worlds.observation import Observation
from promptlint.worlds.world import World

_BASE_WORLD = World()
_PROCESS_FIELDS = ("hash_seed", "user", "machine")


class BuilderProcess:
    """Imports the user's module in one world, and calls its builder in changed ones.

    A context manager. Nothing of the process is left when it ends: no process, no file.
    Every method raises BuilderError where the builder cannot be run.
    """

    def __init__(self, settings: BuilderSettings, world: World = _BASE_WORLD) -> None:
        self.settings = settings
        self.world = world
        self._scratch = Scratch(settings, world)
        self._job = Job(self._scratch)
        self._paths = _paths(self._scratch)
        self._worker: WorkerProcess | None = None
        self._means: tuple[str, ...] = ()
        self._imported: tuple[Observation, ...] = ()
        self._looked_for: tuple[str, ...] = ()
        self._import_lines: dict[str, frozenset[int]] | None = None
        self._fresh = ""
        self._learnable: list[str] = []

    def __enter__(self) -> Self:
        _check_folders(self.settings)
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove its copies."""
        self._stop()
        if self._scratch.path.exists():
            self._scratch.remove()

    def ask(self, calls: Sequence[World]) -> tuple[Answer, ...]:
        """Call the builder once in each world, in this order, on one object.

        The calls share one fork of the imported process. What it leaves behind in files
        and processes is undone afterwards, so that no ask sees anything of another.
        """
        for call in calls:
            self._require_same_process(call)
        if self._worker is None:
            self._start()
        if self._fresh:
            return self._ask(calls, self._fresh)
        try:
            return self._ask(calls, "")
        except BuilderError as error:
            if error.kind is not FailureKind.HANGS:
                raise
            self._stop()
            self._start()
            return self._ask(calls, "a fork of the imported process did not answer")

    def learn(self) -> bool:
        """Import now what the first call of the last ask imported late, and say if that worked.

        A builder with slow late imports answers every ask quicker from then on. The
        answers of earlier asks are no longer to be compared with later ones.
        """
        if self._worker is None or self._fresh or not self._learnable:
            return False
        self._scratch.restore()
        self._worker.send({"do": "import", "modules": self._learnable})
        self._learnable = []
        try:
            self._imports_done()
        except BuilderError:
            self._stop()
        else:
            if self._fresh:  # what was imported forbids forks: better begin again without it
                self._stop()
        return self._worker is not None

    def _ask(self, calls: Sequence[World], fresh: str) -> tuple[Answer, ...]:
        assert self._worker is not None
        self._scratch.restore()
        self._worker.send({"do": "ask", "fork": not fresh})
        answers = []
        before = self.world
        usable = False
        try:
            for index, world in enumerate(calls):
                self._scratch.change(before, world)
                before = world
                self._worker.send({"do": "call", "world": call_fields(index, world)})
                message = self._receive(self.settings.timeout, "")
                answers.append(self._answer(message["answer"], fresh))
                self._learnable = message["answer"]["imported"]
            usable = not fresh
        except BuilderError as error:
            usable = not fresh and not error.fatal
            raise
        finally:
            self._end_ask(usable)
        return tuple(answers)

    def _end_ask(self, usable: bool) -> None:
        """Let the fork end, or give the whole process up: the next ask then starts another."""
        assert self._worker is not None
        if not usable:
            self._stop()
            return
        self._worker.send({"do": "end"})
        try:
            self._worker.receive(self.settings.timeout)
        except WorkerGoneError:
            self._worker.clean()
        except TimeoutError:
            self._stop()

    def _start(self) -> None:
        if self._scratch.path.exists():
            self._scratch.remove()
        self._scratch.create()
        settings = self.settings
        self._worker = WorkerProcess(
            settings.interpreter,
            self._scratch.folder,
            self._scratch.environment(),
            {
                "writable": [str(self._scratch.path)],
                "network": settings.network,
                "memory": settings.memory,
            },
        )
        self._means = self._worker.confinement()
        self._worker.send(self._job.message(self._means))
        self._imports_done()

    def _imports_done(self) -> None:
        assert self._worker is not None
        message = self._receive(self.settings.import_timeout, " while its module was imported")
        ready = message["ready"]
        self._imported = tuple(map(self._paths.observation, ready["observations"]))
        self._looked_for = tuple(map(self._paths.key, ready["looked_for"]))
        self._import_lines = self._paths.executed(ready["executed"])
        self._fresh = ready["fresh"]
        self._worker.keep()
        self._scratch.keep()

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def _receive(self, seconds: float, when: str) -> Message:
        assert self._worker is not None
        try:
            message = self._worker.receive(seconds)
        except TimeoutError:
            cause = f"gave no answer in {seconds:g} s{when}"
            raise self._error(FailureKind.HANGS, cause, self._scratch.stack()) from None
        except WorkerGoneError as gone:
            if os.waitstatus_to_exitcode(gone.status) == TOO_OLD:
                cause = f"{self.settings.interpreter} is older than Python 3.9"
                raise self._error(FailureKind.INTERPRETER, cause) from None
            raise self._error(FailureKind.EXITED, _ending(gone.status) + when) from None
        if "failed" in message:
            raise self._failure(message["failed"], when)
        return message

    def _failure(self, failed: Message, when: str) -> BuilderError:
        kind = FailureKind(failed["kind"])
        if kind in (FailureKind.NOT_FOUND, FailureKind.TARGET):
            when = ""
        elif when and kind is FailureKind.RAISED:
            kind = FailureKind.IMPORT
        text = self._paths.text(failed["traceback"])
        return self._error(kind, failed["message"] + when, text, fatal=False)

    def _error(
        self, kind: FailureKind, cause: str, traceback: str = "", fatal: bool = True
    ) -> BuilderError:
        assert self._worker is not None
        line = " ".join(self._paths.text(f"{self.settings.target}: {cause}").split())
        printed = self._paths.text(self._worker.printed)
        return BuilderError(kind, line, traceback, printed, fatal)

    def _require_same_process(self, call: World) -> None:
        for name in _PROCESS_FIELDS:
            if getattr(call, name) != getattr(self.world, name):
                raise ValueError(f"another {name} needs a process of its own")

    def _answer(self, data: dict[str, Any], fresh: str) -> Answer:
        called = tuple(map(self._paths.observation, data["observations"]))
        looked_for = tuple(map(self._paths.key, data["looked_for"]))
        return Answer(
            value=self._paths.data(data["value"]),
            tools=self._paths.data(data["tools"]),
            observations=self._imported + called,
            looked_for=tuple(dict.fromkeys(self._looked_for + looked_for)),
            modules=tuple(map(self._paths.module, data["modules"])),
            executed=self._paths.executed(data["executed"]),
            import_lines=self._import_lines,
            takes_world=data["takes_world"],
            isolation=(*self._means, "audit hooks"),
            fresh_process=fresh,
            seconds=data["seconds"],
        )


def _paths(scratch: Scratch) -> Paths:
    roots = {"workspace": str(scratch.workspace)} if scratch.workspace else {}
    base = str(scratch.settings.base.resolve())
    roots |= {"home": str(scratch.home), "base": base}
    return Paths(roots, (str(scratch.base), base), str(scratch.path))


def _check_folders(settings: BuilderSettings) -> None:
    for name, folder in (("workspace", settings.workspace), ("home", settings.home)):
        if folder is not None and not (settings.base / folder).is_dir():
            raise BuilderError(FailureKind.TARGET, f"{name}: no folder {settings.base / folder}")
    if not settings.interpreter.is_file():
        raise BuilderError(FailureKind.INTERPRETER, f"python: no file {settings.interpreter}")
    if settings.scratch.exists():
        raise RuntimeError(f"{settings.scratch} is in use: one process at a time for one settings")


def _ending(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"ended its process with status {code}"
    return f"was killed by {signal.Signals(-code).name}"
