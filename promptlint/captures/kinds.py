"""What kind of text moved between two captured requests, read from the two texts alone.

Nobody watched the calls that made them: a clock, an age, an identifier and a counter are
told by their form, everything else by the section that it stands in.
"""

import re

from msgspec import Struct

from promptlint.layout import Axis, CauseKind, Source

_TIME = re.compile(
    r"(?<![\d:])\d{1,2}:\d{2}(?P<seconds>:\d{2}(?:\.\d+)?)?(?![\d:])"
    r"|(?<!\d)1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?!\d)"
)
DATE = re.compile(
    r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?=\b|T)|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:mon|tue|wed|thu|fri|sat|sun)\b"
    r"|\b(?:\d{1,2}\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"(?:\s+\d{1,2})?(?:,?\s+\d{4})?\b",
    re.IGNORECASE,
)
_MERIDIEM = re.compile(r"\b[ap]\.?m\b\.?", re.IGNORECASE)
_AGE = re.compile(
    r"\b\d+\s*(?:s|sec|second|m|min|minute|h|hour|d|day|week)s?\b(?=.{0,12}\b(?:ago|old|elapsed))"
    r"|\b(?:ago|uptime|elapsed)\b.{0,20}?\d+",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{8,}\b"
    r"|\b[a-z]+[_-](?=[A-Za-z]*\d)[A-Za-z0-9]{6,}\b"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FILES = frozenset({Source.MEMORY, Source.SKILLS, Source.PROJECT})


class Kind(Struct, frozen=True):
    """The axis on which a text moves and the kind of call that such text comes from.

    `cause` is None where the text does not tell.
    """

    axis: Axis
    cause: CauseKind | None


def kind_of(before: str, after: str, source: str, otherwise: Axis) -> Kind:
    """The kind of a change, from the whole lines that hold it before and after.

    `source` is that of the section, `otherwise` the axis that is known from the history:
    a step or a turn.
    """
    if _differ_only_in(_AGE, before, after):
        return Kind(Axis.MINUTE, CauseKind.AGE)
    if _shows_a_clock(before, after):
        return Kind(_precision(before, after), CauseKind.CLOCK)
    if source in _FILES:
        return Kind(Axis.MID_SESSION_EDIT, CauseKind.FILE)
    if source == Source.WORKSPACE:
        return Kind(otherwise, CauseKind.PROCESS)
    if _differ_only_in(_IDENTIFIER, before, after):
        return Kind(otherwise, CauseKind.IDENTIFIER)
    if _differ_only_in(_NUMBER, before, after):
        return Kind(otherwise, CauseKind.COUNTER)
    return Kind(otherwise, None)


def _shows_a_clock(before: str, after: str) -> bool:
    """Whether the lines are equal once dates and times are taken out of both."""
    blank_before, blank_after = (
        _MERIDIEM.sub("", _TIME.sub("", DATE.sub("", text))) for text in (before, after)
    )
    return blank_before == blank_after and blank_before != before


def _precision(before: str, after: str) -> Axis:
    """The finest unit of a clock that is shown; a day where only the date differs."""
    old, new = (list(_TIME.finditer(text)) for text in (before, after))
    if [match[0] for match in old] == [match[0] for match in new]:
        return Axis.DAY
    fine = any(match["seconds"] or ":" not in match[0] for match in (*old, *new))
    return Axis.SECOND if fine else Axis.MINUTE


def _differ_only_in(pattern: re.Pattern[str], before: str, after: str) -> bool:
    """Whether the texts differ, and are equal once all that matches is taken out."""
    blank = pattern.sub("\0", before)
    return blank != before and blank == pattern.sub("\0", after)
