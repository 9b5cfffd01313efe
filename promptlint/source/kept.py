"""Readings kept on disk."""

import hashlib
import io
import os
import pickle
import sys
from collections.abc import Iterable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

import promptlint
from promptlint.config_tables import OwnRows
from promptlint.source.disk import Question
from promptlint.source.modules import Tree
from promptlint.source.reading import SourceReading

MOST_KEPT = 64


class Kept(Struct, frozen=True):
    """A reading, and all the looks at the disk that it took."""

    answers: dict[Question, str]
    reading: SourceReading


def name_of(tree: Tree, mentions: Iterable[Path], own: OwnRows) -> str:
    """The name of the file for what was asked, of which tree, by which reader."""
    rows = (*map(astuple, own.calls), *map(astuple, own.sinks))
    written = str([[getattr(value, "pattern", value) for value in row] for row in rows])
    errors = (str(error) for error in tree.errors)
    asked = [_reader(), written, str(tree.root), *map(str, mentions), *errors]
    return f"{_digest(asked)}.pickle"


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


def store(file: Path, kept: Kept) -> None:
    """Write in one step, so that another process never reads half of it; drop the oldest."""
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = file.with_suffix(f".{os.getpid()}")
    whole.write_bytes(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL))
    whole.replace(file)
    by_age = sorted(file.parent.glob("*.pickle"), key=lambda one: one.stat().st_mtime)
    for old in by_age[:-MOST_KEPT]:
        old.unlink(missing_ok=True)


def load(file: Path) -> Kept | None:
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
