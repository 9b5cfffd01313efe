"""One story: what a rendering ran and saw stay still is no finding of reading."""

from collections.abc import Iterable, Sequence

from promptlint.check.source import ReadFinding
from promptlint.finding import Finding
from promptlint.layout import CauseKind, Layout
from promptlint.measure.prompt import MeasuredPrompt
from promptlint.worlds.axes import EDITS

_TIMES = frozenset({CauseKind.CLOCK, CauseKind.AGE})


def moving_findings(
    followed: Iterable[ReadFinding], measured: Sequence[MeasuredPrompt]
) -> list[ReadFinding]:
    """The findings of reading without those whose text was measured to stay still."""
    return [
        read for read in followed if not any(_stayed_still(read, prompt) for prompt in measured)
    ]


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


def _stayed_still(read: ReadFinding, prompt: MeasuredPrompt) -> bool:
    """Whether the prompt was built by this builder's call, and nothing of the kind moved.

    A call that ran, perhaps when its module was imported, may still serve another prompt:
    its whole way must have run, and the call itself the place where the prompt is made.
    """
    finding, tried = read.finding, prompt.exercised
    if not may_be_still(finding) or finding.location is None or read.prompt is None:
        return False
    assert finding.span is not None
    assert finding.span.cause is not None
    cause = finding.span.cause
    return (
        (finding.axis, finding.scope) in tried.axes
        and all(map(tried.ran, (finding.location, *cause.trail)))
        and tried.called(read.prompt)
        and not any(_moved(layout, finding, cause.kind) for layout in prompt.layouts)
    )


def _moved(layout: Layout, finding: Finding, kind: CauseKind) -> bool:
    """Whether text moved on the finding's axis that such a call may have made."""
    kinds = {*(_TIMES if kind in _TIMES else {kind}), CauseKind.OTHER}
    return any(
        span.cause is None or span.cause.kind in kinds
        for span in layout.moving()
        if any((m.axis, m.scope) == (finding.axis, finding.scope) for m in span.moves)
    )
