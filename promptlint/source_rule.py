"""How a rule reports a fact that only source shows."""

from promptlint.finding import Finding, Related, Severity
from promptlint.layout import Confidence
from promptlint.source.reading import SourceFact


def report_fact(fact: SourceFact, *, message: str, advice: str) -> Finding:
    """The finding for one fact: a warning, or information where it is only likely."""
    sure = fact.confidence is not Confidence.LOW
    return Finding(
        rule="",
        severity=Severity.WARNING if sure else Severity.INFO,
        confidence=fact.confidence,
        message=message,
        advice=advice,
        location=fact.location,
        facts=(("found", fact.detail),) if fact.detail else (),
        related=tuple(Related("called here", place) for place in fact.trail),
    )
