"""Fixes: the edits of source that cure findings, written to the files or shown as a diff."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from promptlint.check.source import excluding
from promptlint.check.suppress import directives
from promptlint.config import Config
from promptlint.source.reader import read_source


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file with edits. `applied` counts the edits made, `unsafe` those left for a second look."""

    path: Path
    shown: str
    before: str
    after: str
    applied: int
    unsafe: int

    def diff(self) -> Iterator[str]:
        """The change as a unified diff."""
        before = self.before.splitlines(keepends=True)
        after = self.after.splitlines(keepends=True)
        return unified_diff(before, after, f"a/{self.shown}", f"b/{self.shown}")

    def write(self) -> None:
        """Write the file; its line ends are kept as they are."""
        with self.path.open("w", encoding="utf-8", newline="") as file:
            file.write(self.after)


def fixed_files(paths: Sequence[Path], config: Config, *, unsafe: bool) -> list[FixedFile]:
    """The files at or below these paths that edits would change, or could with `unsafe`.

    A line where somebody accepted a finding is left as it is.
    """
    from promptlint.source.fixes import applied, fixes

    reading = read_source(paths, root=config.base, own=config.own)
    places = {
        span.cause.location.path
        for layout in reading.layouts
        for span in layout.spans
        if span.moves and span.cause and span.cause.location
    } | {fact.location.path for fact in reading.facts}
    allowed = [path.resolve() for path in paths]
    excluded = excluding(config.exclude)
    found = []
    for shown in sorted(places):
        path = config.base / shown
        if excluded(shown) or not any(path.resolve().is_relative_to(one) for one in allowed):
            continue
        with path.open(encoding="utf-8", newline="") as file:
            text = file.read()
        accepted = {n for d in directives(path, shown) for n in range(d.line, d.last_line + 1)}
        edits = tuple(
            edit
            for edit in fixes(text, shown, reading.layouts, reading.facts)
            if text.count("\n", 0, edit.start) + 1 not in accepted
        )
        made = [edit for edit in edits if edit.safe or unsafe]
        if edits:
            after = applied(text, edits, unsafe=unsafe)
            found.append(FixedFile(path, shown, text, after, len(made), len(edits) - len(made)))
    return found
