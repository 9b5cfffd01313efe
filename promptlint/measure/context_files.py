"""The memory, skills and project files of a copied workspace and home, known by name."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

from msgspec import Struct

from promptlint.layout import Axis, Source
from promptlint.sections.names import source_of_file
from promptlint.worlds.world import Edit, EditKind, World

_PASSED_BY = frozenset([".git", "node_modules", ".venv", "venv", "__pycache__", "site-packages"])

# A skills folder can hold hundreds; that one of them moves the prompt is known from a few.
_MOST_FILES = 12

EDIT_AXES = {
    Source.MEMORY: Axis.EDIT_MEMORY,
    Source.SKILLS: Axis.EDIT_SKILLS,
    Source.PROJECT: Axis.EDIT_PROJECT,
}
_WRITTEN_IN_A_SESSION = frozenset({Source.MEMORY, Source.SKILLS})


class ContextFile(Struct, frozen=True):
    """A file that holds memory, a skill or the project's instructions.

    `root` is `workspace` or `home`. A file that does not `exist` was looked for by
    the builder and can be created.
    """

    root: str
    path: str
    source: Source
    exists: bool = True

    @property
    def marker(self) -> str:
        """A text that stands nowhere else, so that the file is recognised in the prompt."""
        return f"promptlint edit of {Path(self.path).stem}"

    def edit(self) -> Edit:
        """The edit of the file, or its creation."""
        kind = EditKind.EDIT if self.exists else EditKind.CREATE
        return Edit(self.root, self.path, kind, self.marker)

    def removal(self) -> Edit:
        """The file taken away."""
        return Edit(self.root, self.path, EditKind.REMOVE)


def find_context_files(
    roots: Mapping[str, Path], patterns: Mapping[str, Sequence[str]]
) -> tuple[ContextFile, ...]:
    """The context files below these roots, by their names and by the user's patterns."""
    found = [
        ContextFile(root, path, source)
        for root, folder in roots.items()
        for path in _paths(folder)
        if (source := _source(path, patterns)) is not None
    ]
    kept: list[ContextFile] = []
    for source in EDIT_AXES:
        kept += [file for file in found if file.source is source][:_MOST_FILES]
    return tuple(kept)


def missing_context_files(
    looked_for: Iterable[tuple[str, str]], known: Iterable[ContextFile]
) -> tuple[ContextFile, ...]:
    """What the builder looked for in vain, by (root, path): the first file of each source.

    Where a file of the source exists, another one would only take its place.
    """
    found: dict[Source, ContextFile] = {}
    have = {file.source for file in known}
    for root, path in looked_for:
        source = source_of_file(path)
        if source is not None and source not in have:
            found.setdefault(source, ContextFile(root, path, source, exists=False))
    return tuple(found.values())


def edit_world(files: Iterable[ContextFile], *sources: Source) -> World | None:
    """The world in which all files of these sources are edited, or None where there is none."""
    edits = tuple(file.edit() for file in files if file.source in sources)
    return World(edits=edits) if edits else None


def mid_session_world(files: Iterable[ContextFile]) -> World | None:
    """The world in which an agent writes its memory and skills while a session runs."""
    return edit_world(files, *_WRITTEN_IN_A_SESSION)


def _source(path: str, patterns: Mapping[str, Sequence[str]]) -> Source | None:
    for name, globs in patterns.items():
        if any(fnmatch(path, glob) or fnmatch(Path(path).name, glob) for glob in globs):
            return Source(name) if name in {source.value for source in EDIT_AXES} else None
    return source_of_file(path)


def _paths(folder: Path) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _PASSED_BY)
        for name in sorted(names):
            yield (Path(parent) / name).relative_to(folder).as_posix()
