"""The folder in which one process lives: copies, temporary files, commands, the time of day."""

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from promptlint.builders import git
from promptlint.builders.commands import write_commands, write_git
from promptlint.builders.copies import FolderCopy, remove
from promptlint.builders.edits import apply_edit
from promptlint.builders.environment import FIXED, OFFLINE, inherited_variables
from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.settings import BuilderSettings
from promptlint.worlds.world import World

USERS = ("alex", "robin")


class Machine(Struct, frozen=True):
    """What tells one machine from another. `folder` is where projects stand."""

    node: str
    release: str
    version: str
    time_zone: str
    language: str
    folder: str


def machine(number: int) -> Machine:
    """The machine of a world: 0 is the base."""
    if number % 2 == 0:
        real = os.uname()
        return Machine("workstation", real.release, real.version, "UTC", "C.UTF-8", "srv")
    zone = "Asia/Tokyo" if Path("/usr/share/zoneinfo/Asia/Tokyo").exists() else "JST-9"
    return Machine("buildhost", "6.99.7-other", "#99 SMP other", zone, "de_DE.UTF-8", "data")


class Scratch:
    """The folders of one process in one world, and how they follow changes of the world."""

    def __init__(self, settings: BuilderSettings, world: World) -> None:
        self.settings = settings
        self.world = world
        self.path = settings.scratch
        self.user = USERS[world.user % 2]
        self.machine = machine(world.machine)
        self.home = self.path / "home" / self.user
        self.temporary = self.path / "tmp"
        self.workspace = self._workspace()
        self.base = self.in_world(settings.base.resolve())
        self._copies = self._folders()

    def create(self) -> None:
        """Copy the folders and bring them into this world."""
        self.path.mkdir(mode=0o700, parents=True)
        for name, copy in self._copies.items():
            try:
                copy.create()
            except OSError as error:
                cause = f"{name}: cannot be copied: {error}"
                raise BuilderError(FailureKind.TARGET, cause) from error
        (self.path / "state").mkdir()
        write_commands(self.path / "bin", self._clock, self.machine.node, self.user)
        if self.alias is not None:
            self.alias.parent.mkdir()
            self.alias.symlink_to(self.settings.base.resolve())
        self.change(World(), self.world)

    def remove(self) -> None:
        """Remove everything."""
        remove(self.path)

    def keep(self) -> None:
        """What the import has left behind belongs to every ask."""
        for copy in self._copies.values():
            copy.keep()

    def restore(self) -> None:
        """Undo what an ask has left behind."""
        for copy in self._copies.values():
            copy.restore()
        if self.workspace is None:
            self._stand_before_git(self.world)

    def change(self, before: World, after: World) -> None:
        """Go from one world to another. What the builder has written meanwhile stays."""
        now = self.settings.base_time.timestamp() + after.clock
        self._clock.write_text(f"{now:.6f}")
        for edit in before.edits:
            if edit not in after.edits:
                self._copies[edit.root].restore_original(edit.path)
        for edit in after.edits:
            if edit not in before.edits:
                self._copies[edit.root].detach(edit.path)
                apply_edit(self._copies[edit.root].root, edit, now)
        if after.git != before.git:
            self._change_git(after)

    def stack(self) -> str:
        """Where a builder that hangs stood, outermost line first; empty if that is not known."""
        own = str(Path(__file__).parent)
        lines = self.hang.read_text("utf-8", "replace").splitlines() if self.hang.exists() else []
        calls = [line for line in lines if line.startswith("  File ") and own not in line]
        return "\n".join(reversed(calls))

    @property
    def hang(self) -> Path:
        """The file into which the worker writes its stack when its time is nearly over."""
        return self.path / "state" / "hang"

    @property
    def folder(self) -> Path:
        """The working directory of the builder."""
        return self.workspace or self.settings.base.resolve()

    @property
    def alias(self) -> Path | None:
        """Another name for the working directory, where it is no copy and cannot be moved."""
        if self.workspace is None and self.world.machine % 2:
            return self.path / self.machine.folder / self.settings.base.resolve().name
        return None

    def in_world(self, path: Path) -> Path:
        """A path of the configuration: its copy where it belongs to the workspace, else itself."""
        if self.workspace is None or self.settings.workspace is None:
            return path
        source = (self.settings.base / self.settings.workspace).resolve()
        return self.workspace / path.relative_to(source) if path.is_relative_to(source) else path

    def environment(self) -> Mapping[str, str]:
        """The variables of the builder's process."""
        inherited = inherited_variables()
        searched = inherited.get("PATH", os.defpath)
        return {
            **inherited,
            **FIXED,
            **({} if self.settings.network else OFFLINE),
            "PATH": f"{self.path / 'bin'}{os.pathsep}{searched}",
            "HOME": str(self.home),
            "USER": self.user,
            "LOGNAME": self.user,
            "TMPDIR": str(self.temporary),
            "TZ": self.machine.time_zone,
            "LANG": self.machine.language,
            # 0 would switch the randomisation off.
            "PYTHONHASHSEED": str(self.world.hash_seed + 1),
            **self.settings.environment,
        }

    @property
    def _clock(self) -> Path:
        return self.path / "state" / "clock"

    def _workspace(self) -> Path | None:
        if self.settings.workspace is None:
            return None
        source = (self.settings.base / self.settings.workspace).resolve()
        return self.path / self.machine.folder / source.name

    def _folders(self) -> dict[str, FolderCopy]:
        settings = self.settings
        sources: dict[str, tuple[Path | None, Path]] = {
            "home": (settings.home and (settings.base / settings.home).resolve(), self.home),
            "temporary": (None, self.temporary),
        }
        if settings.workspace is not None and self.workspace is not None:
            source = (settings.base / settings.workspace).resolve()
            sources["workspace"] = (source, self.workspace)
        return {
            name: FolderCopy(source, root, self.path / "kept" / name, settings.age_shift)
            for name, (source, root) in sources.items()
        }

    def _change_git(self, after: World) -> None:
        if self.workspace is None:
            self._stand_before_git(after)
        elif after.git % 2:
            git.tell_another_story(self.workspace, self.workspace / ".git", self._committed)
        else:
            self._copies["workspace"].restore_original(".git")

    def _stand_before_git(self, world: World) -> None:
        """Where nothing is copied, the command `git` alone tells the other story."""
        (self.path / "bin" / "git").unlink(missing_ok=True)
        top = git.top_folder(self.settings.base) if world.git % 2 else None
        if top is None:
            return
        twin = self.path / "twin"
        if not twin.exists():
            twin.mkdir()
            git.copy_repository(top, twin)
            git.tell_another_story(top, twin / ".git", self._committed)
        write_git(self.path / "bin", top, twin / ".git")

    @property
    def _committed(self) -> datetime:
        return self.settings.base_time - timedelta(hours=1)
