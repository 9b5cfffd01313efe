"""One story: a fault that several prompts, models or readers meet is one finding."""

from collections.abc import Iterable

from msgspec.structs import replace

from promptlint.finding import Finding, Related, Severity
from promptlint.layout import Confidence, Source, Span
from promptlint.phrases import count

_FILES = frozenset({Source.PROJECT, Source.SKILLS, Source.MEMORY, Source.WORKSPACE})
_NO_FILES = frozenset(Source) - _FILES


def merged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings of one rule at one line of the call are one: the worst, with the others beside it.

    The order is by place, then by rule, so that the same inputs give the same output.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_key(finding), []).append(finding)
    return tuple(sorted((_one(group) for group in groups.values()), key=_order))


def _key(finding: Finding) -> tuple[object, ...]:
    place = finding.location
    if finding.span is None and (place is None or place.line is None):
        # What is true of a template is true under all of its prompts.
        return finding.rule, finding.model
    source = file_source(finding.span) if finding.span else None
    if place is not None and place.line is not None:
        # One line may read several files in a loop: each of them is a fault of its own.
        return finding.rule, place.path, place.line, source
    return finding.rule, place, finding.prompt, finding.model, source


def file_source(span: Span) -> str | None:
    """Which kind of file a span came from; None where its rule says what it is."""
    return None if span.source in _NO_FILES else span.source


def _one(group: list[Finding]) -> Finding:
    ranked = sorted(group, key=_rank, reverse=True)
    worst = ranked[0]
    elsewhere: dict[tuple[str | None, str | None], Finding] = {}
    for finding in ranked:
        elsewhere.setdefault((finding.prompt, finding.model), finding)
    others = (finding for finding in elsewhere.values() if finding is not worst)
    return replace(
        worst,
        confidence=max(finding.confidence for finding in group),
        related=(*worst.related, *map(_related, others)),
    )


def _rank(finding: Finding) -> tuple[Severity, Confidence, int]:
    return finding.severity, finding.confidence, finding.lost_tokens


def _related(other: Finding) -> Related:
    where = " under ".join(name for name in (other.prompt, other.model) if name)
    history = " and the whole history" if other.history_lost else ""
    loss = f"{count(other.lost_tokens, 'token')}{history} lost"
    note = f"prompt {where}: {other.severity}, {loss}"
    return Related(note, other.location, other.span)


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    place = finding.location
    return (
        place.path if place else "",
        (place.line if place else None) or 0,
        (place.column if place else None) or 0,
        finding.rule,
        finding.prompt or "",
    )
