from collections.abc import Iterable

import pytest

from promptlint.captures.conversations import conversations
from promptlint.captures.read import CapturedRequest
from tests.captures.agent import SYSTEM, Agent, Body, capture, tool


def lines(requests: Iterable[CapturedRequest]) -> list[int | None]:
    return [request.place.line for request in requests]


def grouped(*bodies: Body) -> list[list[int | None]]:
    return [lines(c.turns) for c in conversations(capture(*bodies)).conversations]


def title_request(question: str) -> Body:
    return {
        "model": "small",
        "messages": [
            {"role": "system", "content": "You write a title of at most six words."},
            {"role": "user", "content": question},
        ],
    }


def test_a_growing_history_is_one_conversation() -> None:
    agent = Agent()
    for _ in range(3):
        agent.send()
        agent.call()
    assert grouped(*agent.sent) == [[1, 2, 3]]


def test_interleaved_conversations_are_told_apart() -> None:
    first, second = Agent("Rename it."), Agent("Why does it leak?")
    bodies = []
    for _ in range(3):
        for agent in (first, second):
            bodies.append(agent.send())
            agent.call()
    assert grouped(*bodies) == [[1, 3, 5], [2, 4, 6]]


def test_a_conversation_goes_on_when_its_system_text_or_tools_change() -> None:
    agent = Agent()
    agent.send()
    agent.call()
    agent.system = "Something else entirely."
    agent.send()
    agent.tools = agent.tools[:1]
    agent.send()
    assert grouped(*agent.sent) == [[1, 2, 3]]


def test_a_title_request_stands_apart() -> None:
    agent = Agent("Rename it.")
    agent.send()
    agent.call()
    agent.send()
    first, second = agent.sent
    found = conversations(capture(first, title_request("Rename it."), second))
    assert lines(found.auxiliary) == [2]
    assert [lines(c.turns) for c in found.conversations] == [[1, 3]]


@pytest.mark.parametrize("agents_tools", [True, False])
@pytest.mark.parametrize("titles_tools", [[], [tool("set_title")]])
@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("session", [None, "one"])
def test_a_title_request_with_the_agents_question_stands_apart(
    agents_tools: bool, titles_tools: list[Body], at: int, session: str | None
) -> None:
    agent = Agent("Rename it.")
    agent.tools = agent.tools if agents_tools else []
    for _ in range(3):
        agent.send()
        agent.call()
    agent.sent.insert(at, title_request("Rename it.") | {"tools": titles_tools})
    found = conversations(capture(*agent.sent, sessions=[session] * 4))
    assert lines(found.auxiliary) == [at + 1]
    assert [len(c.turns) for c in found.conversations] == [3]


@pytest.mark.parametrize(("kept", "apart"), [(False, [2]), (True, [])])
def test_a_request_from_which_nothing_goes_on_stands_apart(kept: bool, apart: list[int]) -> None:
    agent = Agent("Rename it.")
    agent.tools = []
    agent.send()
    agent.ask("It is renamed.", "Write a title.")
    agent.system, system = "You write a title of at most six words.", agent.system
    agent.send()
    agent.system = system
    if not kept:
        agent.messages[-1] = {"role": "user", "content": "Now the tests."}
    agent.call()
    agent.send()
    found = conversations(capture(*agent.sent))
    assert lines(found.auxiliary) == apart


def test_a_question_asked_again_under_another_clock_is_of_the_same_agent() -> None:
    agent = Agent()
    for minute in (41, 42):
        agent.system = f"You are an agent. It is 10:{minute}."
        agent.send()
    assert grouped(*agent.sent) == [[1, 2]]


def test_two_agents_that_share_a_recorded_id_have_two_names() -> None:
    first, second = Agent("Rename it."), Agent("Rename it.")
    second.system, second.tools = "You look for the callers of a function.", [tool("search")]
    bodies = [first.send(), second.send()]
    for agent in (first, second):
        agent.call()
        bodies.append(agent.send())
    found = conversations(capture(*bodies, sessions=["a"] * 4)).conversations
    assert [(c.name, lines(c.turns)) for c in found] == [("a", [1, 3]), ("a (2)", [2, 4])]


def test_the_agents_own_request_without_tools_is_no_auxiliary_one() -> None:
    """A compaction asks for a summary under the same system text: its tools are gone."""
    agent = Agent()
    agent.send()
    agent.tools = []
    agent.ask("Done.", "Summarise the conversation.")
    agent.system = f"Current time: 10:41\n{SYSTEM}"
    agent.send()
    found = conversations(capture(*agent.sent))
    assert not found.auxiliary
    assert grouped(*agent.sent) == [[1, 2]]


def test_without_any_tools_nothing_is_auxiliary() -> None:
    assert not conversations(capture(title_request("a"), title_request("b"))).auxiliary


def test_a_compacted_history_goes_on_with_the_messages_that_were_kept() -> None:
    agent = Agent()
    agent.call()
    agent.ask("The option is renamed in three files.", "Now the tests.")
    agent.send()
    kept = agent.messages[-2:]
    agent.messages = [{"role": "user", "content": "Summary of what happened."}, *kept]
    agent.send()
    assert grouped(*agent.sent) == [[1, 2]]


def test_a_recorded_session_id_decides() -> None:
    agent = Agent()
    bodies = [agent.send(), agent.send(), agent.send()]
    found = conversations(capture(*bodies, sessions=["a", "b", "a"]))
    assert [(c.name, lines(c.turns)) for c in found.conversations] == [("a", [1, 3]), ("b", [2])]


def test_a_conversation_is_a_session_of_requests() -> None:
    agent = Agent()
    agent.send()
    conversation = conversations(capture(*agent.sent)).conversations[0]
    assert conversation.session.requests == (conversation.turns[0].request,)
    assert conversation.session.name == conversation.name == "conversation 1"
