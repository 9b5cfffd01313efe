"""Where a session breaks, and the cause that is named, in every wire format."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from promptlint.cache.defaults import default_cache
from promptlint.captures.causes import Cause
from promptlint.captures.divergence import Divergence
from promptlint.captures.turns import read_turns
from promptlint.layout import Part
from promptlint.models.find import find_model
from tests.captures.agent import Agent, capture, tool
from tests.captures.planted import (
    LONG,
    PROJECT,
    answer_deleted,
    client,
    into_the_question,
    run,
    stripped,
)
from tests.captures.wire import FORMATS, Body, Client, Entry

AT = 5
Change = Callable[[Client], None]


def breaks(bodies: list[Body]) -> dict[int, Divergence]:
    """The divergences of captured requests by their number, under the model that they met."""
    captured = capture(*bodies)
    model = find_model(default_cache(captured)[1], base=Path())
    turns = [read.turn for read in read_turns(captured, model)]
    return {turn.index: turn.divergence for turn in turns if turn.divergence}


def changed(form: str, change: Change) -> Divergence:
    """The only break of a session in which something is changed before one request."""
    bodies = run(form, lambda agent, number: change(agent) if number == AT else None).sent
    found = breaks(bodies)
    assert list(found) == [AT]
    return found[AT]


def _question_repeated(agent: Client) -> None:
    agent.history.insert(1, agent.history[0])


def _question_inserted(agent: Client) -> None:
    agent.history.insert(1, Entry("user", "<context>open: a.py</context>"))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("change", [answer_deleted, _question_repeated, _question_inserted])
def test_a_message_that_comes_or_goes_is_a_break_of_the_history(form: str, change: Change) -> None:
    found = changed(form, change)
    assert (found.cause, found.part) == (Cause.HISTORY_REWRITTEN, Part.MESSAGES)
    assert (found.reason, found.by_template) == ("messages_changed", False)


@pytest.mark.parametrize("form", FORMATS)
def test_white_space_that_is_taken_off_the_end_of_a_message(form: str) -> None:
    found = breaks(run(form, stripped).sent)
    assert [(n, d.cause, d.message, d.by_template) for n, d in found.items()] == [
        (4, Cause.HISTORY_REWRITTEN, 0, False)
    ]


def test_a_developer_message_that_is_removed() -> None:
    agent = Agent()
    rule = {"role": "developer", "content": "Answer in one line."}
    agent.messages.insert(0, rule)
    agent.send()
    agent.messages.remove(rule)
    agent.call()
    agent.send()
    found = breaks(agent.sent)[2]
    assert (found.cause, found.part) == (Cause.HISTORY_REWRITTEN, Part.MESSAGES)


def _pairs_swapped(agent: Client) -> None:
    agent.history[1:5] = [*agent.history[3:5], *agent.history[1:3]]


@pytest.mark.parametrize("form", FORMATS)
def test_pairs_of_call_and_result_in_another_order(form: str) -> None:
    assert changed(form, _pairs_swapped).cause is Cause.REORDERED


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("swapped", [(1, 2), (3, 4)], ids=["calls", "results"])
def test_parallel_calls_and_results_in_another_order(form: str, swapped: tuple[int, int]) -> None:
    agent = client(form)
    agent.ask("Read both files.")
    for path in ("a.py", "b.py"):
        agent.history.append(Entry("call", arguments={"path": path}))
    agent.history += [Entry("result", f"{LONG}a"), Entry("result", f"{LONG}b")]
    agent.send()
    one, other = swapped
    agent.history[one], agent.history[other] = agent.history[other], agent.history[one]
    agent.call("more")
    agent.send()
    assert breaks(agent.sent)[2].cause is Cause.REORDERED


def _responses_reasoning(encrypted: bool) -> Body:
    reasoning = {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
    asked, said = {"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Yes."}
    return {"model": "gpt-5.1", "input": [asked, *([reasoning] if encrypted else []), said, asked]}


def _anthropic_reasoning(encrypted: bool) -> Body:
    thinking = [{"type": "redacted_thinking", "data": "gAAA"}] if encrypted else []
    said = {"role": "assistant", "content": [*thinking, {"type": "text", "text": "Yes."}]}
    asked = {"role": "user", "content": "Hi."}
    return {"system": "Be careful.", "messages": [asked, said, asked]}


@pytest.mark.parametrize("body", [_responses_reasoning, _anthropic_reasoning])
def test_reasoning_that_nobody_can_read_is_dropped(body: Callable[[bool], Body]) -> None:
    assert breaks([body(True), body(False)])[2].cause is Cause.REASONING_DROPPED


def _into_a_message(agent: Client) -> None:
    agent.history.insert(0, Entry("user", agent.system.pop()))


def _from_the_middle(agent: Client) -> None:
    agent.system.remove(PROJECT)
    agent.history.insert(0, Entry("user", PROJECT.strip()))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("change", [into_the_question, _into_a_message, _from_the_middle])
def test_system_text_that_becomes_a_message(form: str, change: Change) -> None:
    found = changed(form, change)
    assert (found.cause, found.by_template) == (Cause.SYSTEM_MOVED, False)
    assert found.lost_tokens > 0


def _without_tools(agent: Client, number: int) -> None:
    agent.tools = [] if number == AT else client(agent.form).tools


@pytest.mark.parametrize("form", FORMATS)
def test_tools_that_one_request_leaves_out(form: str) -> None:
    found = breaks(run(form, _without_tools).sent)
    assert [(n, d.cause, d.part) for n, d in found.items()] == [
        (AT, Cause.TOOLS_REMOVED, Part.TOOLS)
    ]


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ("anthropic", "system"),
        ("responses", "instructions"),
        ("gemini", "systemInstruction"),
    ],
)
def test_system_text_that_one_request_leaves_out(form: str, field: str) -> None:
    bodies = run(form, lambda agent, number: None).sent
    del bodies[AT - 1][field]
    found = breaks(bodies)
    assert [(n, d.cause, d.part) for n, d in found.items()] == [
        (AT, Cause.CONTENT_CHANGED, Part.SYSTEM)
    ]


def test_a_tool_that_is_added_inside_a_namespace() -> None:
    def body(*names: str) -> Body:
        inner: list[Any] = [tool(name) for name in names]
        tools = [{"type": "namespace", "name": "files", "tools": inner}]
        return {"model": "gpt-5.1", "input": "Hi.", "tools": tools}

    assert breaks([body("read"), body("read", "write")])[2].cause is Cause.TOOLS_ADDED
    assert breaks([body("read", "write"), body("read")])[2].cause is Cause.TOOLS_REMOVED
