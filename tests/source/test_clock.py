"""How fine a printed time is."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.layout import Axis
from promptlint.source import clock

BASE = datetime(2026, 11, 29, 12, 10, 10)
STEPS = {
    Axis.SECOND: timedelta(seconds=1),
    Axis.MINUTE: timedelta(minutes=1),
    Axis.HOUR: timedelta(hours=1),
    Axis.DAY: timedelta(days=1),
}


@given(st.lists(st.sampled_from("YmdHIMSpAaBbjyjFTDRXc"), min_size=1, max_size=5))
def test_a_format_moves_on_its_axis_and_on_no_finer_one(directives: list[str]) -> None:
    template = " ".join(f"%{directive}" for directive in directives)
    axis = clock.of_format(template)
    if axis is None:
        assert directives == ["p"] * len(directives)
        return
    for finer, step in STEPS.items():
        if finer is axis:
            break
        assert BASE.strftime(template) == (BASE + step).strftime(template)


@pytest.mark.parametrize(
    ("template", "axis"),
    [("%H:%M", Axis.MINUTE), ("%s", Axis.SECOND), ("%-d %B", Axis.DAY), ("at %%H", None)],
)
def test_formats(template: str, axis: Axis | None) -> None:
    assert clock.of_format(template) is axis


@pytest.mark.parametrize(
    ("pattern", "axis"),
    [
        ("YYYY-MM-DD HH:mm", Axis.MINUTE),
        ("dddd, MMMM D", Axis.DAY),
        ("[mm] YYYY", Axis.DAY),
        ("HH", Axis.HOUR),
        ("LTS", Axis.SECOND),
    ],
)
def test_patterns(pattern: str, axis: Axis) -> None:
    assert clock.of_pattern(pattern) is axis


@pytest.mark.parametrize(
    ("end", "axis"),
    [(10, Axis.DAY), (13, Axis.HOUR), (16, Axis.MINUTE), (19, Axis.SECOND), (-7, Axis.SECOND)],
)
def test_the_head_of_an_iso_time(end: int, axis: Axis) -> None:
    assert clock.of_slice(Axis.SECOND, "iso", end) is axis


def test_a_time_divided_and_a_time_with_zeroed_fields() -> None:
    assert clock.coarsened(Axis.SECOND, 3600) is Axis.HOUR
    assert clock.coarsened(Axis.SECOND, 7) is Axis.SECOND
    assert clock.replaced(Axis.SECOND, {"second", "microsecond"}) is Axis.MINUTE
    assert clock.replaced(Axis.SECOND, {"hour", "minute", "second"}) is Axis.DAY
