"""Sections that hold a file's content."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from promptlint.layout import Confidence, Source
from promptlint.location import Location
from promptlint.sections.mark import Mark
from promptlint.sections.names import label_of_file, source_of_file, source_of_name

# Shorter contents could stand anywhere by chance.
_SHORTEST = 12
_LONG_WORD = 5
_LONG_LINE = 40
_TEXT_FILES = frozenset(
    [".yaml", ".yml", ".j2", ".jinja", ".jinja2", ".md", ".txt", ".toml", ".tmpl"]
)
_LAST_LINE = re.compile(r"([^\n]+)\n\s*\Z")


class KnownFile(Struct, frozen=True):
    """A file that the builder read: its path and the content that it saw."""

    path: str
    content: str


def file_sections(text: str, files: Iterable[KnownFile]) -> Iterator[Mark]:
    """Where the contents of known context files stand in the text.

    A heading or an opening tag of the same source right above the content belongs
    to the section, as does the closing tag behind it.
    """
    for file in files:
        source = source_of_file(file.path)
        found = _content(text, file.content)
        if source is not None and found is not None:
            start, end = _with_wrapper(text, *found, source)
            yield Mark(
                start,
                end,
                source,
                label_of_file(file.path),
                Confidence.MEDIUM,
                Location(file.path, 1),
            )


def quoted_lines(text: str, files: Iterable[KnownFile]) -> Iterator[Mark]:
    """Long lines of other files that stand in the prompt: a template's, or a YAML file's."""
    for file in files:
        if source_of_file(file.path) is None and PurePosixPath(file.path).suffix in _TEXT_FILES:
            for number, line in enumerate(file.content.splitlines(), 1):
                words = line.strip()
                at = text.find(words) if len(words) >= _LONG_LINE else -1
                if at >= 0:
                    place = Location(file.path, number)
                    base = Source.BASE.value
                    yield Mark(at, at + len(words), base, base, Confidence.MEDIUM, place)


def shares_text(piece: str, content: str) -> bool:
    """Whether a piece of a prompt holds text of a file; a file whose content was not seen may."""
    words = {word for word in content.split() if len(word) >= _LONG_WORD}
    return not words or any(word in words for word in piece.split())


def _content(text: str, content: str) -> tuple[int, int] | None:
    """The content without its outer whitespace, as far as a builder that cuts it keeps it."""
    body = content.strip()
    if len(body) < _SHORTEST:
        return None
    at = text.find(body)
    if at >= 0:
        return at, at + len(body)
    first_line = body.split("\n", 1)[0]
    at = text.find(first_line) if len(first_line) >= _SHORTEST else -1
    if at < 0:
        return None
    length = len(first_line)
    while length < len(body) and text[at + length : at + length + 1] == body[length]:
        length += 1
    return at, at + length


def _with_wrapper(text: str, start: int, end: int, source: Source) -> tuple[int, int]:
    above = _LAST_LINE.search(text, 0, start)
    if above and _names(above[1], source):
        start = above.start(1)
        tag = re.match(r"\s*<([A-Za-z][\w.-]*)", above[1])
        if tag:
            closing = re.compile(rf"\s*</{re.escape(tag[1])}>").match(text, end)
            end = closing.end() if closing else end
    return start, end


def _names(line: str, source: Source) -> bool:
    heading = re.match(r"\s*(?:#{1,6}\s+|<)(.+)", line)
    return bool(heading) and source_of_name(heading[1]) is source if heading else False
