"""What moved when everything differed, and no single axis explains yet."""

from collections.abc import Iterable, Sequence

from promptlint.layout import CauseKind
from promptlint.measure.measurement import Failure, Measurement
from promptlint.measure.shot import Shot, judged_text
from promptlint.worlds.explain import moved_twins
from promptlint.worlds.hunks import Hunk, hunks

# A shorter new text could appear twice by chance.
_TELLING = 8


def likely_kinds(
    base: Shot, everything: Shot | Failure, unexplained: Sequence[Hunk]
) -> frozenset[CauseKind]:
    """The kinds of call whose answers stand on what is unexplained, each in its own world."""
    if isinstance(everything, Failure):
        return frozenset()
    before, after = judged_text(base.request), judged_text(everything.request)
    return frozenset(
        twin.kind
        for twin in moved_twins(base.observations, everything.observations)
        for hunk in unexplained
        if _stands_on(before, twin.before.value, hunk.start, hunk.end)
        and _stands_on(after, twin.after.value, hunk.after_start, hunk.after_end)
    )


def _stands_on(text: str, value: str, start: int, end: int) -> bool:
    value = value.strip()
    at = text.find(value, max(0, start - len(value)))
    return bool(value) and 0 <= at <= end


def unexplained(result: Measurement, everything: Shot | Failure) -> list[Hunk]:
    """What the world in which everything differs moved, and no single axis so far."""
    if isinstance(everything, Failure):
        return [Hunk(0, 0, 0, 0)]
    base, other = judged_text(result.base.request), judged_text(everything.request)
    known: list[tuple[Hunk, str]] = []
    for comparison in result.comparisons:
        if comparison.before is result.base and comparison.removed is None:
            after = judged_text(comparison.after.request)
            known += [(hunk, _new_text(hunk, after)) for hunk in hunks(base, after)]
    return [
        hunk
        for hunk in hunks(base, other)
        if not explained(hunk, [one for one, _ in known], base)
        and not any(same_text(_new_text(hunk, other), text) for _, text in known)
    ]


def _new_text(hunk: Hunk, after: str) -> str:
    return after[hunk.after_start : hunk.after_end].strip()


def same_text(new: str, known: str) -> bool:
    """Whether a text was seen to appear before, perhaps at a place that other changes shifted."""
    return len(new) >= _TELLING and new in known


def explained(found: Hunk, known: Iterable[Hunk], text: str) -> bool:
    """Whether known moves meet a move and leave no word of it: `host, 12:10` are two values."""
    meeting = [hunk for hunk in known if hunk.start <= found.end and found.start <= hunk.end]
    return bool(meeting) and not any(
        text[at].isalnum() and not any(hunk.start <= at < hunk.end for hunk in meeting)
        for at in range(found.start, found.end)
    )
