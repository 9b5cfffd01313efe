"""A parameter that the cache keeps apart is a break of the replay, where tokens are lost by it."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from promptlint.cache.policies import policy
from promptlint.cache.replay import Replay, replay
from promptlint.captures.read import CapturedRequest
from promptlint.models.embedded import embedded_model
from promptlint.models.hosted import hosted_model
from tests.captures.agent import Body, capture

LONG = "Read files before you change them. " * 300
MARK: Body = {"cache_control": {"type": "ephemeral"}}
AT = 4


def chat(number: int, **parameters: Any) -> Body:
    """Request `number` of a conversation at OpenAI, counted from 1."""
    messages: list[Body] = [{"role": "system", "content": LONG}]
    messages += [{"role": "user", "content": f"Question {n}. {LONG}"} for n in range(number)]
    return {"model": "gpt-4.1", "messages": messages, **parameters}


def anthropic(number: int, *, marked: bool = True, **parameters: Any) -> Body:
    """The same at Anthropic, with breakpoints behind the system text and at the end."""
    mark = MARK if marked else {}
    system = [{"type": "text", "text": LONG, **mark}]
    messages: list[Body] = []
    for n in range(number):
        end = mark if n == number - 1 else {}
        asked = [{"type": "text", "text": f"Question {n}. {LONG}", **end}]
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": "Yes."}]
    messages.pop()
    return {"model": "claude-opus-5-5", "system": system, "messages": messages, **parameters}


def session(body: Callable[..., Body], before: Body, after: Body) -> list[CapturedRequest]:
    """Six requests: from request 4 on with other parameters."""
    return capture(*(body(n, **(before if n < AT else after)) for n in range(1, 7)))


def replayed(captured: list[CapturedRequest], cache: str) -> Replay:
    return replay(captured, hosted_model(cache.partition("/")[0]), policy(cache))


def breaks(found: Replay) -> dict[int, Body]:
    """The breaks as they are written, by the number of their request."""
    turns = [turn.as_json() for turn in found.turns]
    written = {turn["index"]: turn["break"] for turn in turns if turn["break"]}
    assert found.total.breaks == len(written)
    return written


OPENAI, OPENAI_MARKED, ANTHROPIC = "openai/pre-5.6", "openai/5.6+", "anthropic/messages"
HIGH, JSON = {"reasoning_effort": "high"}, {"response_format": {"type": "json_object"}}
KEYS = ({"prompt_cache_key": "a"}, {"prompt_cache_key": "b"})


@pytest.mark.parametrize(
    ("cache", "before", "after", "reason"),
    [
        (OPENAI, {}, HIGH, "reasoning_effort_changed"),
        (OPENAI, {}, JSON, "text_format_changed"),
        (OPENAI, {}, {"text": {"verbosity": "low"}}, "text_format_changed"),
        (OPENAI, {}, {"model": "gpt-4.1-mini"}, "model_changed"),
        (OPENAI, {}, {**HIGH, "model": "gpt-4.1-mini"}, "model_changed"),
        (OPENAI_MARKED, *KEYS, "prompt_cache_key_changed"),
        (OPENAI_MARKED, {}, {"verbosity": "low"}, "verbosity_changed"),
        (OPENAI_MARKED, {}, {"service_tier": "flex"}, "service_tier_changed"),
        (ANTHROPIC, {}, {"speed": "fast"}, "model_changed"),
        (ANTHROPIC, {}, {"model": "claude-sonnet-5-5"}, "model_changed"),
    ],
)
def test_what_is_in_the_key_of_the_cache_loses_all(
    cache: str, before: Body, after: Body, reason: str
) -> None:
    body = anthropic if cache == ANTHROPIC else chat
    found = replayed(session(body, before, after), cache)
    (broken,) = breaks(found).values()
    turn = found.turns[AT - 1]
    assert turn.prediction.read.high == 0
    assert (broken["cause"], broken["reason"]) == ("parameters-changed", reason)
    assert set(broken["parameters"]) == {*before, *after}
    assert (broken["token"], broken["message"]) == (0, None)
    assert broken["lost_tokens"] == turn.turn.common_prefix
    assert turn.turn.divergence is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"tool_choice": {"type": "auto"}}, {"tool_choice": {"type": "any"}}),
        ({}, {"thinking": {"type": "enabled", "budget_tokens": 1024}}),
    ],
)
def test_at_anthropic_some_lose_the_messages_alone(before: Body, after: Body) -> None:
    found = replayed(session(anthropic, before, after), ANTHROPIC)
    assert list(breaks(found)) == [AT]
    broken, turn = breaks(found)[AT], found.turns[AT - 1]
    assert (broken["part"], broken["reason"]) == ("messages", "unavailable")
    assert broken["parameters"] == [*after]
    assert turn.prediction.read.high <= broken["token"] < turn.prediction.read.high + 10
    assert broken["lost_tokens"] == turn.turn.common_prefix - broken["token"]


def test_the_values_before_and_after_are_shown() -> None:
    broken = breaks(replayed(session(chat, {}, HIGH), OPENAI))[AT]
    assert broken["before"] == "reasoning_effort=null"
    assert broken["after"] == 'reasoning_effort="high"'


def test_a_key_among_the_values_is_masked() -> None:
    first, second = ({"prompt_cache_key": f"sk-ant-{letter * 40}"} for letter in "ab")
    broken = breaks(replayed(session(chat, first, second), OPENAI_MARKED))[AT]
    assert broken["before"] == broken["after"] == 'prompt_cache_key="sk-a…"'


@pytest.mark.parametrize(
    ("cache", "before", "after"),
    [
        (OPENAI, {}, {"temperature": 0.5}),
        (OPENAI, {"tool_choice": "auto"}, {"tool_choice": "required"}),
        (OPENAI, *KEYS),
        (ANTHROPIC, {}, {"service_tier": "flex"}),
        ("engine/vllm", {}, HIGH),
        ("google/gemini-explicit", {}, {"model": "gpt-4.1-mini"}),
    ],
)
def test_a_parameter_that_the_cache_does_not_look_at_is_no_break(
    cache: str, before: Body, after: Body
) -> None:
    body = anthropic if cache == ANTHROPIC else chat
    captured = session(body, before, after)
    assert breaks(replay(captured, embedded_model(), policy(cache))) == {}


def test_nothing_is_lost_where_nothing_was_stored() -> None:
    speed: Body = {"speed": "fast", "marked": False}
    unmarked = session(anthropic, {"marked": False}, speed)
    assert breaks(replayed(unmarked, ANTHROPIC)) == {}


def test_nothing_is_lost_that_had_expired() -> None:
    captured = session(chat, {}, HIGH)
    late = [replace(c, time=n * 100_000.0) for n, c in enumerate(captured)]
    soon = [replace(c, time=n * 10.0) for n, c in enumerate(captured)]
    assert breaks(replayed(late, OPENAI)) == {}
    assert list(breaks(replayed(soon, OPENAI))) == [AT]


def test_going_back_and_forth_loses_what_came_in_between() -> None:
    efforts = ["low", "high", "low", "high"]
    captured = capture(*(chat(n, reasoning_effort=e) for n, e in enumerate(efforts, start=1)))
    found = replayed(captured, OPENAI)
    assert list(breaks(found)) == [2, 3, 4]
    for number in (3, 4):
        broken, turn = breaks(found)[number], found.turns[number - 1]
        assert broken["token"] == turn.prediction.read.high > 0
        assert broken["lost_tokens"] == turn.turn.common_prefix - broken["token"]


def test_text_that_parts_in_front_is_the_break() -> None:
    captured = session(anthropic, {}, {"tool_choice": {"type": "any"}})
    other = [{"type": "text", "text": f"Be brief. {LONG}", **MARK}]
    bodies: list[Body] = [dict(c.body) for c in captured]
    for body in bodies[AT - 1 :]:
        body["system"] = other
    broken = breaks(replayed(capture(*bodies), ANTHROPIC))[AT]
    assert (broken["cause"], broken["part"]) == ("content-changed", "system")
    assert broken["parameters"] == []


def test_a_key_that_changes_loses_what_stands_in_front_of_other_text() -> None:
    captured = session(chat, {}, HIGH)
    bodies: list[Body] = [dict(c.body) for c in captured]
    for body in bodies[AT - 1 :]:
        body["messages"] = [*body["messages"][:2], *body["messages"][3:]]
    broken = breaks(replayed(capture(*bodies), OPENAI))[AT]
    assert (broken["cause"], broken["token"]) == ("parameters-changed", 0)
