"""What a rule is, and how it reports a moving span."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptlint.finding import Finding, Related, Severity
from promptlint.layout import Axis, CauseKind, Layout, Move, Scope, Span
from promptlint.phrases import loses, moved_when
from promptlint.severity import (
    DEFAULT_OPTIONS,
    Options,
    below_minimum,
    confidence,
    rebuilding_known,
    severity,
)

Given = TypeVar("Given")


class Bad(Struct, Generic[Given], frozen=True):
    """An example that the rule must report: once for each entry of `at`, and nowhere else.

    `at` names where findings must sit, in order: their sections, or their places
    (`path:line:column`) where they have no span.
    """

    given: Given
    at: tuple[str, ...]
    severity: Severity
    options: Options = DEFAULT_OPTIONS


class Good(Struct, Generic[Given], frozen=True):
    """An example that the rule must not report. `why` is shown on the rule's page."""

    given: Given
    why: str
    options: Options = DEFAULT_OPTIONS


class Rule(Struct, Generic[Given], frozen=True):
    """One rule: what it checks, and the examples that are its tests and its documentation.

    `reads` is the type of what it looks at: a layout, what source shows, a captured
    session, a template's facts. `general` rules speak of a span only where no rule of
    its cause does.
    """

    name: str
    summary: str
    check: Callable[[Given, Options], Iterable[Finding]]
    bad: tuple[Bad[Given], ...]
    good: tuple[Good[Given], ...]
    general: bool = False
    reads: type[Any] = Layout
    since: str = "0.1.0"

    def run(self, given: Given, options: Options) -> Iterator[Finding]:
        """The rule's findings for one input, stamped with its name."""
        return (replace(finding, rule=self.name) for finding in self.check(given, options))


def place_of(finding: Finding) -> str:
    """Where a finding sits: its section, or its place where it has no span."""
    return finding.span.section if finding.span else str(finding.location)


def report(
    layout: Layout,
    span: Span,
    move: Move,
    options: Options,
    *,
    message: str,
    advice: str,
    at_most: Severity = Severity.ERROR,
) -> Finding:
    """The finding for one move of one span, with the severity of the loss that can be avoided."""
    level = min(severity(layout, span, move, options), at_most)
    facts = [("moved when", moved_when(span, move)), ("loses", loses(layout, span, move))]
    if below_minimum(layout, options):
        facts.append(
            (
                "note",
                f"shorter than the {options.cache_minimum:,} tokens that {options.cache} keeps",
            )
        )
    elif move.scope is Scope.WITHIN and not rebuilding_known(layout):
        facts.append(
            ("note", "assumes that the agent builds the prompt for every request: set rebuilt")
        )
    elif move.scope is Scope.WITHIN and layout.built_alone:
        facts.append(("note", "assumes that the prompt is built for every request, not once"))
    return Finding(
        rule="",
        severity=level,
        confidence=confidence(layout, span, move),
        message=message,
        advice=advice,
        prompt=layout.prompt,
        model=layout.model,
        location=(span.cause.location if span.cause else None) or span.origin or layout.location,
        span=span,
        axis=move.axis,
        scope=move.scope,
        lost_tokens=move.lost_tokens,
        history_lost=move.history_lost,
        total_tokens=layout.tokens,
        facts=tuple(facts),
        related=tuple(_way(layout, span)),
    )


def caused_by(
    layout: Layout, axes: tuple[Axis, ...], kind: CauseKind
) -> Iterator[tuple[Span, Move]]:
    """The spans that a call of this kind made, each with its move on the first of these axes."""
    for span in layout.moving():
        move = span.move_on(*axes)
        if move is not None and span.cause is not None and span.cause.kind is kind:
            yield span, move


def _way(layout: Layout, span: Span) -> Iterator[Related]:
    """The calls that hand on what a call in the source made, and where the prompt is."""
    if span.cause is None:
        return
    for place in span.cause.trail:
        yield Related("its result is used here", place)
    end, met = layout.location, [span.cause.location, *span.cause.trail]
    if not layout.source_only or end is None:
        return
    if (end.path, end.line) not in {(m.path, m.line) for m in met if m}:
        yield Related(f"the prompt is {'built' if layout.built_alone else 'sent'} here", end)
