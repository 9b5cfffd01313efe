import json

from promptlint.captures.memory import MemoryState, memory_by_conversation
from promptlint.captures.turns import read_turns
from promptlint.models.embedded import embedded_model
from tests.captures.agent import SYSTEM, Agent, Body, capture

NOTE = "The staging database is called atlas."


def states(*bodies: Body) -> dict[str, tuple[MemoryState, ...]]:
    turns = [turn.turn for turn in read_turns(capture(*bodies), embedded_model())]
    return memory_by_conversation(turns)


def wrote(agent: Agent, name: str, answered: bool = True, **arguments: str) -> None:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"w{len(agent.messages)}", "type": "function", "function": function}
    agent.messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
    if answered:
        agent.messages.append({"role": "tool", "tool_call_id": call["id"], "content": "saved"})


def test_a_note_is_on_disk_before_the_prompt_shows_it() -> None:
    agent = Agent()
    agent.send()
    wrote(agent, "remember", note=NOTE)
    agent.send()
    agent.system = f"{SYSTEM}\n-  The staging\n   database is called atlas."
    agent.send()
    assert states(*agent.sent) == {
        "conversation 1": (MemoryState(0, 0), MemoryState(1, 0), MemoryState(1, 1))
    }


def test_a_write_to_the_memory_file_counts() -> None:
    agent = Agent()
    wrote(agent, "write_file", path="~/.agent/MEMORY.md", content=NOTE)
    agent.send()
    assert states(*agent.sent)["conversation 1"] == (MemoryState(1, 0),)


def test_what_is_read_written_elsewhere_or_not_answered_does_not() -> None:
    agent = Agent()
    wrote(agent, "read_memory", query="which database is used")
    wrote(agent, "memory", command="view", path="/memories/notes on databases.md")
    wrote(agent, "write_file", path="src/app.py", content=NOTE)
    wrote(agent, "remember", answered=False, note=NOTE)
    agent.send()
    assert states(*agent.sent) == {}
