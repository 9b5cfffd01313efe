import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.captures.blocks import block_extents, content_blocks
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.turns import by_conversation, read_turns
from promptlint.layout import Part
from promptlint.models.embedded import embedded_model
from promptlint.models.hosted import hosted_model
from promptlint.models.model import Encoding, Model
from tests.captures.agent import SYSTEM, Agent, Body, capture

MODEL = embedded_model()
EPHEMERAL = {"type": "ephemeral"}


class Counting:
    def __init__(self) -> None:
        self.characters = 0

    def encode(self, text: str) -> Encoding:
        self.characters += len(text)
        return MODEL.tokenizer.encode(text)


def test_turns_know_their_prefix_with_every_earlier_request() -> None:
    first, second = Agent("Rename it."), Agent("Why does it leak?")
    bodies = [first.send(), second.send()]
    first.call()
    bodies.append(first.send())
    one, other, grown = [t.turn for t in read_turns(capture(*bodies), MODEL)]
    assert (one.index, other.index, grown.index) == (1, 2, 3)
    assert one.common_prefix == 0
    assert 0 < other.common_prefix < one.tokens
    assert grown.common_prefix >= one.tokens - 1
    assert (one.conversation, grown.conversation) == ("conversation 1", "conversation 1")


def test_an_auxiliary_request_is_no_break() -> None:
    agent = Agent("Rename it.")
    title: Body = {"messages": [{"role": "system", "content": "Write a title."}, agent.messages[0]]}
    bodies = [agent.send(), title]
    agent.call()
    bodies.append(agent.send())
    turns = [t.turn for t in read_turns(capture(*bodies), MODEL)]
    assert [t.conversation for t in turns] == ["conversation 1", None, "conversation 1"]
    assert [t.divergence for t in turns] == [None, None, None]
    (conversation,) = by_conversation(turns)
    assert (conversation.name, conversation.turns) == ("conversation 1", (turns[0], turns[2]))


def test_a_return_to_an_old_state_is_no_break() -> None:
    agent = Agent()
    agent.call()
    first = agent.send()
    agent.system = f"{SYSTEM}\n- A new line."
    agent.call()
    second = agent.send()
    turns = [t.turn for t in read_turns(capture(first, second, first), MODEL)]
    assert [t.divergence is not None for t in turns] == [False, True, False]
    assert turns[2].common_prefix == turns[2].tokens


STEPS = st.sampled_from(["call", "ask", "memory", "tools", "repeat", "cut"])


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(st.tuples(st.integers(0, 1), STEPS), min_size=2, max_size=9))
def test_turns_agree_with_comparing_everything(steps: list[tuple[int, str]]) -> None:
    agents = [Agent("Rename it."), Agent("Why does it leak?")]
    bodies: list[Body] = []
    for number, (which, step) in enumerate(steps):
        agent = agents[which]
        match step:
            case "call":
                agent.call(result=f"result {number}")
            case "ask":
                agent.ask(f"Done {number}.", f"Go on {number}.")
            case "memory":
                agent.system = f"{SYSTEM}\n- Note {number}."
            case "tools":
                agent.tools = agent.tools[::-1]
            case "cut":
                del agent.messages[1:]
            case "repeat" if agent.sent:
                bodies.append(agent.sent[0])
                continue
        bodies.append(agent.send())
    turns = list(read_turns(capture(*bodies), MODEL))
    ids = [turn.rendered.token_ids for turn in turns]
    for index, rendered in enumerate(turns):
        turn = rendered.turn
        longest = max((common_prefix(ids[index], other) for other in ids[:index]), default=0)
        assert longest - 16 <= turn.common_prefix <= longest
        if turn.divergence:
            assert turn.divergence.token <= turn.common_prefix
            assert turn.divergence.lost_tokens > 0


@pytest.mark.parametrize("turns", [10, 20])
def test_a_long_session_is_tokenised_once(turns: int) -> None:
    agent = Agent()
    for number in range(turns):
        agent.call(result=f"line {number}: " + "the quick brown fox " * 200)
        agent.send()
    counting = Counting()
    model = Model("counted", counting, template=MODEL.template)
    last = list(read_turns(capture(*agent.sent), model))[-1]
    assert counting.characters < 1.5 * len(last.rendered.text)


def marked_body() -> Body:
    hour = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    minutes = {"cache_control": EPHEMERAL}
    return {
        "model": "claude-opus-5-5",
        "tools": [
            {"name": "read", "input_schema": {"type": "object"}},
            {"name": "bash", "input_schema": {"type": "object"}, **hour},
        ],
        "system": [
            {"type": "text", "text": "You are an agent.", **hour},
            {"type": "text", "text": "Memory: none."},
        ],
        "messages": [
            {"role": "user", "content": "Hi."},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm."},
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "a", "name": "bash", "input": {"command": "ls"}},
                    {"type": "tool_use", "id": "b", "name": "read", "input": {"path": "x"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "x y"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "b",
                        "content": [
                            {"type": "text", "text": "one"},
                            {"type": "text", "text": "two"},
                        ],
                        **minutes,
                    },
                ],
            },
        ],
    }


def test_blocks_and_marks_of_an_anthropic_body() -> None:
    (captured,) = capture(marked_body())
    (turn,) = read_turns([captured], hosted_model("anthropic"))
    keys = [block.key for block in turn.blocks]
    assert keys == [
        ("tools", 0),
        ("tools", 1),
        ("system", 0),
        ("system", 1),
        ("messages", 0, "content", 0),
        ("messages", 1, "reasoning_content", 0),
        ("messages", 1, "content", 0),
        ("messages", 1, "tool_calls", 0),
        ("messages", 1, "tool_calls", 1),
        ("messages", 2, "content", 0),
        ("messages", 3, "content", 0),
    ]
    assert [(m.part, m.mark) for m in turn.turn.marks] == [
        (Part.TOOLS, "1h"),
        (Part.SYSTEM, "1h"),
        (Part.MESSAGES, ""),
    ]
    assert turn.turn.block_ends[-1] == turn.turn.tokens
    assert [block.end for block in turn.blocks] == sorted(block.end for block in turn.blocks)


def test_a_block_ends_behind_its_last_token() -> None:
    agent = Agent()
    agent.call()
    (captured,) = capture(agent.send())
    (turn,) = read_turns([captured], MODEL)
    blocks = content_blocks(
        captured.request,
        block_extents(captured.request, turn.rendered.runs),
        turn.rendered.token_starts,
    )
    ends = [*turn.rendered.token_starts, len(turn.rendered.text)]
    for block in blocks:
        text = turn.rendered.text[ends[block.start] : ends[block.end]]
        if block.key == ("system", 0):
            assert text.strip() == SYSTEM
        if block.part is Part.TOOLS:
            assert json.loads(text) == agent.tools[int(block.key[1])]
