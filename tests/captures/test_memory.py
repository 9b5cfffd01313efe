import json
from typing import Any

import pytest

from promptlint.captures.memory import MemoryState, memory_by_conversation
from promptlint.captures.turns import read_turns
from promptlint.models.embedded import embedded_model
from tests.captures.agent import SYSTEM, Agent, Body, capture

NOTE = "The staging database is called atlas."


def states(*bodies: Body) -> dict[str, tuple[MemoryState, ...]]:
    turns = [turn.turn for turn in read_turns(capture(*bodies), embedded_model())]
    return memory_by_conversation(turns)


def wrote(agent: Agent, name: str, answered: bool = True, **arguments: Any) -> None:
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
    wrote(agent, "memory", command="str_replace", path="/memories/a.md", old_str=NOTE, new_str="")
    wrote(agent, "remember", answered=False, note=NOTE)
    agent.send()
    assert states(*agent.sent) == {}


EDITS: list[Body] = [
    {"command": "str_replace", "old_str": "- " * 60, "new_str": NOTE},
    {"old_string": "- " * 60, "new_string": NOTE},
    {"oldText": "- " * 60, "newText": NOTE},
    {"search": "- " * 60, "replace": NOTE},
]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_writes_what_it_puts_in(edit: Body) -> None:
    agent = Agent()
    wrote(agent, "memory", path="/memories/notes.md", **edit)
    agent.system = f"{SYSTEM}\n- {NOTE}"
    agent.send()
    assert states(*agent.sent)["conversation 1"] == (MemoryState(1, 1),)


@pytest.mark.parametrize(
    "command",
    [
        f'echo "- {NOTE}" >> MEMORY.md',
        f"cd notes && echo -e '- {NOTE}' >>~/.agent/MEMORY.md; ls",
        f'printf "%s\\n" "- {NOTE}" >> "MEMORY.md"',
        f"echo '- {NOTE}' | tee -a MEMORY.md",
        f"cat >> MEMORY.md << 'EOF'\n- {NOTE}\nEOF\ncat MEMORY.md",
        f"cat <<EOF > .memory/facts.md\n- {NOTE}\nEOF",
        ["bash", "-lc", f"echo '- {NOTE}' >> MEMORY.md"],
    ],
)
def test_a_shell_that_writes_into_the_memory_file_counts(command: str | list[str]) -> None:
    agent = Agent()
    wrote(agent, "bash", command=command)
    agent.system = f"{SYSTEM}\n- {NOTE}"
    agent.send()
    assert states(*agent.sent)["conversation 1"] == (MemoryState(1, 1),)


@pytest.mark.parametrize(
    "command",
    [
        f"echo '- {NOTE}' >> notes.txt",
        f"echo '- {NOTE}'; cat MEMORY.md",
        f"echo 'write > MEMORY.md: {NOTE}'",
        "cat facts.md >> MEMORY.md",
        "grep -c staging MEMORY.md > count.txt",
        f"echo '- {NOTE} >> MEMORY.md",
    ],
)
def test_a_shell_that_does_not_is_no_memory(command: str) -> None:
    agent = Agent()
    wrote(agent, "bash", command=command)
    agent.send()
    assert states(*agent.sent) == {}
