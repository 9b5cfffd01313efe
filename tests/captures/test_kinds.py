import pytest

from promptlint.captures.kinds import kind_of
from promptlint.layout import Axis, CauseKind, Source


@pytest.mark.parametrize(
    ("before", "after", "axis", "cause"),
    [
        ("It is 10:41.", "It is 10:42.", Axis.MINUTE, CauseKind.CLOCK),
        ("It is 10:41:07 UTC", "It is 10:41:08 UTC", Axis.SECOND, CauseKind.CLOCK),
        ("2026-11-30T10:41:00Z", "2026-11-30T10:42:00Z", Axis.SECOND, CauseKind.CLOCK),
        ("At 11:59 PM, Monday", "At 12:01 AM, Tuesday", Axis.MINUTE, CauseKind.CLOCK),
        ("ts=1764500000", "ts=1764500060", Axis.SECOND, CauseKind.CLOCK),
        ("Date: 2026-11-30", "Date: 2026-12-01", Axis.DAY, CauseKind.CLOCK),
        ("Monday, 30 November 2026", "Tuesday, 1 December 2026", Axis.DAY, CauseKind.CLOCK),
        ("30 Nov 2026, port 80", "1 Dec 2026, port 81", Axis.STEP, None),
        ("seen 3 min ago", "seen 4 min ago", Axis.MINUTE, CauseKind.AGE),
        ("step 3 of 50", "step 4 of 50", Axis.STEP, CauseKind.COUNTER),
        ("id 7f3a9c01b2e8", "id 9b3a9c01b2ff", Axis.STEP, CauseKind.IDENTIFIER),
        (
            "s: 123e4567-e89b-12d3-a456-426614174000",
            "s: 223e4567-e89b-12d3-a456-426614174111",
            Axis.STEP,
            CauseKind.IDENTIFIER,
        ),
        ("You plan.", "You act.", Axis.STEP, None),
        ("", "A new line.", Axis.STEP, None),
    ],
)
def test_the_kind_is_told_by_the_form(
    before: str, after: str, axis: Axis, cause: CauseKind | None
) -> None:
    kind = kind_of(before, after, Source.BASE, Axis.STEP)
    assert (kind.axis, kind.cause) == (axis, cause)


def test_a_section_tells_what_the_form_does_not() -> None:
    notes = ("- likes tea", "- likes coffee")
    memory = kind_of(*notes, Source.MEMORY, Axis.STEP)
    assert (memory.axis, memory.cause) == (Axis.MID_SESSION_EDIT, CauseKind.FILE)
    status = kind_of("(clean)", " M app.py", Source.WORKSPACE, Axis.TURN)
    assert (status.axis, status.cause) == (Axis.TURN, CauseKind.PROCESS)
