from typing import Any

import pytest

from promptlint import registry
from promptlint.rule import Bad, Good, Rule, place_of

_HEADINGS = (
    "## What it does",
    "## Why it breaks the prefix",
    "## Example",
    "## Use instead",
    "## When to ignore",
    "## References",
)


def _bad() -> list[tuple[Rule[Any], Bad[Any]]]:
    return [(rule, example) for rule in registry.rules().values() for example in rule.bad]


def _good() -> list[tuple[Rule[Any], Good[Any]]]:
    return [(rule, example) for rule in registry.rules().values() for example in rule.good]


@pytest.mark.parametrize(("rule", "example"), _bad(), ids=lambda value: getattr(value, "name", ""))
def test_bad_examples_are_reported_where_they_say(rule: Rule[Any], example: Bad[Any]) -> None:
    findings = list(rule.run(example.given, example.options))
    assert tuple(map(place_of, findings)) == example.at
    assert {f.severity for f in findings} == {example.severity}
    assert all(f.rule == rule.name and f.message and f.advice for f in findings)


@pytest.mark.parametrize(("rule", "example"), _good(), ids=lambda value: getattr(value, "name", ""))
def test_good_examples_stay_silent(rule: Rule[Any], example: Good[Any]) -> None:
    assert list(rule.run(example.given, example.options)) == []


@pytest.mark.parametrize("name", registry.rules())
def test_every_rule_has_a_page_and_examples(name: str) -> None:
    page = registry.page(name)
    assert [line for line in page.splitlines() if line.startswith("## ")] == list(_HEADINGS)
    assert registry.rules()[name].bad
    assert registry.rules()[name].good


@pytest.mark.parametrize("name", registry.names())
def test_what_a_rule_reads_stands_in_its_file(name: str) -> None:
    rule = registry.rules()[name]
    assert registry.rules(reads=[rule.reads.__name__])[name] is rule
    assert name not in registry.rules(reads=["Nothing"])
