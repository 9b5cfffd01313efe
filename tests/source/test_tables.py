import re
from collections.abc import Iterator, Mapping

import pytest
from msgspec import Struct
from msgspec.structs import astuple

from promptlint.prompt_words import mentions_prompt
from promptlint.source.patterns import Pattern
from promptlint.source.tables import Switch, load_tables


def _patterns(value: object) -> Iterator[Pattern]:
    match value:
        case Pattern():
            yield value
        case Struct():
            yield from _patterns(astuple(value))
        case tuple():
            for item in value:
                yield from _patterns(item)
        case Mapping():
            yield from _patterns(tuple(value.values()))
        case _:
            pass


@pytest.mark.parametrize("pattern", [*_patterns(load_tables())], ids=lambda one: one.written[:40])
def test_every_shipped_pattern_is_a_regular_expression(pattern: Pattern) -> None:
    """They are compiled when they are first needed, which must be no bad surprise."""
    pattern.search("")


@pytest.mark.parametrize("switch", load_tables().switches, ids=lambda one: one.keyword or one.since)
def test_a_file_that_sets_a_switch_is_read(switch: Switch) -> None:
    written = [switch.keyword] if switch.keyword else re.findall(r"\w{5,}", switch.callee.written)
    assert written
    assert all(map(mentions_prompt, written))
