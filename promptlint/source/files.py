"""Find, filter and parse the files of a tree."""

import ast
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from promptlint.source.reading import SourceError

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from pathspec import PathSpec

    IgnoreFile: TypeAlias = tuple[Path, PathSpec[Any]]

SKIPPED_FOLDERS = frozenset(
    {".git", ".venv", "venv", "node_modules", "site-packages", "__pycache__", "build", "dist"}
)
TEXT_SUFFIXES = frozenset(
    {".j2", ".jinja", ".jinja2", ".md", ".txt", ".yaml", ".yml", ".prompt", ".tmpl", ".tpl"}
)


def python_files(paths: Sequence[Path], root: Path) -> Iterator[Path]:
    """The Python files under `paths`, each once; what .gitignore names is left out of folders."""
    seen: set[Path] = set()
    for path in paths:
        found = walk(path, root, frozenset({".py"})) if path.is_dir() else [path]
        for file in found:
            if file not in seen:
                seen.add(file)
                yield file


def walk(folder: Path, root: Path, suffixes: frozenset[str]) -> Iterator[Path]:
    """The files below `folder` with one of these suffixes, sorted, without ignored ones."""
    specs = [spec for spec in (_ignored(at) for at in _folders_above(folder, root)) if spec]
    yield from _walk(folder, specs, suffixes)


def _folders_above(folder: Path, root: Path) -> list[Path]:
    """The folders from `root` down to the parent of `folder`."""
    return [at for at in reversed(folder.parents) if at == root or root in at.parents]


def _walk(folder: Path, specs: list["IgnoreFile"], suffixes: frozenset[str]) -> Iterator[Path]:
    own = _ignored(folder)
    specs = [*specs, own] if own else specs
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = Path(entry.path)
        is_folder = entry.is_dir(follow_symlinks=False)
        if _is_ignored(path, is_folder, specs):
            continue
        if is_folder:
            if entry.name not in SKIPPED_FOLDERS and not (path / "pyvenv.cfg").exists():
                yield from _walk(path, specs, suffixes)
        elif path.suffix in suffixes and path.is_file():
            yield path


def _ignored(folder: Path) -> "IgnoreFile | None":
    """The folder's own .gitignore."""
    file = folder / ".gitignore"
    if not file.is_file():
        return None
    import pathspec

    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    return folder, pathspec.PathSpec.from_lines("gitignore", lines)


def _is_ignored(path: Path, is_folder: bool, specs: list["IgnoreFile"]) -> bool:
    for base, spec in specs:
        name = path.relative_to(base).as_posix() + ("/" if is_folder else "")
        if spec.match_file(name):
            return True
    return False


class UnreadableError(Exception):
    """A file that cannot be parsed."""

    def __init__(self, error: SourceError) -> None:
        super().__init__(str(error))
        self.error = error


def decode(data: bytes, shown: str) -> str:
    """The text of a Python file, by its declared encoding. Raises `UnreadableError`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    import io
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise UnreadableError(SourceError(shown, None, f"cannot be decoded: {error}")) from error


def parse(source: str, shown: str) -> ast.Module:
    """The syntax tree. Raises `UnreadableError` with the place and the cause."""
    if "\0" in source:
        line = source.count("\n", 0, source.index("\0")) + 1
        raise UnreadableError(SourceError(shown, line, "holds a NUL character, as no code does"))
    try:
        return _parsed(source)
    except SyntaxError as error:
        return _parse_newer(source, shown, error)
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError(SourceError(shown, None, f"cannot be parsed: {error}")) from error


def _parsed(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def _parse_newer(source: str, shown: str, error: SyntaxError) -> ast.Module:
    """The tree of a file whose grammar is newer than the interpreter, as far as that serves."""
    from promptlint.source import grammar

    plain = grammar.without_type_parameters(source)
    try:
        return _parsed(plain)
    except SyntaxError:
        requoted = grammar.with_plain_strings(plain)
    if requoted is None:
        raise UnreadableError(SourceError(shown, error.lineno, error.msg)) from error
    try:
        return _parsed(requoted)
    except SyntaxError:
        version = ".".join(str(n) for n in sys.version_info[:2])
        cause = f"grammar newer than Python {version}, which runs promptlint: {error.msg}"
        raise UnreadableError(SourceError(shown, error.lineno, cause)) from error
