"""Sections that one line announces: `Instructions from: PATH`, `Current date: 2026-03-05`.

So agents write them that paste files and values into one text, and in recorded requests
there is often nothing else. Low confidence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from promptlint.layout import Confidence, Source
from promptlint.sections.mark import Mark
from promptlint.sections.names import label_of_file, source_of_file, source_of_name

# `## PATH` (Pi), `# AGENTS.md instructions for FOLDER` (Codex), `Instructions from: PATH`
# (OpenCode), `Contents of PATH (project instructions):` (Claude Code).
_FILE = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(\S+)(?:[ \t]+instructions for[ \t]+\S+)?"
    r"|(?:instructions from|contents? of):?[ \t]+([^\s:]+)(?:[ \t]+\([^)\n]*\))?:?)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LABELLED = re.compile(r"^[ \t]*(?:[-*][ \t]+)?([A-Z][\w' -]{2,39}?)(?::| is)[ \t]+(\S.*)$")
_TAGGED = re.compile(r"^[ \t]*<([A-Za-z][\w.-]*)>([^<\n]+)</\1>[ \t]*$")


def value_sections(text: str, closed: Sequence[tuple[int, int]]) -> Iterator[Mark]:
    """Lines that hold one value of the world: a date, a folder, a session."""
    at = 0
    for line in text.splitlines(keepends=True):
        source = _source_of_value(line.rstrip("\r\n"))
        if source is not None and not any(start <= at < end for start, end in closed):
            yield Mark(at, at + len(line.rstrip()), source, source.value, Confidence.LOW)
        at += len(line)


def announced_files(
    text: str,
    closed: Sequence[tuple[int, int]],
    wrappers: Sequence[tuple[str, int, int]],
    headed: Sequence[Mark],
    values: Sequence[Mark],
) -> Iterator[Mark]:
    """Context files below the line that names them.

    They may hold any heading, so they end where the next file or a tag with a known name
    begins, where the tag around them ends, or before the values at the end of all that. A
    file named by a heading ends at a heading with another known name as well.
    """
    lines = [
        (match, path, source)
        for match in _FILE.finditer(text)
        if (source := source_of_file(path := match[1] or match[2])) is not None
        and not any(start <= match.start() < end for start, end in closed)
    ]
    starts = [match.start() for match, _, _ in lines]
    starts += [start for name, start, _ in wrappers if source_of_name(name) is not None]
    for match, path, source in lines:
        start = match.start()
        around = [end for _, first, end in wrappers if first < start < end]
        headings = [mark.start for mark in headed if match[1] and mark.source != source]
        ends = [other for other in (*starts, *headings) if other > start]
        end = _before_values(text, start, min([*ends, *around, len(text)]), values)
        yield Mark(start, end, source, label_of_file(path), Confidence.LOW)


def _before_values(text: str, start: int, end: int, values: Iterable[Mark]) -> int:
    """Where a run ends without the values, and the closing tag, that stand at its end."""
    for value in sorted(values, key=lambda mark: -mark.start):
        behind = re.sub(r"</[\w.-]+>", "", text[value.end : end])
        if start < value.start and value.end <= end and not behind.strip():
            end = value.start
    return end


def _source_of_value(line: str) -> Source | None:
    found = _LABELLED.match(line) or _TAGGED.match(line)
    source = source_of_name(found[1]) if found else None
    if found is None or source is None:
        return None
    if source is Source.TIMESTAMP:
        return source if re.search(r"\d", found[2]) else None
    single = len(found[2].split()) == 1
    return source if single and source in {Source.ENVIRONMENT, Source.IDENTITY} else None
