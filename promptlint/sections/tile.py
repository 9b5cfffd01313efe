"""Layers of marks laid over each other until they tile the text."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from promptlint.layout import Confidence, Source
from promptlint.sections.mark import Mark

# Whitespace that nobody claims, until it is joined to a section.
_BLANK = ""


def tile(text: str, layers: Sequence[Iterable[Mark]]) -> tuple[Mark, ...]:
    """Marks that tile `text`. Later layers are trusted more and are laid over earlier ones.

    Whitespace that nobody claims goes to the section before it; other text that
    nobody claims is `unknown`, never silently one of the others.
    """
    marks: list[Mark] = []
    for layer in layers:
        for mark in layer:
            # A template may have trimmed the text for which a mark was made.
            inside = replace(mark, end=min(mark.end, len(text)))
            if inside.start < inside.end:
                marks = _over(marks, inside)
    return tuple(_filled(text, marks))


def _over(marks: list[Mark], top: Mark) -> list[Mark]:
    kept: list[Mark] = []
    for mark in marks:
        if mark.end <= top.start or top.end <= mark.start:
            kept.append(mark)
            continue
        if mark.start < top.start:
            kept.append(replace(mark, end=top.start))
        if top.end < mark.end:
            kept.append(replace(mark, start=top.end))
    kept.append(top)
    return sorted(kept, key=lambda mark: mark.start)


def _filled(text: str, marks: list[Mark]) -> list[Mark]:
    filled: list[Mark] = []
    at = 0
    for mark in marks:
        filled += _gap(text, at, mark.start)
        filled.append(mark)
        at = mark.end
    filled += _gap(text, at, len(text))
    return _joined(filled)


def _gap(text: str, start: int, end: int) -> list[Mark]:
    """What nobody claims: blank at its beginning, which has no name yet, and unknown text."""
    words = end - len(text[start:end].lstrip())
    unknown = Source.UNKNOWN.value
    blank = [Mark(start, words, _BLANK, _BLANK)] if start < words else []
    return [*blank, Mark(words, end, unknown, unknown, Confidence.LOW)] if words < end else blank


def _joined(marks: list[Mark]) -> list[Mark]:
    """Join neighbours of one section, and blanks to the section before them, else behind."""
    joined: list[Mark] = []
    for mark in marks:
        last = joined[-1] if joined else None
        if last is not None and _BLANK in {last.source, mark.source}:
            kept = mark if last.source == _BLANK else last
            joined[-1] = replace(kept, start=last.start, end=mark.end)
        elif last is not None and _one_section(last, mark):
            joined[-1] = replace(
                last,
                end=mark.end,
                confidence=min(last.confidence, mark.confidence),
                origin=last.origin or mark.origin,
            )
        else:
            joined.append(mark)
    if joined and joined[0].source == _BLANK:
        joined[0] = replace(joined[0], source=Source.UNKNOWN, label=Source.UNKNOWN)
    return joined


def _one_section(last: Mark, mark: Mark) -> bool:
    """Base text keeps the place of each literal; everything else is one run."""
    same = (last.source, last.label) == (mark.source, mark.label)
    return same and (last.source != Source.BASE or last.origin == mark.origin)
