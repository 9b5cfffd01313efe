from datetime import date

from promptlint.layout import Layout, Source
from promptlint.measure.missed_clock import missed_clock
from promptlint.sketch import layout, still
from tests.project import MakeProject

TODAY, BASE = date(2026, 3, 9), date(2026, 3, 10)


def _layout(source: Source, text: str) -> Layout:
    from msgspec.structs import replace

    given = layout(still(source, len(text) // 4 + 1))
    return replace(given, text=text)


def test_todays_date_in_text_of_unknown_origin_is_told() -> None:
    for text in ("on 2026-03-09", "on March 9, 2026", "on 9 March 2026", "on 09.03.2026"):
        (note,) = missed_clock(_layout(Source.UNKNOWN, text), TODAY, BASE)
        assert "could not be changed" in note


def test_a_quoted_or_changed_date_is_not() -> None:
    assert not list(missed_clock(_layout(Source.PROJECT, "since 2026-03-09"), TODAY, BASE))
    assert not list(missed_clock(_layout(Source.UNKNOWN, "on 2026-03-10"), TODAY, BASE))
    assert not list(missed_clock(_layout(Source.UNKNOWN, "on 2026-03-09"), TODAY, TODAY))


def test_a_databases_clock_is_said_not_hidden(builder: MakeProject) -> None:
    project = builder(
        "import sqlite3\n"
        "def build():\n"
        "    day = sqlite3.connect(':memory:').execute(\"select date('now')\").fetchone()[0]\n"
        "    return f'Day {day}'\n"
    )
    _, report = project.json("report", "coder")
    assert any("today's real date" in note for note in report["notes"])
