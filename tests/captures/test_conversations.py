from collections.abc import Iterable

from promptlint.captures.conversations import conversations
from promptlint.captures.read import CapturedRequest
from tests.captures.agent import SYSTEM, Agent, Body, capture


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
