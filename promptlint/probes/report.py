"""The finding for what a template does to a session."""

from msgspec import Struct

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Confidence, Part, Scope, Source, Span
from promptlint.probes.breaks import Event
from promptlint.probes.session_facts import SessionFacts

AXES = {Event.STEP: Axis.STEP, Event.TURN: Axis.TURN}


class Loss(Struct, frozen=True):
    """What is lost: tokens of one source from a character on, on one axis."""

    source: Source
    axis: Axis
    tokens: int
    char: int | None = None


def report(
    facts: SessionFacts,
    loss: Loss,
    severity: Severity,
    *,
    message: str,
    advice: str,
    moved_when: str,
    loses: str,
) -> Finding:
    """The finding for one thing that the template does to the requests of a session."""
    parts = {Source.HISTORY: Part.MESSAGES, Source.TOOLS: Part.TOOLS}
    span = Span(
        source=loss.source,
        part=parts.get(loss.source, Part.TEMPLATE),
        start_char=loss.char,
        end_char=None,
        start_token=None,
        end_token=None,
        section=loss.source.value,
        tokens=loss.tokens,
    )
    return Finding(
        rule="",
        severity=severity,
        confidence=Confidence.MEDIUM if facts.continued else Confidence.HIGH,
        message=message,
        advice=advice,
        prompt=facts.prompt,
        model=facts.model,
        location=facts.location,
        span=span,
        axis=loss.axis,
        scope=Scope.WITHIN,
        lost_tokens=loss.tokens,
        history_lost=facts.continued,
        total_tokens=facts.tokens,
        facts=(("moved when", moved_when), ("loses", loses)),
    )


def loses_at_least(facts: SessionFacts, tokens: int, threshold: int) -> bool:
    """Whether a loss matters: a history of unknown length always does."""
    return facts.continued or tokens >= threshold
