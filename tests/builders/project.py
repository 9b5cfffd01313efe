"""A user's project in a folder of its own, and the promise that nothing of it is touched."""

import hashlib
import os
import stat
import textwrap
from pathlib import Path
from typing import Any

from promptlint.builders.answer import Answer
from promptlint.builders.process import BuilderProcess
from promptlint.builders.settings import BuilderSettings
from promptlint.worlds.world import World


class Project:
    """Writes a builder's files and runs it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.used: list[BuilderSettings] = []
        self._before: str | None = None

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def settings(self, target: str = "agent.py:build", **options: Any) -> BuilderSettings:
        settings = BuilderSettings(target, self.path, **options)
        self.used.append(settings)
        if self._before is None:
            self._before = fingerprint(self.path)
        return settings

    def process(
        self, target: str = "agent.py:build", world: World | None = None, **options: Any
    ) -> BuilderProcess:
        return BuilderProcess(self.settings(target, **options), world or World())

    def ask(
        self,
        *calls: World,
        target: str = "agent.py:build",
        world: World | None = None,
        **options: Any,
    ) -> tuple[Answer, ...]:
        asked = calls or (world or World(),)
        with self.process(target, world, **options) as process:
            return process.ask(asked)

    def build(self, text: str, *calls: World, **options: Any) -> Any:
        """The value of the first call of a builder with this source."""
        self.write("agent.py", text)
        return self.ask(*calls, **options)[0].value

    def check_untouched(self) -> None:
        if self._before is not None:
            assert fingerprint(self.path) == self._before
        for settings in self.used:
            assert not settings.scratch.exists()
            assert processes_of(settings.scratch) == []


def fingerprint(folder: Path) -> str:
    """A hash over names, modes, times and contents of everything below a folder."""
    found = hashlib.sha256()
    for path in sorted([folder, *folder.rglob("*")]):
        state = path.lstat()
        found.update(f"{path} {state.st_mode} {state.st_mtime_ns} {state.st_uid}\n".encode())
        if stat.S_ISREG(state.st_mode):
            found.update(path.read_bytes())
        elif path.is_symlink():
            found.update(os.fsencode(path.readlink()))
    return found.hexdigest()


def processes_of(scratch: Path) -> list[str]:
    """The running processes that were started with a scratch folder in their environment."""
    name = os.fsencode(scratch)
    running = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if name in (entry / "environ").read_bytes():
                    running.append((entry / "cmdline").read_text())
            except OSError:
                continue
    return running
