"""Text that stands as a literal in the builder's source: the base prompt, and its place."""

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Confidence, Source
from promptlint.location import Location
from promptlint.sections.mark import Mark

# Shorter literals could stand anywhere by chance, and a library has many thousand literals.
_SHORTEST = 8
_SHORTEST_OF_LIBRARY = 24

# A line of the prompt is searched for by its beginning.
_PROBE = 24
_AFTER_QUOTE = re.compile(rf"""["'](?=\S)([^"'\n]{{{_PROBE}}})""")


class Module(Struct, frozen=True):
    """A module that the builder loaded: its file, and the path shown to people."""

    file: Path
    shown: str

    @property
    def installed(self) -> bool:
        """Whether it belongs to a library."""
        return "site-packages" in self.file.parts


class _Literal(Struct, frozen=True):
    text: str
    place: Location


@lru_cache(maxsize=32)
def literal_sections(text: str, modules: tuple[Module, ...]) -> tuple[Mark, ...]:
    """The runs of `text` that are literals of these modules; the longest literals come last."""
    beginnings = frozenset(_beginnings_of_lines(text))
    long: list[_Literal] = []
    short: list[_Literal] = []
    for module in modules:
        if not module.file.is_file():  # imported from an archive, or removed since
            continue
        source = module.file.read_text("utf-8", errors="replace")
        # Parsing is the slow part, and most modules of libraries hold no line of the prompt.
        if not module.installed or not beginnings.isdisjoint(_beginnings(source)):
            least = _SHORTEST_OF_LIBRARY if module.installed else _SHORTEST
            for literal in _literals(source, module):
                (long if len(literal.text.strip()) >= least else short).append(literal)
    long.sort(key=lambda literal: len(literal.text))
    marks = [mark for literal in long for mark in _occurrences(text, literal)]
    return (*_beside_values(text, marks, short), *marks)


def _beginnings(source: str) -> Iterator[str]:
    """How texts begin in a module's source: its lines, and what follows a quote."""
    yield from _beginnings_of_lines(source)
    yield from _AFTER_QUOTE.findall(source)


def _beginnings_of_lines(text: str) -> Iterator[str]:
    lines = (line.strip() for line in text.splitlines())
    return (line[:_PROBE] for line in lines if len(line) >= _PROBE)


def _literals(source: str, module: Module) -> Iterator[_Literal]:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # the builder ran under a newer Python; its literals stay unnamed
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for text in dict.fromkeys((node.value, textwrap.dedent(node.value))):
                if any(character.isalnum() for character in text):
                    yield _Literal(text, Location(module.shown, node.lineno))


def _occurrences(text: str, literal: _Literal) -> Iterator[Mark]:
    whole = list(_all(text, literal.text.strip()))
    if whole:
        for start, end in whole:
            yield _mark(start, end, literal.place)
        return
    # A template with placeholders: the lines that were kept as they are.
    first = literal.place.line or 1
    lines = [
        _mark(start, end, Location(literal.place.path, first + index))
        for index, line in enumerate(literal.text.splitlines())
        if len(line.strip()) >= _PROBE
        for start, end in _all(text, line.strip())
    ]
    yield from _joined_lines(text, sorted(lines, key=lambda mark: mark.start))


def _joined_lines(text: str, lines: list[Mark]) -> Iterator[Mark]:
    """The lines of one literal with nothing but white space between them are one run."""
    current: Mark | None = None
    for mark in lines:
        if current is not None and not text[current.end : mark.start].strip():
            current = replace(current, end=max(current.end, mark.end))
            continue
        if current is not None:
            yield current
        current = mark
    if current is not None:
        yield current


def _beside_values(text: str, marks: Iterable[Mark], short: list[_Literal]) -> Iterator[Mark]:
    """Short literals (`Now: `) at the edges of what no long one claims: words beside a value."""
    by_length = sorted(short, key=lambda literal: -len(literal.text))
    for start, end in _gaps(text, marks):
        gap = text[start:end]
        before = next((one for one in by_length if gap.startswith(one.text.lstrip())), None)
        if before is not None:
            yield _mark(start, start + len(before.text.lstrip()), before.place)
        after = next((one for one in by_length if gap.endswith(one.text.rstrip())), None)
        if after is not None and after is not before:
            yield _mark(end - len(after.text.rstrip()), end, after.place)


def _gaps(text: str, marks: Iterable[Mark]) -> Iterator[tuple[int, int]]:
    """What no mark covers, without its outer whitespace."""
    at = 0
    for mark in [*sorted(marks, key=lambda mark: mark.start), _mark(len(text), len(text), None)]:
        gap = text[at : mark.start]
        if gap.strip():
            start = at + len(gap) - len(gap.lstrip())
            yield start, start + len(gap.strip())
        at = max(at, mark.end)


def _all(text: str, literal: str) -> Iterator[tuple[int, int]]:
    at = text.find(literal)
    while at >= 0:
        yield at, at + len(literal)
        at = text.find(literal, at + len(literal))


def _mark(start: int, end: int, place: Location | None) -> Mark:
    return Mark(start, end, Source.BASE, Source.BASE.value, Confidence.HIGH, place)
