"""The table of every template is what the templates do today."""

import pytest

from promptlint.probes.template_facts import template_facts
from promptlint.templates import TemplateError
from tests.probes.corpus import (
    DOCUMENT,
    TABLE,
    Row,
    as_table,
    content_loss,
    corpus_model,
    document,
    measured,
    read_table,
    totals,
)


@pytest.fixture(scope="module")
def table() -> dict[str, Row]:
    return {row["template"]: row for row in read_table()}


def test_the_table_and_its_totals_are_not_stale() -> None:
    rows = measured()

    assert as_table(rows) == TABLE.read_text("utf-8"), "run python -m tests.probes.corpus"
    assert document(rows) == DOCUMENT.read_text("utf-8"), "run python -m tests.probes.corpus"


def test_the_totals_add_up(table: dict[str, Row]) -> None:
    found = dict(totals(list(table.values())))

    assert found["templates of the package"] == 786
    printing = found["print tools (the lines below are about these)"]
    for group in ("tools ", "system text ", "second system message ", "call arguments as text"):
        assert sum(n for what, n in found.items() if what.startswith(group)) == printing
    assert printing == sum(
        found[what]
        for what in (
            "each request extends the one before",
            "lose marks behind the last message only",
            "lose earlier text",
        )
    )


def test_most_templates_that_lose_text_drop_reasoning(table: dict[str, Row]) -> None:
    found = dict(totals(list(table.values())))

    assert found["drop reasoning at a new user message"] > 0.9 * found["lose earlier text"]


def test_no_template_prints_more_than_a_date(table: dict[str, Row]) -> None:
    fine = ("%H", "%I", "%M", "%S", "%T", "%c", "%X", "%R", "%s")
    dates = [row["dates"] for row in table.values() if row["dates"]]

    assert len(dates) > 40
    assert not [date for date in dates if any(directive in date for directive in fine)]


def test_a_switch_is_only_named_where_something_is_lost(table: dict[str, Row]) -> None:
    cured = [row for row in table.values() if "[" in row["breaks"]]

    assert cured
    assert all(content_loss(row) for row in cured)


@pytest.mark.parametrize("name", ["Kimi-K2-Instruct", "Kimi-K2-Thinking"])
def test_templates_that_transformers_cannot_render(name: str) -> None:
    with pytest.raises(TemplateError, match="the sandbox forbids it: access to attribute 'append'"):
        template_facts(corpus_model(name))
