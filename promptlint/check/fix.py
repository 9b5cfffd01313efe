"""Fixes: the edits of source that cure findings, written to the files or shown as a diff."""

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptlint.check.outcome import CheckError
from promptlint.check.source import read, read_findings
from promptlint.check.suppress import suppress
from promptlint.config import Config
from promptlint.location import Location
from promptlint.rule import Rule
from promptlint.source.reading import FactKind, SourceReading

_MOST_ROUNDS = 20
"""How often a file is read again after it was mended."""


class FixError(CheckError):
    """A file that could not be fixed. One line: the file, then the cause."""


class FixedFile(Struct, frozen=True):
    """A file with edits. `applied` counts the edits made, `unsafe` those left for a second look."""

    path: Path
    shown: str
    before: str
    after: str
    applied: int
    unsafe: int
    encoding: str = "utf-8"

    def diff(self) -> Iterator[str]:
        """The change as a unified diff."""
        before, after = _lines(self.before), _lines(self.after)
        return unified_diff(before, after, f"a/{self.shown}", f"b/{self.shown}")

    def followed_by(self, later: "FixedFile") -> "FixedFile":
        """Both changes as one."""
        made = self.applied + later.applied
        return replace(self, after=later.after, applied=made, unsafe=later.unsafe)

    def write(self) -> None:
        """Write the file; its line ends and its encoding are kept. Raises FixError."""
        try:
            with self.path.open("w", encoding=self.encoding, newline="") as file:
                file.write(self.after)
        except OSError as error:
            raise FixError(f"{self.shown}: {error.strerror}") from error


def _lines(text: str) -> list[str]:
    """Lines as a patch counts them: only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def fixed_files(
    paths: Sequence[Path],
    config: Config,
    rules: Mapping[str, Rule[Any]],
    *,
    unsafe: bool,
    since: str | None = None,
) -> list[FixedFile]:
    """The files at or below these paths that edits would change, or could with `unsafe`.

    Only what these rules report is fixed: neither what somebody accepted nor, with `since`,
    what a line says that did not change. Raises FixError, and ChangedLinesError for `since`.
    """
    fixed: dict[Path, FixedFile] = {}
    for _ in range(_MOST_ROUNDS):
        texts = {path: file.after for path, file in fixed.items() if file.after != file.before}
        found = _fixed_once(paths, texts, config, rules, unsafe=unsafe, since=since)
        for file in found:
            earlier = fixed.get(file.path)
            fixed[file.path] = file if earlier is None else earlier.followed_by(file)
        if not any(file.applied for file in found):
            break
    return [fixed[path] for path in sorted(fixed)]


def _fixed_once(
    paths: Sequence[Path],
    texts: Mapping[Path, str],
    config: Config,
    rules: Mapping[str, Rule[Any]],
    *,
    unsafe: bool,
    since: str | None,
) -> list[FixedFile]:
    """What one reading can mend: of several faults in one prompt it may show only the first."""
    reading = read(paths, config, texts)
    found = read_findings(reading, config, rules).findings
    if since is not None:
        from promptlint.check.changed_lines import on_changed_lines

        found = on_changed_lines(found, since, config.base)
    kept = suppress(found, (), config.base).findings
    reported = _only({f.location for f in kept if f.location}, reading)
    allowed = [path.resolve() for path in paths]
    files = ((config.base / shown, shown) for shown in sorted(_paths(reported)))
    fixed = (
        _fixed(path, shown, texts.get(path), reported, unsafe=unsafe)
        for path, shown in files
        if any(path.resolve().is_relative_to(one) for one in allowed)
    )
    return [file for file in fixed if file is not None]


def _only(places: Collection[Location], reading: SourceReading) -> SourceReading:
    """The reading without what was not reported. A tool list is reported where it is walked."""
    layouts = tuple(
        replace(
            layout,
            spans=tuple(s for s in layout.spans if s.cause is None or s.cause.location in places),
        )
        for layout in reading.layouts
    )
    facts = tuple(
        fact
        for fact in reading.facts
        if fact.location in places
        or (fact.kind is FactKind.UNSORTED_TOOLS and any(place in places for place in fact.trail))
    )
    return replace(reading, layouts=layouts, facts=facts)


def _paths(reading: SourceReading) -> set[str]:
    return {
        span.cause.location.path
        for layout in reading.layouts
        for span in layout.spans
        if span.moves and span.cause and span.cause.location
    } | {fact.location.path for fact in reading.facts}


def _fixed(
    path: Path, shown: str, known: str | None, reading: SourceReading, *, unsafe: bool
) -> FixedFile | None:
    from promptlint.source.fixes import applied, fixes

    text, encoding = _text(path, shown)
    text = text if known is None else known
    edits = fixes(text, shown, reading.layouts, reading.facts)
    if not edits:
        return None
    after = applied(text, edits, unsafe=unsafe)
    try:
        ast.parse(after)
    except SyntaxError:
        raise FixError(f"{shown}: the fix would break the file, and is not made") from None
    made = sum(edit.safe or unsafe for edit in edits)
    return FixedFile(path, shown, text, after, made, len(edits) - made, encoding)


def _text(path: Path, shown: str) -> tuple[str, str]:
    """A file's text with its own line ends, and its declared encoding."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FixError(f"{shown}: {error.strerror}") from error
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding), encoding
