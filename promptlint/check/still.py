"""One story: what a rendering ran and saw stay still is no finding of reading."""

from collections.abc import Iterable, Iterator, Sequence

from promptlint.finding import Finding
from promptlint.layout import CauseKind, Layout
from promptlint.measure.prompt import MeasuredPrompt
from promptlint.worlds.axes import EDITS

_TIMES = frozenset({CauseKind.CLOCK, CauseKind.AGE})


def moving_findings(
    read: Sequence[Finding], measured: Iterable[MeasuredPrompt]
) -> Iterator[Finding]:
    """The findings of reading without those whose text was measured to stay still."""
    prompts = list(measured)
    return (f for f in read if not any(_stayed_still(f, prompt) for prompt in prompts))


def may_be_still(finding: Finding) -> bool:
    """Whether a rendering can tell that this finding of reading is none.

    That a file was edited does not say that it is the one which the line reads, and chance
    may give the same answer twice.
    """
    cause = finding.span.cause if finding.span else None
    return (
        cause is not None
        and cause.kind is not CauseKind.RANDOM
        and finding.axis is not None
        and finding.axis not in EDITS
    )


def _stayed_still(finding: Finding, prompt: MeasuredPrompt) -> bool:
    """Whether the call and its whole way to the prompt ran, and nothing of its kind moved."""
    if finding.axis is None or finding.scope is None or not may_be_still(finding):
        return False
    if (finding.axis, finding.scope) not in prompt.exercised.axes or finding.location is None:
        return False
    assert finding.span is not None
    assert finding.span.cause is not None
    way = (finding.location, *finding.span.cause.trail)
    return prompt.exercised.ran(way) and not any(
        _moved(layout, finding, finding.span.cause.kind) for layout in prompt.layouts
    )


def _moved(layout: Layout, finding: Finding, kind: CauseKind) -> bool:
    """Whether text moved on the finding's axis that such a call may have made."""
    kinds = {*(_TIMES if kind in _TIMES else {kind}), CauseKind.OTHER}
    return any(
        span.cause is None or span.cause.kind in kinds
        for span in layout.moving()
        if any((m.axis, m.scope) == (finding.axis, finding.scope) for m in span.moves)
    )
