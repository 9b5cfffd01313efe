from datetime import date

import pytest

from promptlint.cache.policies import PolicyError, load_policies, policies, policy
from promptlint.cache.policy import Certainty, Normalisation, StoreKind

NAMES = [
    "anthropic/messages",
    "anthropic/bedrock-converse",
    "anthropic/vertex",
    "openai/pre-5.6",
    "openai/5.6+",
    "azure/openai",
    "google/gemini-implicit",
    "google/gemini-explicit",
    "deepseek/v4",
    "deepseek/before-v4",
    "qwen/dashscope-implicit",
    "qwen/dashscope-explicit",
    "moonshot/kimi-open-platform",
    "moonshot/kimi-coding-endpoint",
    "zhipu/glm",
    "minimax/passive",
    "minimax/anthropic-compatible",
    "xai/grok",
    "mistral",
    "groq",
    "fireworks",
    "together",
    "openrouter",
    "engine/vllm",
    "engine/sglang",
    "engine/tensorrt-llm",
    "engine/llama.cpp-server",
    "engine/mlx_lm.server",
    "engine/ollama",
    "engine/lmdeploy",
    "engine/ktransformers",
    "engine/lm-studio",
]

SMALL = """
[base]
match = "any"
store = "prefix-tree"
certainty = "exact"
evidence = [{ source = "a test", date = "2026-11-29" }]
"""


@pytest.mark.parametrize("name", NAMES)
def test_every_provider_and_engine_has_a_policy(name: str) -> None:
    assert policy(name).name == name


@pytest.mark.parametrize("name", policies())
def test_every_policy_is_usable(name: str) -> None:
    rules = policy(name)
    assert rules.evidence
    assert all(entry.source and entry.date for entry in rules.evidence)
    assert rules.default_lifetime is None or rules.default_lifetime in rules.lifetimes
    assert rules.usage.prompt or rules.certainty is Certainty.UNKNOWN
    if rules.store is StoreKind.PREFIX_TREE and rules.block is None:
        assert rules.certainty is Certainty.AT_MOST, "an unpublished step cannot give a point"


@pytest.mark.parametrize(
    ("model", "on", "tokens"),
    [
        ("claude-opus-5-5", None, 512),
        ("anthropic/claude-haiku-4-5-20251001", None, 4096),
        ("claude-opus-4-8", date(2026, 6, 27), 4096),
        ("claude-opus-4-8", date(2026, 7, 28), 1024),
        ("claude-opus-4-8[1m]", None, 1024),
        ("claude-sonnet-4-6", date(2026, 1, 1), 2048),
        ("an-unknown-model", None, 1024),
    ],
)
def test_minimums_depend_on_the_model_and_the_day(model: str, on: date | None, tokens: int) -> None:
    assert policy("anthropic/messages").for_model(model, on).minimum == tokens


def test_an_unknown_model_has_no_published_minimum() -> None:
    assert policy("anthropic/messages").minimum_for("an-unknown-model") is None


def test_inheritance_keeps_what_is_not_said_again() -> None:
    bedrock, messages = policy("anthropic/bedrock-converse"), policy("anthropic/messages")
    assert bedrock.lookback == messages.lookback == 20
    assert bedrock.usage.read == ("cacheReadInputTokens",)


def test_engines_differ_in_what_they_make_equal() -> None:
    raw = policy("engine/mlx_lm.server").normalises
    assert Normalisation.TOOLS_CANONICAL not in raw
    assert Normalisation.TOOLS_CANONICAL in policy("engine/vllm").normalises
    assert Normalisation.TOOL_FIELDS_DROPPED in policy("engine/llama.cpp-server").normalises


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[base", "policies: "),
        (SMALL + "blok = 3", "policy `base`: unknown field `blok`; did you mean `block`?"),
        (SMALL.replace('"any"', '"all"'), "policy `base`: 'all' is not a valid Match"),
        (SMALL.replace('match = "any"', ""), "policy `base`: the field `match` is missing"),
        (SMALL + '[other]\ninherits = "bse"', "inherits from `bse`, which does not exist"),
        ('[a]\ninherits = "b"\n[b]\ninherits = "a"', "policy `a`: it inherits from itself"),
        (SMALL + "[base.lifetimes]\n5m = { second = 3 }", "policy `base`: "),
    ],
)
def test_a_bad_policy_file_is_named_in_one_line(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load_policies(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mistyped_policy_is_told_the_nearest() -> None:
    with pytest.raises(PolicyError, match="did you mean `anthropic/messages`"):
        policy("antropic/message")
