import calendar
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from promptlint.builders.settings import BuilderSettings, default_base_time


@given(st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))
def test_the_base_time_is_near_and_odd_and_never_at_the_end_of_a_month(now: datetime) -> None:
    base = default_base_time(now)
    assert timedelta(0) < base - now < timedelta(days=4)
    assert (base.hour, base.minute, base.second) == (12, 10, 10)
    assert base.day < calendar.monthrange(base.year, base.month)[1] - 1
    assert (base + timedelta(days=1)).month == base.month


def test_each_settings_object_has_a_scratch_folder_of_its_own(tmp_path: Path) -> None:
    one, two = (BuilderSettings("m:f", tmp_path) for _ in range(2))
    assert one.scratch != two.scratch
    assert len(str(one.scratch)) == len(str(two.scratch))


def test_the_interpreter_is_relative_and_keeps_its_link(tmp_path: Path) -> None:
    settings = BuilderSettings("m:f", tmp_path, python=Path(".venv/bin/python"))
    assert settings.interpreter == tmp_path / ".venv" / "bin" / "python"


def test_file_times_move_with_the_clock(tmp_path: Path) -> None:
    base = datetime(2031, 5, 6, tzinfo=UTC)
    settings = BuilderSettings("m:f", tmp_path, base_time=base, created=1000.0)
    assert settings.age_shift == base.timestamp() - 1000.0
