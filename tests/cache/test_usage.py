from typing import Any

import pytest

from promptlint.cache.policies import policy
from promptlint.cache.usage import Usage, UsageError, read_usage, reports_writes


@pytest.mark.parametrize(
    ("name", "usage", "expected"),
    [
        (
            "anthropic/messages",
            {
                "input_tokens": 3,
                "cache_read_input_tokens": 100,
                "cache_creation_input_tokens": 12_304,
                "cache_creation": {"ephemeral_1h_input_tokens": 304},
                "output_tokens": 550,
            },
            Usage(12_407, 100, 12_304, 304, 3, 550),
        ),
        (
            "anthropic/bedrock-converse",
            {"inputTokens": 3, "cacheReadInputTokens": 7, "cacheWriteInputTokens": 5},
            Usage(15, 7, 5, 0, 3, 0),
        ),
        (
            "openai/pre-5.6",
            {"prompt_tokens": 2006, "prompt_tokens_details": {"cached_tokens": 1920}},
            Usage(2006, 1920, 0, 0, 86, 0),
        ),
        (
            "openai/5.6+",
            {
                "input_tokens": 3000,
                "input_tokens_details": {
                    "cached_tokens": 2000,
                    "cache_write_tokens": 900,
                    "cache_write_tokens_details": {"ttl_12h_tokens": 400},
                },
                "output_tokens": 9,
            },
            Usage(3000, 2000, 900, 400, 100, 9),
        ),
        (
            "deepseek/v4",
            {"prompt_tokens": 700, "prompt_cache_hit_tokens": 640, "prompt_cache_miss_tokens": 60},
            Usage(700, 640, 0, 0, 60, 0),
        ),
        (
            "google/gemini-implicit",
            {"promptTokenCount": 5000, "cachedContentTokenCount": 4000, "candidatesTokenCount": 4},
            Usage(5000, 4000, 0, 0, 1000, 4),
        ),
        (
            "google/gemini-explicit",
            {"promptTokenCount": 5000, "candidatesTokenCount": 4, "thoughtsTokenCount": 300},
            Usage(5000, None, 0, 0, 5000, 304),
        ),
        (
            "moonshot/kimi-coding-endpoint",
            {"prompt_tokens": 300, "cached_tokens": 256},
            Usage(300, 256, 0, 0, 44, 0),
        ),
        ("engine/vllm", {"prompt_tokens": 300}, Usage(300, None, 0, 0, 300, 0)),
        (
            "engine/llama.cpp-server",
            {"prompt_tokens": 9, "prompt_tokens_details": None, "timings": {"cache_n": 8}},
            Usage(9, 8, 0, 0, 1, 0),
        ),
    ],
)
def test_every_provider_counts_in_its_own_way(
    name: str, usage: dict[str, Any], expected: Usage
) -> None:
    found = read_usage(policy(name), usage)
    assert found == expected
    assert found.tokens == (found.read or 0) + found.write + found.uncached


def test_only_anthropic_leaves_the_cached_tokens_out_of_the_prompt() -> None:
    """The trap of several gateways: the same three numbers are two different prompts."""
    counts = {"input_tokens": 200, "cache_read_input_tokens": 150}
    assert read_usage(policy("anthropic/messages"), counts).tokens == 350
    details: dict[str, Any] = {"input_tokens": 200, "input_tokens_details": {"cached_tokens": 150}}
    assert read_usage(policy("openai/5.6+"), details).tokens == 200


@pytest.mark.parametrize("name", ["anthropic/messages", "google/gemini-implicit"])
@pytest.mark.parametrize("form", ["chat", "responses"])
def test_a_router_counts_in_the_format_that_was_asked_in(name: str, form: str) -> None:
    prompt, answer = {
        "chat": ("prompt_tokens", "completion_tokens"),
        "responses": ("input_tokens", "output_tokens"),
    }[form]
    details = {"cached_tokens": 150, "cache_write_tokens": 30}
    usage: dict[str, Any] = {prompt: 200, f"{prompt}_details": details, answer: 9}
    assert read_usage(policy(name), usage) == Usage(200, 150, 30, 0, 20, 9)
    assert reports_writes(policy(name), usage)


@pytest.mark.parametrize(
    ("usage", "message"),
    [
        ({}, "has none of the fields prompt_tokens, input_tokens"),
        ({"prompt_tokens": "many"}, "`prompt_tokens` is 'many', not a number of tokens"),
        ({"prompt_tokens": -1}, "`prompt_tokens` is -1"),
        ({"prompt_tokens": True}, "`prompt_tokens` is True"),
        (
            {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 11}},
            "11 tokens read and written of a prompt of 10",
        ),
    ],
)
def test_usage_that_cannot_be_right_is_refused(usage: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_usage(policy("openai/pre-5.6"), usage)
    assert message in str(caught.value)
