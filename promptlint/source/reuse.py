"""Readings kept on disk, and used again while nothing that they looked at has changed."""

import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

import promptlint
from promptlint.config_tables import NO_ROWS, OwnRows
from promptlint.source.disk import Disk, Question
from promptlint.source.modules import Tree
from promptlint.source.reading import SourceReading
from promptlint.source.scan import scan

MOST_KEPT = 64


class Kept(Struct, frozen=True):
    """A reading, and all the looks at the disk that it took."""

    answers: dict[Question, str]
    reading: SourceReading


def read_or_reuse(
    paths: Sequence[Path], *, root: Path, folder: Callable[[], Path], own: OwnRows = NO_ROWS
) -> SourceReading:
    """What `read_source` says, out of `folder` where all that it depends on is as it was.

    Files are compared by content. The folder is asked for where there is a prompt to read; one
    that cannot be written to costs time, no answer.
    """
    tree = Tree(Disk(root.resolve()), {})
    mentions = scan(tree, paths, own)
    if not mentions:
        return SourceReading((), (), tuple(tree.errors), 0)
    file = folder() / f"{_key(tree, mentions, own)}.pickle"
    kept = _load(file)
    if kept is not None and tree.disk.is_as(kept.answers):
        return kept.reading
    from promptlint.source.reader import read_mentions

    reading = read_mentions(tree, mentions, own)
    with suppress(OSError):
        _store(file, Kept(tree.disk.answers, reading))
    return reading


def _key(tree: Tree, mentions: Iterable[Path], own: OwnRows) -> str:
    """What was asked, of which tree, by which reader."""
    rows = (*map(astuple, own.calls), *map(astuple, own.sinks))
    written = str([[getattr(value, "pattern", value) for value in row] for row in rows])
    errors = (str(error) for error in tree.errors)
    return _digest([_reader(), written, str(tree.root), *map(str, mentions), *errors])


@cache
def _reader() -> str:
    """promptlint's own code, and Python's grammar.

    Code is told apart by size and time: reading all of it would take as long as a prompt.
    """
    written = [promptlint.__version__, sys.version]
    folders = [str(Path(promptlint.__file__).parent)]
    while folders:
        for entry in sorted(os.scandir(folders.pop()), key=lambda one: one.name):
            if entry.is_dir():
                folders.append(entry.path)
            elif entry.name.endswith((".py", ".toml")):
                facts = entry.stat()
                written.append(f"{entry.path} {facts.st_size} {facts.st_mtime_ns}")
    return _digest(written)


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode(errors="surrogateescape")).hexdigest()


def _store(file: Path, kept: Kept) -> None:
    """Write in one step, so that another process never reads half of it; drop the oldest."""
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = file.with_suffix(f".{os.getpid()}")
    whole.write_bytes(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL))
    whole.replace(file)
    by_age = sorted(file.parent.glob("*.pickle"), key=lambda one: one.stat().st_mtime)
    for old in by_age[:-MOST_KEPT]:
        old.unlink(missing_ok=True)


def _load(file: Path) -> Kept | None:
    """A kept reading, or None: a damaged file costs no more than reading the tree."""
    try:
        found = _Unpickler(io.BytesIO(file.read_bytes())).load()
    except Exception:  # noqa: BLE001 - damaged data can raise any error, as pickle's manual says
        return None
    return found if isinstance(found, Kept) else None


class _Unpickler(pickle.Unpickler):
    """Makes promptlint's own records and enums, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith("promptlint.") else None
        if isinstance(found, type) and issubclass(found, Struct | Enum):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a reading")
