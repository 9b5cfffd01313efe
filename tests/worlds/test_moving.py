from hypothesis import given
from hypothesis import strategies as st

from promptlint.layout import Axis, Cause, CauseKind, Lifetime, Scope
from promptlint.location import Location
from promptlint.templates.leaf import Run
from promptlint.worlds.compare import Region, carried, compare
from promptlint.worlds.explain import explain, moved_twins
from promptlint.worlds.lost import lost_tokens
from promptlint.worlds.moving import Trial, moving_runs
from promptlint.worlds.observation import Observation, ObservationKind
from promptlint.worlds.units import SYSTEM, Unit, UnitKey, units


def _units(text: str) -> dict[UnitKey, Unit]:
    return units(text, (Run(0, len(text), ("system", 0), 0),))


def _regions(before: str, after: str) -> tuple[Region, ...]:
    return compare(_units(before), _units(after))


def _clock(value: str, line: int = 3, key: str = "%H:%M") -> Observation:
    return Observation(ObservationKind.CLOCK, key, value, Location("a.py", line))


def _explained(before: str, after: str, old: list[Observation], new: list[Observation]) -> Region:
    twins = moved_twins(old, new)
    (region,) = explain(
        _regions(before, after),
        twins,
        frozenset({CauseKind.CLOCK}),
        _units(before),
        _units(after),
    )
    return region


def test_a_region_grows_to_the_value_that_was_handed_out() -> None:
    region = _explained("at 12:10 now", "at 12:11 now", [_clock("12:10")], [_clock("12:11")])
    assert region.before == "12:10"
    assert region.cause == Cause(CauseKind.CLOCK, "%H:%M", Location("a.py", 3))


def test_a_value_must_match_in_both_worlds() -> None:
    region = _explained(
        "id 7f3a9b at 1",
        "id 99c1d2 at 1",
        [_clock("12:10"), _clock("12:12", line=9)],
        [_clock("12:11"), _clock("12:13", line=9)],
    )
    assert region.cause is None


def test_the_only_call_that_answered_differently_explains_a_number() -> None:
    region = _explained("5 apples", "6 apples", [_clock("12:10")], [_clock("12:11")])
    assert region.cause is not None
    assert region.cause.location == Location("a.py", 3)


def test_a_call_for_a_log_line_explains_nothing_that_it_did_not_make() -> None:
    old = [_clock("12:10", line=3), _clock("2030-01-02", line=9, key="%Y-%m-%d")]
    new = [_clock("12:11", line=3), _clock("2030-01-03", line=9, key="%Y-%m-%d")]
    region = _explained("day 2030-01-02.", "day 2030-01-03.", old, new)
    assert region.cause is not None
    assert region.cause.location == Location("a.py", 9)


def test_minute_and_hour_of_one_clock_are_one_run() -> None:
    text = "now 12:10 end"
    cause = Cause(CauseKind.CLOCK, "%H:%M", Location("a.py", 3))
    minute = Region(SYSTEM, 7, 9, 7, 9, 7, 9, "10", "11", cause=cause)
    hour = Region(SYSTEM, 4, 6, 4, 6, 4, 6, "12", "13", cause=cause)
    trials = [
        Trial(Axis.MINUTE, Scope.WITHIN, (minute,)),
        Trial(Axis.HOUR, Scope.WITHIN, (hour,)),
    ]
    (run,) = moving_runs(trials, text)
    assert text[run.start : run.end] == "12:10"
    assert {trial.axis for trial, _ in run.moved_by} == {Axis.MINUTE, Axis.HOUR}
    assert run.lifetime is Lifetime.TURN


def test_an_insertion_into_text_that_moves_for_another_reason_keeps_its_axis() -> None:
    text = "files: a.py b.py\n"
    created = Region(SYSTEM, 16, 16, 16, 16, 16, 21, "", " c.py")
    removed = Region(SYSTEM, 0, 16, 0, 16, 0, 0, text[:16], "")
    trials = [
        Trial(Axis.EDIT_PROJECT, Scope.BETWEEN, (removed,)),
        Trial(Axis.EDIT_WORKSPACE, Scope.BETWEEN, (created,)),
    ]
    (run,) = moving_runs(trials, text)
    assert (run.start, run.end) == (0, 16)
    assert {trial.axis for trial, _ in run.moved_by} == {Axis.EDIT_PROJECT, Axis.EDIT_WORKSPACE}


def test_words_of_one_line_that_no_call_explains_are_one_run() -> None:
    text = "about parsing files today\nabout lists\n"
    cause = Cause(CauseKind.QUERY)
    regions = [
        Region(SYSTEM, start, end, start, end, start, end, text[start:end], "?", cause=cause)
        for start, end in ((6, 13), (20, 25), (32, 37))
    ]
    runs = moving_runs([Trial(Axis.TURN, Scope.WITHIN, tuple(regions))], text)
    assert [text[run.start : run.end] for run in runs] == ["parsing files today", "lists"]


def test_a_small_change_inside_a_reordered_list_stays_its_own_run() -> None:
    text = "a, 12:10, b"
    order = Region(SYSTEM, 0, 11, 0, 11, 0, 11, text, "b, 12:10, a", order=True)
    clock = Region(
        SYSTEM, 3, 8, 3, 8, 3, 8, "12:10", "12:11", cause=Cause(CauseKind.CLOCK, "%H:%M")
    )
    runs = moving_runs(
        [
            Trial(Axis.HASH_SEED, Scope.BETWEEN, (order,)),
            Trial(Axis.MINUTE, Scope.WITHIN, (clock,)),
        ],
        text,
    )
    assert [text[run.start : run.end] for run in runs] == ["a, ", "12:10", ", b"]


@given(
    st.text(alphabet="ab \n", max_size=40),
    st.lists(st.text(alphabet="ab \n", max_size=40), max_size=4),
)
def test_runs_never_overlap_and_stay_inside(text: str, others: list[str]) -> None:
    axes = [Axis.MINUTE, Axis.DAY, Axis.HASH_SEED, Axis.EDIT_MEMORY]
    trials = [
        Trial(axis, Scope.BETWEEN, _regions(text, other))
        for axis, other in zip(axes, others, strict=False)
    ]
    at = 0
    for run in moving_runs(trials, text):
        assert at <= run.start <= run.end <= len(text)
        at = run.end


@given(st.text(alphabet="ab \n", max_size=40), st.text(alphabet="ab \n", max_size=40))
def test_regions_carried_to_their_own_text_stay_where_they_are(one: str, other: str) -> None:
    found = _regions(one, other)
    assert carried(found, _units(one), _units(one)) == found


def test_regions_are_found_again_behind_inserted_text() -> None:
    old, new = "head\nclock 12\ntail", "head\nmore\nclock 12\ntail"
    (region,) = _regions(old, old.replace("12", "13"))
    (moved,) = carried([region], _units(old), _units(new))
    assert new[moved.start : moved.end] == "12"


def test_lost_tokens_are_those_behind_that_stayed() -> None:
    starts = list(range(0, 100, 10))
    moved = _regions("x" * 30, "y" * 30)
    assert lost_tokens(starts, 2, 100, []) == 8
    assert lost_tokens(starts, 0, 100, moved) == 7
    assert lost_tokens(starts, 5, 40, []) == 0
