"""Modules of the linted tree, found by path and parsed when first needed."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from promptlint.location import Location
from promptlint.source.disk import Disk
from promptlint.source.files import UnreadableError, decode, parse
from promptlint.source.reading import SourceError

if TYPE_CHECKING:
    from promptlint.source.frames import Frame


class Module(Struct, eq=False):
    """One parsed file. `frame` holds its names once its body was evaluated."""

    path: Path
    shown: str
    source: str
    tree: ast.Module
    lines: list[str] = field(default_factory=list)
    frame: "Frame | None" = None
    _places: dict[ast.AST, Location] = field(default_factory=dict)

    def place(self, node: ast.AST) -> Location:
        """Where a node stands; columns count characters from 1."""
        found = self._places.get(node)
        if found is None:
            found = self._places[node] = self._located(node)
        return found

    def _located(self, node: ast.AST) -> Location:
        line, end = getattr(node, "lineno", 1), getattr(node, "end_lineno", None)
        column, end_column = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None)
        return Location(
            self.shown,
            line,
            self._characters(line, column) + 1,
            end,
            None if end_column is None or end is None else self._characters(end, end_column) + 1,
        )

    def _characters(self, line: int, octets: int) -> int:
        """Characters before a byte offset: `ast` counts UTF-8 bytes."""
        if self.source.isascii() or line > len(self.lines):
            return octets
        return len(self.lines[line - 1].encode()[:octets].decode(errors="ignore"))

    @property
    def name(self) -> str:
        """The file's own module name, its package for an `__init__.py`."""
        return self.path.parent.name if self.path.stem == "__init__" else self.path.stem

    @property
    def dotted(self) -> str:
        """The module's name from the root of the tree: `acme.clock` for `acme/clock.py`."""
        return self.shown.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class Tree(Struct, eq=False):
    """The linted tree: modules by path, text files by name."""

    disk: Disk
    sources: Mapping[Path, str]
    modules: dict[Path, Module | None] = field(default_factory=dict)
    parsed: set[Path] = field(default_factory=set)
    errors: list[SourceError] = field(default_factory=list)
    _texts: dict[str, list[Path]] | None = None
    _found: dict[tuple[Path, str, int], Path | None] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        """The folder of the tree: nothing above it is read."""
        return self.disk.root

    def shown(self, path: Path) -> str:
        """The path as messages name it: relative to the root where it lies below it."""
        return path.relative_to(self.root).as_posix() if self.root in path.parents else str(path)

    def text(self, path: Path) -> str | None:
        """The text of a Python file, or None with the error kept."""
        if path in self.sources:
            return self.sources[path]
        try:
            return decode(self.disk.content(path), self.shown(path))
        except UnreadableError as unreadable:
            self.errors.append(unreadable.error)
        except OSError as error:
            self._unread(path, error)
        return None

    def _unread(self, path: Path, error: OSError) -> None:
        self.errors.append(SourceError(self.shown(path), None, error.strerror or str(error)))

    def module(self, path: Path, text: str | None = None) -> Module | None:
        """The parsed file, or None with the error kept."""
        if path in self.modules:
            return self.modules[path]
        self.modules[path] = None
        text = self.text(path) if text is None else text
        if text is None:
            return None
        try:
            tree = parse(text, self.shown(path))
        except UnreadableError as unreadable:
            self.errors.append(unreadable.error)
            return None
        lines = [] if text.isascii() else text.split("\n")
        self.parsed.add(path)
        self.modules[path] = module = Module(path, self.shown(path), text, tree, lines)
        return module

    def find(self, importer: Path, name: str, level: int) -> Path | None:
        """The file of a module as `importer` would import it. The nearest folder wins.

        `level` counts the leading dots. A package without `__init__.py` is its folder.
        """
        key = (importer.parent, name, level)
        if key not in self._found:
            self._found[key] = self._search(importer, name, level)
        return self._found[key]

    def _search(self, importer: Path, name: str, level: int) -> Path | None:
        if level:
            above = importer.parents
            return self.disk.module(above[level - 1], name) if level <= len(above) else None
        for folder in importer.parents:
            in_package = self.disk.member(folder, "__init__") is not None
            if not in_package and (found := self.disk.module(folder, name)):
                return found
            if folder == self.root:
                return self.disk.module(folder.parent if in_package else folder / "src", name)
        return None

    def document(self, path: Path) -> str:
        """The text of a file that is no code; what is no UTF-8 is replaced.

        One that cannot be read is empty, with the error kept.
        """
        try:
            return self.disk.content(path).decode("utf-8-sig", errors="replace")
        except OSError as error:
            self._unread(path, error)
            return ""

    def text_files(self, name: str, near: Path) -> list[Path]:
        """Text files of the tree by their file name, those that share most of `near` first."""
        if self._texts is None:
            self._texts = {}
            for path in self.disk.documents():
                self._texts.setdefault(path.name, []).append(path)
        found = self._texts.get(Path(name).name, [])
        return sorted(found, key=lambda path: -_shared(path, near, name))


def _shared(path: Path, near: Path, name: str) -> int:
    """How well a file answers a name: its written folders first, then the common folders."""
    common = sum(1 for one, other in zip(path.parts, near.parts, strict=False) if one == other)
    return common + (1000 if path.as_posix().endswith(name) else 0)
