"""Copies of the workspace and the home: really edited, and put back between two asks."""

import fcntl
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from msgspec import Struct, field

from promptlint.builders import git

_CLONE = 0x40049409  # FICLONE of the Linux kernel's `include/uapi/linux/fs.h`
_DEPENDENCIES = frozenset({"node_modules", "__pypackages__", ".tox", ".nox"})


class _State(Struct, frozen=True):
    """What betrays a change. The change time of a file cannot be set back by anyone."""

    mode: int
    time: int
    node: int = 0
    size: int = 0
    change_time: int = 0

    @classmethod
    def of(cls, path: Path) -> Self:
        found = path.lstat()
        if stat.S_ISDIR(found.st_mode):
            return cls(found.st_mode, found.st_mtime_ns)
        details = (found.st_ino, found.st_size, found.st_ctime_ns)
        return cls(found.st_mode, found.st_mtime_ns, *details)


class FolderCopy(Struct):
    """One copied folder. `age_shift` seconds are added to every file's time.

    `source` is None for a folder that is empty at first. `kept` is where `keep` puts
    what has changed since the copy was made. Installed dependencies are linked, git's
    objects are borrowed from the original: both are large, and nobody edits them.
    """

    source: Path | None
    root: Path
    kept: Path
    age_shift: float
    _state: dict[str, _State] = field(default_factory=dict)

    def create(self) -> None:
        """Copy everything."""
        self.root.mkdir(parents=True)
        if self.source is not None:
            for relative in _walk(self.source, but_not=git.OBJECTS):
                self._copy_original(self.source, relative)
            self.detach(".git")
            git.settle(self.source, self.root, self._linked())
            for relative in ("", *_walk(self.root)):
                if _is_folder(self.root / relative) and (self.source / relative).is_dir():
                    _set_times(self.source / relative, self.root / relative, self.age_shift)
        self._state = _states(self.root)

    def keep(self) -> None:
        """What the folder is now is what `restore` brings back."""
        now = _states(self.root)
        for relative in _changes(self._state, now):
            (self.kept / relative).parent.mkdir(parents=True, exist_ok=True)
            _copy(self.root / relative, self.kept / relative, 0.0)
        self._state = now

    def restore(self) -> None:
        """Undo whatever has changed since `keep`, or since `create`."""
        _unlock(self.root)
        now = _states(self.root)
        for relative in sorted(now.keys() - self._state.keys(), reverse=True):
            remove(self.root / relative)
        changed = _changes(now, self._state)
        for relative in changed:
            self._bring_back(relative)
        for relative in reversed(changed):
            path, state = self.root / relative, self._state[relative]
            if _is_folder(path):
                os.utime(path, ns=(state.time, state.time))
            self._state[relative] = _State.of(path)

    def restore_original(self, relative: str) -> None:
        """Bring one file or folder back as it is in the original."""
        self.detach(relative)
        remove(self.root / relative)
        if self.source is None or not os.path.lexists(self.source / relative):
            return
        for parent in reversed(Path(relative).parents[:-1]):
            (self.root / parent).mkdir(exist_ok=True)
        self._copy_original(self.source, relative)
        if _is_folder(self.root / relative):
            skipped = "objects" if relative == ".git" else ""
            for inside in _walk(self.source / relative, skipped):
                self._copy_original(self.source, str(Path(relative, inside)))
        if relative == ".git":
            git.settle(self.source, self.root, self._linked())

    def detach(self, relative: str) -> None:
        """Copy what links on this path lead to outside, so that no edit ever leaves the copy."""
        path = self.root
        for part in Path(relative).parts:
            path = path / part
            if not path.is_symlink() or path.resolve().is_relative_to(self.root.resolve()):
                continue
            target = path.resolve()
            path.unlink()
            if target.is_dir():
                shutil.copytree(target, path, symlinks=True)
            elif target.is_file():
                shutil.copy2(target, path)

    def _linked(self) -> list[str]:
        return [path for path in _walk(self.root) if _is_dependency(self.root / path)]

    def _bring_back(self, relative: str) -> None:
        if os.path.lexists(self.kept / relative):
            _copy(self.kept / relative, self.root / relative, 0.0)
        elif self.source is not None:
            self._copy_original(self.source, relative)

    def _copy_original(self, source: Path, relative: str) -> None:
        """Copy one entry. A link leads to the copy of what it led to, or out as before."""
        original, target = source / relative, self.root / relative
        _copy(original, target, self.age_shift)
        if not original.is_symlink():
            return
        link = original.readlink()
        leads_to = Path(os.path.normpath(original.parent / link))
        inside = leads_to.is_relative_to(source)
        if link.is_absolute() or not inside:
            target.unlink()
            target.symlink_to(self.root / leads_to.relative_to(source) if inside else leads_to)


def _copy(source: Path, target: Path, shift: float) -> None:
    """Copy one entry: a file with its mode and shifted times, a folder without its contents."""
    mode = source.lstat().st_mode
    if stat.S_ISDIR(mode) and not _is_dependency(source):
        if target.is_symlink() or target.is_file():
            target.unlink()
        target.mkdir(exist_ok=True)
        target.chmod(stat.S_IMODE(mode) | stat.S_IRWXU)
        return
    remove(target)
    if stat.S_ISLNK(mode):
        target.symlink_to(source.readlink())
    elif stat.S_ISDIR(mode):
        target.symlink_to(source.resolve())
    elif stat.S_ISREG(mode):
        _copy_content(source, target)
        shutil.copymode(source, target)
        _set_times(source, target, shift)


def _copy_content(source: Path, target: Path) -> None:
    """Share the blocks where the file system can, else copy them."""
    if sys.platform == "linux":
        with source.open("rb") as read, target.open("wb") as written:
            try:
                fcntl.ioctl(written, _CLONE, read.fileno())
            except OSError:
                shutil.copyfileobj(read, written, 1 << 20)
    else:
        shutil.copyfile(source, target)


def _set_times(source: Path, target: Path, shift: float) -> None:
    times, nanoseconds = source.stat(), round(shift * 1e9)
    os.utime(target, ns=(times.st_atime_ns + nanoseconds, times.st_mtime_ns + nanoseconds))


def _walk(folder: Path, but_not: str = "") -> Iterator[str]:
    """Every entry below a folder, parents first. Linked folders are not entered."""
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        for entry in sorted(os.scandir(folder / inside), key=lambda entry: entry.name):
            relative = os.path.join(inside, entry.name)  # noqa: PTH118
            if relative == but_not:
                continue
            yield relative
            if entry.is_dir(follow_symlinks=False) and not _is_dependency(Path(entry.path)):
                waiting.append(relative)


def _is_dependency(folder: Path) -> bool:
    return folder.name in _DEPENDENCIES or (folder / "pyvenv.cfg").is_file()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _states(root: Path) -> dict[str, _State]:
    return {relative: _State.of(root / relative) for relative in ("", *_walk(root))}


def _changes(before: dict[str, _State], after: dict[str, _State]) -> list[str]:
    """The entries of `after` that `before` lacks or has otherwise, parents first."""
    return [path for path, state in after.items() if before.get(path) != state]


def _unlock(folder: Path) -> None:
    """Make every folder below readable again, for whoever owns it."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            mode = path.lstat().st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                path.chmod(stat.S_IMODE(mode) | stat.S_IRWXU)


def remove(path: Path) -> None:
    """Remove a file or a folder, also one that its maker has locked."""
    if _is_folder(path):
        _unlock(path)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
