import pytest

from promptlint.cache.defaults import cache_of_model, default_cache, mixed_cache_notes
from promptlint.cache.policies import policy
from promptlint.models.hosted import HOSTED
from tests.captures.agent import Body, capture

MESSAGES = [{"role": "user", "content": "Hi."}]


@pytest.mark.parametrize(
    ("body", "cache", "model"),
    [
        ({"system": "Be kind.", "messages": MESSAGES}, "anthropic/messages", "anthropic"),
        (
            {"messages": [{"role": "user", "content": [{"text": "Hi."}]}]},
            "anthropic/bedrock-converse",
            "anthropic",
        ),
        ({"contents": [{"parts": [{"text": "Hi."}]}]}, "google/gemini-implicit", "gemini"),
        ({"model": "gpt-5.6", "input": "Hi."}, "openai/5.6+", "openai"),
        ({"model": "gpt-6.1-mini", "messages": MESSAGES}, "openai/5.6+", "openai"),
        ({"model": "openai/gpt-5.1", "messages": MESSAGES}, "openai/pre-5.6", "openai"),
        ({"model": "gpt-4o", "messages": MESSAGES}, "openai/pre-5.6", "openai"),
        ({"model": "o3", "messages": MESSAGES}, "openai/pre-5.6", "openai"),
        ({"model": "gpt-oss-120b", "messages": MESSAGES}, "longest-common-prefix", None),
        ({"model": "qwen3", "messages": MESSAGES}, "longest-common-prefix", None),
        ({"model": "my/qwen3-claude", "messages": MESSAGES}, "longest-common-prefix", None),
        ({"model": "claude-opus-5-5", "messages": MESSAGES}, "anthropic/messages", "anthropic"),
        (
            {"model": "anthropic/claude-opus-5.5", "messages": MESSAGES},
            "anthropic/messages",
            "anthropic",
        ),
        ({"model": "anthropic/claude-opus-5.5", "input": "Hi."}, "anthropic/messages", "anthropic"),
        (
            {"model": "google/gemini-3.8-flash", "messages": MESSAGES},
            "google/gemini-implicit",
            "gemini",
        ),
        ({"messages": MESSAGES}, "longest-common-prefix", None),
    ],
)
def test_format_and_name_tell_the_cache(body: Body, cache: str, model: str | None) -> None:
    assert default_cache(capture(body)) == (cache, model)
    assert policy(cache).name == cache
    assert model is None or model in HOSTED


def _asked(text: str, **fields: object) -> Body:
    return {"messages": [{"role": "user", "content": text}], **fields}


@pytest.mark.parametrize(
    ("small", "large", "cache"),
    [
        (
            _asked("quota", model="claude-haiku-4-5"),
            _asked("Rename it.", model="claude-opus-5-5", system="Be careful."),
            ("anthropic/messages", "anthropic"),
        ),
        (
            _asked("Title?", model="gpt-5-nano"),
            _asked("Rename the option in all files.", model="gpt-5.6"),
            ("openai/5.6+", "openai"),
        ),
    ],
)
def test_a_small_request_in_front_does_not_decide(
    small: Body, large: Body, cache: tuple[str, str]
) -> None:
    assert default_cache(capture(small, large)) == cache
    assert default_cache(capture(large, small, small)) == cache


CLAUDE = {"model": "claude-opus-5-5", "system": "Be careful.", "tools": [{"name": "read"}]}
GPT = {"model": "gpt-4.1", "tools": [{"type": "function", "function": {"name": "look_up"}}]}


def test_requests_of_another_cache_are_counted() -> None:
    captured = capture(
        _asked("Rename it.", **CLAUDE),
        _asked("Where is it?", **GPT),
        _asked("Rename it.", **CLAUDE),
        _asked("Where is it?", **GPT),
    )
    assert mixed_cache_notes(captured, "anthropic/messages") == (
        "2 of 4 requests most likely met another cache (openai/pre-5.6): "
        "anthropic/messages is assumed for all, --cache chooses another one",
    )


def test_one_provider_and_titles_of_another_are_not_mentioned() -> None:
    rename = _asked("Rename it.", **CLAUDE)
    title = _asked("Rename it.", model="gpt-5-nano")
    assert mixed_cache_notes(capture(rename, rename), "anthropic/messages") == ()
    assert mixed_cache_notes(capture(rename, title, rename), "anthropic/messages") == ()


def test_nothing_captured_is_no_error() -> None:
    assert default_cache([]) == ("longest-common-prefix", None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude-haiku-4-5", ("anthropic/messages", "anthropic")),
        ("anthropic.claude-opus-5-5-v1:0", ("anthropic/messages", "anthropic")),
        ("anthropic", ("anthropic/messages", "anthropic")),
        ("gpt-5.1", ("openai/pre-5.6", "openai")),
        ("openai/gpt-5.6", ("openai/5.6+", "openai")),
        ("gemini-3.5-flash", ("google/gemini-implicit", "gemini")),
        ("deepseek-v4-flash", ("deepseek/v4", None)),
        ("kimi-k3", ("moonshot/kimi-open-platform", None)),
        ("deepseek-ai/DeepSeek-V3", None),
        ("Qwen/Qwen3-8B", None),
        ("gpt-oss-120b", None),
    ],
)
def test_a_name_tells_the_provider(name: str, expected: tuple[str, str | None] | None) -> None:
    assert cache_of_model(name) == expected
    assert expected is None or policy(expected[0]).name == expected[0]
