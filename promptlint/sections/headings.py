"""Sections named by headings, XML tags and lines: low confidence, but often all there is."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from promptlint.layout import Confidence
from promptlint.sections.announced import announced_files, value_sections
from promptlint.sections.mark import Mark
from promptlint.sections.names import source_of_name

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_OPENING = re.compile(r"^[ \t]*<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)


class _Heading(Struct, frozen=True):
    start: int
    level: int
    name: str


def headed_sections(text: str, closed: Iterable[tuple[int, int]] = ()) -> Iterator[Mark]:
    """The sections that headings, tags and lines name, each trusted more than the one before.

    `closed` are runs whose inside is known (a file's content): headings in there
    name nothing and end nothing outside.
    """
    wrappers = list(_wrappers(text))
    shut = [*closed, *((m.start(), m.end()) for m in _FENCE.finditer(text))]
    walls = [*shut, *((start, end) for _, start, end in wrappers)]
    headed = list(_under_headings(text, walls))
    yield from headed
    for name, start, end in wrappers:
        source = source_of_name(name)
        if source is not None and not _inside(start, shut):
            yield Mark(start, end, source, source.value, Confidence.LOW)
    values = list(value_sections(text, shut))
    yield from values
    yield from announced_files(text, shut, wrappers, headed, values)


def _under_headings(text: str, walls: Sequence[tuple[int, int]]) -> Iterator[Mark]:
    headings = [
        _Heading(m.start(), len(m[1]), m[2])
        for m in _HEADING.finditer(text)
        if not _inside(m.start(), walls)
    ]
    for index, heading in enumerate(headings):
        source = source_of_name(heading.name)
        if source is not None:
            end = next(
                (h.start for h in headings[index + 1 :] if h.level <= heading.level), len(text)
            )
            yield Mark(heading.start, end, source, source.value, Confidence.LOW)


def _wrappers(text: str) -> Iterator[tuple[str, int, int]]:
    """The outermost XML elements that open and close on lines of their own or in one line."""
    at = 0
    while opening := _OPENING.search(text, at):
        closing = f"</{opening[1]}>"
        end = text.find(closing, opening.end())
        if end < 0:
            at = opening.end()
            continue
        end += len(closing)
        yield opening[1], opening.start(), end
        at = end


def _inside(at: int, runs: Iterable[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in runs)
