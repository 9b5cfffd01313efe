"""The folder in which one process lives: copies, temporary files, commands, the time of day."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from promptlint.builders import git
from promptlint.builders.commands import write_commands, write_git
from promptlint.builders.copies import FolderCopy
from promptlint.builders.edits import apply_edit
from promptlint.builders.environment import builder_environment
from promptlint.builders.settings import BuilderSettings
from promptlint.worlds.world import World

USERS = ("alex", "robin")


@dataclass(frozen=True, slots=True)
class Machine:
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
        for copy in self._copies.values():
            copy.create()
        (self.path / "state").mkdir()
        write_commands(self.path / "bin", self._clock, self.machine.node, self.user)
        if self.alias is not None:
            self.alias.parent.mkdir()
            self.alias.symlink_to(self.settings.base.resolve())
        self.change(World(), self.world)

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.path)

    def keep(self) -> None:
        """What the import has left behind belongs to every ask."""
        for copy in self._copies.values():
            copy.keep()

    def restore(self) -> None:
        """Undo what an ask has left behind."""
        for copy in self._copies.values():
            copy.restore()

    def change(self, before: World, after: World) -> None:
        """Go from one world to another. What the builder has written meanwhile stays."""
        now = self.settings.base_time.timestamp() + after.clock
        self._clock.write_text(f"{now:.6f}")
        for edit in before.edits:
            if edit not in after.edits:
                self._copies[edit.root].restore_original(edit.path)
        for edit in after.edits:
            if edit not in before.edits:
                apply_edit(self._copies[edit.root].root, edit, now)
        if after.git != before.git:
            self._change_git(after)

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
        return builder_environment(
            home=self.home,
            temporary=self.temporary,
            commands=self.path / "bin",
            user=self.user,
            time_zone=self.machine.time_zone,
            language=self.machine.language,
            hash_seed=self.world.hash_seed,
            additions=self.settings.environment,
        )

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
        when = self.settings.base_time - timedelta(hours=1)
        if self.workspace is not None:
            if after.git % 2:
                git.tell_another_story(self.workspace, self.workspace / ".git", when)
            else:
                self._copies["workspace"].restore_original(".git")
            return
        command = self.path / "bin" / "git"
        command.unlink(missing_ok=True)
        top = git.top_folder(self.settings.base)
        if after.git % 2 and top is not None:
            twin = self.path / "twin"
            if not twin.exists():
                twin.mkdir()
                git.copy_repository(top, twin)
                git.tell_another_story(top, twin / ".git", when)
            write_git(self.path / "bin", top, twin / ".git")
