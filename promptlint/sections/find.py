"""All that is known about one unit's text, laid over each other in order of trust."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.layout import Source
from promptlint.sections.files import KnownFile, file_sections, quoted_lines
from promptlint.sections.headings import headed_sections
from promptlint.sections.literals import Module, literal_sections
from promptlint.sections.mark import Mark
from promptlint.sections.tile import tile

# What a name alone would claim is the base prompt's own when its text is nearly all literal.
_MOSTLY = 0.9


class Knowledge(Struct, frozen=True):
    """What is known about where text came from.

    `patterns` are the user's: a source's name and a regular expression. `files`
    are the context files that the builder read, `modules` the code it loaded,
    `ground` the marks that everything else is laid over.
    """

    patterns: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[KnownFile] = ()
    modules: Sequence[Module] = ()
    ground: Sequence[Mark] = ()


def find_sections(
    text: str,
    knowledge: Knowledge,
    *,
    named: Iterable[Mark] = (),
    ablated: Iterable[Mark] = (),
) -> tuple[Mark, ...]:
    """The sections of a unit's text, tiling it; each layer is trusted more than the one before."""
    literals = literal_sections(text, tuple(knowledge.modules))
    files = list(file_sections(text, knowledge.files))
    ablated = list(ablated)
    closed = [(mark.start, mark.end) for mark in (*files, *ablated)]
    headed = [
        mark
        for mark in headed_sections(text, closed)
        if not _written_in_code(text, mark, literals, closed)
    ]
    quoted = quoted_lines(text, knowledge.files)
    base = [piece for mark in (*quoted, *literals) for piece in _outside(mark, headed)]
    patterns = _patterns(text, knowledge.patterns)
    return tile(text, (knowledge.ground, headed, base, files, ablated, patterns, named))


def _outside(literal: Mark, headed: Sequence[Mark]) -> Iterator[Mark]:
    """A literal up to the heading that it holds; literals below a heading stay base text."""
    heading = next((h for h in headed if literal.start <= h.start < literal.end), None)
    end = literal.end if heading is None else heading.start
    if literal.start < end:
        yield replace(literal, end=end)


def _patterns(text: str, patterns: Mapping[str, str]) -> Iterable[Mark]:
    for source, pattern in patterns.items():
        for match in re.finditer(pattern, text, re.DOTALL | re.MULTILINE):
            yield Mark(match.start(), match.end(), source, source)


def _written_in_code(
    text: str, mark: Mark, literals: Sequence[Mark], closed: list[tuple[int, int]]
) -> bool:
    if mark.source == Source.BASE or any(mark.start <= start < mark.end for start, _ in closed):
        return False
    covered = bytearray(mark.end - mark.start)
    for literal in literals:
        for at in range(max(literal.start, mark.start), min(literal.end, mark.end)):
            covered[at - mark.start] = 1
    written = sum(
        1 for at, c in enumerate(text[mark.start : mark.end]) if covered[at] or c.isspace()
    )
    return written >= _MOSTLY * len(covered)
