"""One model, however a cloud or a router spells it."""

import pytest

from promptlint.cache.model_names import plain_name
from promptlint.cache.policies import policies, policy
from promptlint.cache.policy import Policy
from promptlint.cache.prices import NoPriceError, prices_for

OPUS = [
    "claude-opus-5-5",
    "claude-opus-5.5",
    "Claude-Opus-5.5",
    "anthropic/claude-opus-5.5",
    "openrouter/anthropic/claude-opus-5.5",
    "anthropic.claude-opus-5-5-v1:0",
    "us.anthropic.claude-opus-5-5-v1:0",
    "us-gov.anthropic.claude-opus-5-5-20260922-v1:0",
    "anthropic.claude-opus-5-5-v1",
    "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-5-5-v1:0:200k",
    "claude-opus-5-5@20260922",
    "claude-opus-5-5@default",
    "claude-opus-5-5-20260922",
    "claude-opus-5-5-latest",
    "claude-opus-5-5-20260922[1m]",
]


@pytest.mark.parametrize("name", OPUS)
def test_every_spelling_has_the_minimum_and_the_price(name: str) -> None:
    assert plain_name(name) == "claude-opus-5-5"
    assert policy("anthropic/messages").for_model(name).minimum == 512
    assert prices_for(name).input == prices_for("claude-opus-5-5").input


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("claude-3-5-haiku-20241022", "claude-haiku-3-5"),
        ("anthropic/claude-3.5-haiku", "claude-haiku-3-5"),
        ("google/gemini-2.5-flash", "gemini-2.5-flash"),
        ("models/gemini-2.5-flash-001", "gemini-2.5-flash"),
        ("gemini-3.1-pro-preview", "gemini-3.1-pro-preview"),
        ("gpt-4.1-2025-04-14", "gpt-4.1"),
        ("deepseek-v4", "deepseek-v4"),
        ("qwen3:8b", "qwen3:8b"),
        ("", ""),
    ],
)
def test_what_is_part_of_a_name_stays(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_a_dated_name_with_its_own_price_keeps_it() -> None:
    assert prices_for("gpt-4o-2024-05-13").input != prices_for("gpt-4o").input


def test_a_model_that_nobody_sells_has_no_price() -> None:
    with pytest.raises(NoPriceError, match=r"`us\.my-own-model@1`"):
        prices_for("us.my-own-model@1")


@pytest.mark.parametrize("cache", policies().values(), ids=lambda cache: cache.name)
def test_the_tables_of_minimums_are_written_in_plain_names(cache: Policy) -> None:
    assert [plain_name(name) for name in cache.minimums] == [*cache.minimums]
