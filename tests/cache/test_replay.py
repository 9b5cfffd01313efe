"""Captured requests under a policy, and what they would have cost otherwise."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from itertools import accumulate
from typing import Any

import pytest
from msgspec.structs import replace

from promptlint.bodies import request_from_body
from promptlint.cache.policies import policies, policy
from promptlint.cache.replay import Replay, replay
from promptlint.cache.token_range import TokenRange
from promptlint.cache.what_if import (
    WhatIfError,
    marked_after_stable,
    ordered_best,
    system_frozen,
    system_refreshed,
)
from promptlint.cache.what_if import memory_refreshed as noted
from promptlint.captures.causes import Cause
from promptlint.captures.read import CapturedRequest
from promptlint.layout import Part
from promptlint.models.embedded import embedded_model
from promptlint.models.hosted import hosted_model
from promptlint.request import Block
from tests.captures.agent import BASE, MEMORY, Agent, Body, capture, tool

MODEL = embedded_model()
HOSTED = hosted_model("anthropic")
MLX = policy("engine/mlx_lm.server")
ANTHROPIC = policy("anthropic/messages")
NOTE = "\n- The staging database is called atlas."


def session(turns: int = 6) -> list[CapturedRequest]:
    """An agent that calls a tool between its requests."""
    agent = Agent()
    for _ in range(turns):
        agent.send()
        agent.call(result="line of a file\n" * 40)
    return capture(*agent.sent)


def anthropic_session(turns: int = 4, model: str = "claude-opus-5-5") -> list[CapturedRequest]:
    """The same at Anthropic, with automatic caching and a memory at the end of the system text."""
    tools = [
        {"name": f"tool_{n}", "description": "It does one thing. " * 20, "input_schema": {}}
        for n in range(8)
    ]
    messages: list[Body] = [{"role": "user", "content": "Rename it."}]
    bodies: list[Body] = []
    for turn in range(turns):
        bodies.append(
            {
                "model": model,
                "system": f"{BASE}\n{MEMORY}",
                "tools": tools,
                "messages": list(messages),
                "cache_control": {"type": "ephemeral"},
            }
        )
        messages.append({"role": "assistant", "content": f"I renamed file {turn}."})
        messages.append({"role": "user", "content": "Go on with the next one. " * 10})
    return capture(*bodies)


def reads(found: Replay) -> list[int]:
    assert all(turn.prediction.read.known for turn in found.turns)
    return [turn.prediction.read.low for turn in found.turns]


def memory_refreshed(captured: Sequence[CapturedRequest], turn: int) -> list[CapturedRequest]:
    return list(system_refreshed(captured, turn, lambda text: text + NOTE))


def test_a_session_that_only_grows_reads_its_previous_prompt() -> None:
    found = replay(session(), MODEL, MLX)
    lengths = [turn.prediction.tokens for turn in found.turns]
    for read, previous in zip(reads(found)[1:], lengths, strict=False):
        assert previous - 2 <= read <= previous
    assert found.total.breaks == 0


def test_a_memory_refresh_loses_everything_behind_it() -> None:
    kept = replay(session(), MODEL, MLX)
    refreshed = replay(memory_refreshed(session(), 4), MODEL, MLX)
    assert reads(refreshed)[:3] == reads(kept)[:3]
    turn = refreshed.turns[3]
    broken = turn.turn.divergence
    assert broken is not None
    assert (broken.cause, broken.part, broken.source) == (
        Cause.CONTENT_CHANGED,
        Part.SYSTEM,
        "memory",
    )
    assert turn.prediction.read.low == broken.token == turn.turn.common_prefix < 60
    assert [t.turn.divergence is not None for t in refreshed.turns].count(True) == 1


def test_a_frozen_system_text_undoes_the_refresh() -> None:
    refreshed = memory_refreshed(session(), 4)
    frozen = replay(system_frozen(refreshed), MODEL, MLX)
    assert reads(frozen) == reads(replay(session(), MODEL, MLX))
    assert frozen.total.breaks == 0


def test_the_later_the_refresh_the_dearer() -> None:
    def uncached(turn: int) -> int:
        return replay(memory_refreshed(session(), turn), MODEL, MLX).total.uncached.low

    assert uncached(2) < uncached(4) < uncached(6)


def test_anthropic_reads_nothing_after_a_refresh_without_a_mark() -> None:
    kept = replay(anthropic_session(), HOSTED, ANTHROPIC)
    refreshed = replay(memory_refreshed(anthropic_session(), 3), HOSTED, ANTHROPIC)
    assert reads(kept)[2] == kept.turns[1].prediction.tokens
    assert reads(refreshed)[2] == 0
    assert refreshed.turns[2].prediction.write.low == refreshed.turns[2].prediction.tokens


HIDDEN: list[Body] = [
    {"type": "redacted_thinking", "data": "EEEE"},
    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Notes."}},
]
SCREENSHOT: Body = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"},
}


def anthropic_session_with(part: Body) -> list[CapturedRequest]:
    """Its first answer holds a part that is no text, and every later request repeats it."""
    bodies: list[Body] = [json.loads(json.dumps(dict(c.body))) for c in anthropic_session()]
    for body in bodies[1:]:
        said = body["messages"][1]
        said["content"] = [part, {"type": "text", "text": said["content"]}]
    return capture(*bodies)


@pytest.mark.parametrize("part", HIDDEN, ids=lambda part: part["type"])
def test_what_is_no_text_is_no_image(part: Body) -> None:
    found = replay(anthropic_session_with(part), HOSTED, ANTHROPIC)
    lengths = [turn.prediction.tokens for turn in found.turns]
    assert reads(found) == [0, *lengths[:-1]]


def test_the_first_image_costs_the_messages_at_anthropic() -> None:
    found = replay(anthropic_session_with(SCREENSHOT), HOSTED, ANTHROPIC)
    lengths = [turn.prediction.tokens for turn in found.turns]
    assert reads(found) == [0, 0, *lengths[1:-1]]


def test_a_mark_after_the_stable_part_keeps_it() -> None:
    refreshed = memory_refreshed(anthropic_session(), 3)
    marked = replay(marked_after_stable(refreshed), HOSTED, ANTHROPIC)
    plain = replay(refreshed, HOSTED, ANTHROPIC)
    for cut, whole in zip(marked.turns, plain.turns, strict=True):
        # Two blocks may have one token more than one: nobody knows the provider's own.
        assert 0 <= cut.prediction.tokens - whole.prediction.tokens <= 1
    (mark,) = marked.turns[2].turn.marks
    assert reads(marked)[2] == mark.end > ANTHROPIC.for_model("claude-opus-5-5").minimum
    assert marked.total.cost is not None
    assert plain.total.cost is not None
    assert marked.total.cost.low < plain.total.cost.low


def test_a_mark_does_not_change_the_prompt() -> None:
    captured = memory_refreshed(session(), 3)
    for before, after in zip(captured, marked_after_stable(captured), strict=True):
        assert before.request.system_text == after.request.system_text
        assert any(block.mark == "" for block in after.request.system)


def test_a_system_text_that_never_moves_is_marked_at_its_end() -> None:
    for marked in marked_after_stable(session()):
        assert [block.mark for block in marked.request.system] == [""]


def test_a_system_text_that_moves_at_once_is_left_alone() -> None:
    captured = system_refreshed(session(), 3, lambda text: "Now: " + text)
    for marked in marked_after_stable(captured):
        assert all(block.mark is None for block in marked.request.system)


def test_the_best_order_has_first_what_changes_least() -> None:
    def moving(turn: int) -> str:
        notes = "\n- The tests are run with tox." if turn >= 3 else ""
        return f"It is 10:0{turn} now.\n{BASE}\n\n{MEMORY}{notes}\n\n# AGENTS.md\n- Use ruff."

    agent = Agent()
    for turn in range(1, 5):
        agent.system = moving(turn)
        agent.send()
        agent.call()
    captured = capture(*agent.sent)
    ordered = ordered_best(captured)
    texts = [item.request.system_text for item in ordered]
    for turn, (text, item) in enumerate(zip(texts, captured, strict=True), start=1):
        assert text.startswith(f"{BASE}\n\n# AGENTS.md\n- Use ruff.\n\n{MEMORY}")
        assert text.endswith(f"It is 10:0{turn} now.")
        assert sorted(text.split()) == sorted(item.request.system_text.split())
    assert replay(ordered, MODEL, MLX).total.read.low > replay(captured, MODEL, MLX).total.read.low


def test_the_best_order_of_blocks_moves_their_breakpoints_along() -> None:
    captured = []
    for turn, item in enumerate(anthropic_session(3)):
        clock = Block(f"It is 10:0{turn} now.")
        blocks = (clock, *(replace(block, mark="") for block in item.request.system))
        captured.append(replace(item, request=replace(item.request, system=blocks)))
    ordered = ordered_best(captured)
    for turn, item in enumerate(ordered):
        assert [(block.text, block.mark) for block in item.request.system] == [
            (f"{BASE}\n{MEMORY}", ""),
            (f"It is 10:0{turn} now.", None),
        ]
    assert reads(replay(captured, HOSTED, ANTHROPIC))[1:] == [0, 0]
    assert min(reads(replay(ordered, HOSTED, ANTHROPIC))[1:]) > 512


@pytest.mark.parametrize(
    "change", [lambda text: text, lambda text: f"{text}{NOTE}", lambda text: f"{text}\n"]
)
def test_what_is_in_the_best_order_stays_as_it_is(change: Callable[[str], str]) -> None:
    captured = system_refreshed(session(), 3, change)
    assert [c.request for c in ordered_best(captured)] == [c.request for c in captured]


@pytest.mark.parametrize(
    ("turn", "system", "cause"),
    [
        (0, MEMORY, "there is no turn 0: the longest conversation has 2"),
        (3, MEMORY, "there is no turn 3: the longest conversation has 2"),
        (2, None, "no request from turn 2 on has a system text"),
    ],
)
def test_a_refresh_that_cannot_be_is_refused(turn: int, system: str | None, cause: str) -> None:
    agent = Agent()
    agent.system = system
    agent.send()
    agent.call()
    agent.send()
    with pytest.raises(WhatIfError, match=cause):
        noted(capture(*agent.sent), turn)


def test_another_model_caches_nothing_below_its_minimum() -> None:
    haiku = replay(anthropic_session(model="claude-haiku-4-5"), HOSTED, ANTHROPIC)
    assert haiku.turns[-1].prediction.tokens < 4096
    assert set(reads(haiku)) == {0}
    assert haiku.total.write == TokenRange.of(0)


def test_a_model_that_comes_later_has_its_own_cache_and_minimum() -> None:
    opus = anthropic_session(turns=6)
    haiku = anthropic_session(turns=6, model="claude-haiku-4-5")
    older = anthropic_session(turns=6, model="claude-opus-5")
    found = replay([*opus[:3], *haiku[3:]], HOSTED, ANTHROPIC)
    assert reads(found)[:3] == reads(replay(opus, HOSTED, ANTHROPIC))[:3]
    assert reads(found)[3:] == [0, 0, 0]
    assert all(turn.prediction.write == TokenRange.of(0) for turn in found.turns[3:])
    back = replay([*haiku[:3], *older[3:]], HOSTED, ANTHROPIC)
    assert [read > 512 for read in reads(back)] == [False] * 4 + [True, True]


@pytest.mark.parametrize(("day", "least"), [(date(2026, 6, 27), 4096), (date(2026, 8, 1), 1024)])
def test_the_minimum_is_that_of_the_day_of_each_request(day: date, least: int) -> None:
    captured = anthropic_session(turns=4, model="claude-opus-4-8")
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp()
    timed = [replace(item, time=noon + n) for n, item in enumerate(captured)]
    found = replay(timed, HOSTED, ANTHROPIC)
    longest = max(turn.prediction.write.high for turn in found.turns)
    assert (longest >= 1024) is (least == 1024)


def test_the_minimum_is_that_of_the_model_to_which_most_was_sent() -> None:
    title: Body = {"model": "claude-haiku-4-5", "system": "Write a title.", "messages": []}
    captured = [*capture(title), *anthropic_session()]
    assert reads(replay(captured, HOSTED, ANTHROPIC))[1:] == reads(
        replay(anthropic_session(), HOSTED, ANTHROPIC)
    )


def test_costs_name_the_day_of_their_prices() -> None:
    found = replay(anthropic_session(), HOSTED, ANTHROPIC)
    cost = found.turns[0].as_json()["cost"]
    assert cost["prices_since"] == "2026-09-22"
    tokens = found.turns[0].prediction.tokens
    assert cost["usd"] == pytest.approx(tokens * 5.0 / 1_000_000)


def test_each_request_is_priced_at_its_time_and_by_its_own_model() -> None:
    sent = datetime(2026, 11, 29, tzinfo=UTC).timestamp()
    opus = replace(anthropic_session(turns=1)[0], time=sent)
    haiku = replace(anthropic_session(turns=1, model="claude-haiku-4-5")[0], time=sent + 1)
    found = replay([opus, haiku], HOSTED, ANTHROPIC)
    costs = [turn.cost.since if turn.cost else None for turn in found.turns]
    assert costs == [date(2026, 9, 22), date(2025, 11, 23)]
    as_haiku = replay([opus], HOSTED, ANTHROPIC, priced_as="claude-haiku-4-5").turns[0]
    assert as_haiku.cost is not None
    assert as_haiku.cost.low < 0.002


def test_an_unknown_model_has_no_cost_and_says_so() -> None:
    found = replay(anthropic_session(model="my-own-model"), HOSTED, ANTHROPIC)
    assert found.total.cost is None
    assert "no cost: no price is known for the model `my-own-model`" in found.notes
    assert any("shortest cached prefix is not known" in note for note in found.notes)


def test_an_engine_of_ones_own_has_no_prices() -> None:
    found = replay(session(), MODEL, MLX)
    assert found.turns[0].cost is None
    assert not any("no cost" in note for note in found.notes)


def test_hosted_counts_are_said_to_be_estimates() -> None:
    assert any("estimates" in note for note in replay(session(1), HOSTED, ANTHROPIC).notes)
    assert not any("estimates" in note for note in replay(session(1), MODEL, MLX).notes)


def test_a_parameter_that_destroys_the_messages_keeps_the_tools() -> None:
    captured = anthropic_session(turns=3)
    body = {**captured[2].body, "tool_choice": {"type": "any"}}
    changed = [*captured[:2], replace(captured[2], body=body)]
    assert reads(replay(changed, HOSTED, ANTHROPIC))[2] == 0

    def marked(item: CapturedRequest) -> CapturedRequest:
        return replace(
            item,
            request=replace(item.request, system=(replace(item.request.system[0], mark=""),)),
        )

    with_mark = replay([marked(item) for item in changed], HOSTED, ANTHROPIC)
    assert reads(with_mark)[2] == with_mark.turns[2].turn.marks[0].end > 512


def test_the_first_image_destroys_the_messages() -> None:
    captured = anthropic_session(4)
    before = reads(replay(captured, HOSTED, ANTHROPIC))
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    image = {"role": "user", "content": [{"type": "image", "source": source}]}
    messages: Any = captured[3].body["messages"]
    body: Body = {**captured[3].body, "messages": [*messages, image]}
    seen = replace(captured[3], request=request_from_body(body), body=body)
    after = reads(replay([*captured[:3], seen], HOSTED, ANTHROPIC))
    assert after[:3] == before[:3]
    assert after[3] < before[3]


@pytest.mark.parametrize(
    ("name", "parameter", "values"),
    [
        ("openai/pre-5.6", "reasoning", ({"effort": "low"}, {"effort": "high"})),
        ("openai/5.6+", "reasoning_effort", ("low", "high")),
        ("openai/5.6+", "response_format", (None, {"type": "json_object"})),
    ],
)
def test_a_parameter_that_openai_counts_in_is_another_cache(
    name: str, parameter: str, values: tuple[Any, Any]
) -> None:
    def sent(*given: Any) -> list[CapturedRequest]:
        bodies = zip(session(6), given, strict=True)
        return capture(*({**item.body, parameter: value} for item, value in bodies))

    one, other = values
    rules, model = policy(name), hosted_model("openai")
    assert reads(replay(sent(*[one] * 6), model, rules))[5] > 0
    assert reads(replay(sent(*[one] * 5, other), model, rules))[5] == 0


def test_another_model_name_is_another_cache() -> None:
    captured = anthropic_session(turns=3)
    body = {**captured[2].body, "model": "claude-opus-5"}
    other = replace(captured[2], body=body, request=request_from_body(body))
    assert reads(replay([*captured[:2], other], HOSTED, ANTHROPIC))[2] == 0


@pytest.mark.parametrize(("later", "finds"), [("opus", True), ("haiku", False)])
def test_a_model_is_another_one_whatever_its_field_is_called(later: str, finds: bool) -> None:
    system = [{"text": f"{BASE} " * 100}, {"cachePoint": {"type": "default"}}]
    content = [{"text": "Hi."}]
    bodies = [
        {"modelId": m, "system": system, "messages": [{"role": "user", "content": content}]}
        for m in ("opus", later)
    ]
    found = replay(capture(*bodies), HOSTED, policy("anthropic/bedrock-converse"))
    assert (reads(found)[1] > 0) is finds


def test_measured_usage_stands_beside_the_prediction() -> None:
    usage: Body = {"prompt_tokens": 200, "prompt_tokens_details": {"cached_tokens": 150}}
    first, second = session(2)
    broken = replace(second, usage={"prompt_tokens": "many"})
    found = replay([replace(first, usage=usage), broken], MODEL, MLX)
    assert found.turns[0].as_json()["measured"] == {
        "tokens": 200,
        "read": 150,
        "write": 0,
        "uncached": 50,
    }
    assert found.turns[1].measured is None
    assert any(note.startswith("log.jsonl:2: the usage field") for note in found.notes)


def test_the_tokens_of_an_answer_are_paid_where_they_are_known() -> None:
    captured = anthropic_session(turns=1)
    usage = {"input_tokens": 5, "output_tokens": 1_000}
    without = replay(captured, HOSTED, ANTHROPIC).turns[0].cost
    with_answer = replay([replace(captured[0], usage=usage)], HOSTED, ANTHROPIC).turns[0].cost
    assert without is not None
    assert with_answer is not None
    assert with_answer.low - without.low == pytest.approx(0.02)


def test_an_idle_gap_is_a_cold_cache() -> None:
    captured = anthropic_session(turns=3)
    start = datetime(2026, 11, 29, tzinfo=UTC).timestamp()
    times = [start, start + 60, start + 60 + 301]
    timed = [replace(c, time=time) for c, time in zip(captured, times, strict=True)]
    assert reads(replay(timed, HOSTED, ANTHROPIC))[1:] == [
        reads(replay(captured, HOSTED, ANTHROPIC))[1],
        0,
    ]


def asked(captured: Sequence[CapturedRequest], **fields: Any) -> list[CapturedRequest]:
    """The same requests, ten minutes apart, with more fields in their bodies."""
    bodies = [{**item.body, **fields} for item in captured]
    start = datetime(2026, 11, 29, tzinfo=UTC).timestamp()
    return [replace(c, time=start + 600 * n) for n, c in enumerate(capture(*bodies))]


@pytest.mark.parametrize(
    ("name", "fields", "finds"),
    [
        ("anthropic/messages", {"cache_control": {"type": "ephemeral"}}, False),
        ("anthropic/messages", {"cache_control": {"type": "ephemeral", "ttl": "1h"}}, True),
        ("anthropic/messages", {"cache_control": {"type": "ephemeral", "ttl": "9h"}}, False),
        ("moonshot/kimi-open-platform", {}, False),
        ("moonshot/kimi-open-platform", {"prompt_cache_options": {"ttl": "1h"}}, True),
    ],
)
def test_the_lifetime_that_a_body_names_counts(
    name: str, fields: dict[str, Any], finds: bool
) -> None:
    found = replay(asked(anthropic_session(turns=2), **fields), HOSTED, policy(name))
    assert (found.turns[1].prediction.read.low > 0) is finds
    lifetimes = {part.lifetime for turn in found.turns for part in turn.prediction.writes}
    assert lifetimes == {"1h" if finds else "5m"}


@pytest.mark.parametrize(
    ("lifetime", "hours", "sure"), [("30m", 1, 0), ("12h", 1, 1), ("12h", 13, 0)]
)
def test_openai_keeps_for_twelve_hours_what_asks_for_it(
    lifetime: str, hours: int, sure: int
) -> None:
    captured = anthropic_session(turns=3)[1:]
    first, second = asked(captured, prompt_cache_options={"ttl": lifetime})
    assert first.time is not None
    later = replace(second, time=first.time + 3600 * hours)
    found = replay([first, later], HOSTED, policy("openai/5.6+"))
    assert found.turns[1].prediction.read.low == sure * found.turns[0].prediction.tokens


@pytest.mark.parametrize("name", policies())
def test_every_policy_can_be_replayed(name: str) -> None:
    captured = [*session(3), *anthropic_session(2)]
    found = replay(captured, MODEL, policy(name))
    written = found.as_json()
    assert written["version"] == 1
    assert len(written["turns"]) == len(captured)
    for turn in found.turns:
        p = turn.prediction
        assert p.read.low + p.write.high + p.uncached.high == p.tokens
    total: dict[str, Any] = written["total"]
    assert total["tokens"] == list(accumulate(t.prediction.tokens for t in found.turns))[-1]


def test_a_break_is_written_as_people_read_it() -> None:
    agent = Agent()
    agent.send()
    agent.tools.append(tool("browser"))
    agent.call()
    agent.send()
    turn = replay(capture(*agent.sent), MODEL, MLX).turns[1].as_json()
    assert (turn["index"], turn["path"], turn["line"]) == (2, "log.jsonl", 2)
    broken = turn["break"]
    assert (broken["cause"], broken["part"], broken["source"]) == ("tools-added", "tools", "tools")
    assert broken["reason"] == "tools_changed"
    assert broken["token"] == turn["common_prefix"] == turn["read"]


def test_an_engine_does_not_see_what_it_makes_equal() -> None:
    agent = Agent()
    agent.send()
    agent.tools = [
        {"function": dict(reversed(t["function"].items())), "type": "function"} for t in agent.tools
    ]
    agent.call()
    agent.send()
    captured = capture(*agent.sent)
    assert replay(captured, MODEL, MLX).total.breaks == 1
    assert replay(captured, MODEL, policy("engine/vllm")).total.breaks == 0
