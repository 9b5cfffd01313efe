"""A history that is kept at the provider is said, and is no history that was lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from promptlint.captures.conversations import conversations
from promptlint.captures.kept_history import kept_history_notes
from promptlint.captures.read import read_captures
from promptlint.captures.turns import read_turns
from promptlint.layout import Part
from promptlint.models.embedded import embedded_model
from tests.captures.agent import SYSTEM, Body, capture, tool
from tests.project import Project

ASKED = {"type": "message", "role": "user", "content": "Fix the tests."}


def bodies(named: str = "previous_response_id", calls: int = 2) -> list[Body]:
    """A question, and after it nothing but the results of calls, several in each request."""
    head: Body = {"model": "gpt-5.2", "instructions": SYSTEM, "tools": [tool("read")["function"]]}
    kept: list[Body] = [{named: {"id": "conv_1"}} if named == "conversation" else {}]
    kept += [{named: "conv_1" if named == "conversation" else f"resp_{n}"} for n in range(3)]
    inputs: list[Any] = [[ASKED]]
    for turn in range(3):
        results = [{"call_id": f"c{turn}{n}", "output": f"{turn} {n}"} for n in range(calls)]
        inputs.append([{"type": "function_call_output", **result} for result in results])
    return [{**head, "input": new, **more} for new, more in zip(inputs, kept, strict=True)]


def write_lines(project: Project, lines: list[Body]) -> Path:
    return project.write("log.jsonl", "\n".join(map(json.dumps, lines)))


@pytest.mark.parametrize(("named", "line"), [("previous_response_id", 2), ("conversation", 1)])
def test_a_history_that_is_not_in_the_capture_is_said_once(named: str, line: int) -> None:
    (note,) = kept_history_notes(capture(*bodies(named)))
    assert f"`{named}` (log.jsonl:{line}) is kept at the provider" in note
    assert note.endswith("tokens, reads and costs are too low")


@pytest.mark.parametrize("more", [{}, {"previous_response_id": None}, {"conversation": ""}])
def test_a_whole_history_is_no_news(more: Body) -> None:
    assert kept_history_notes(capture({"input": [ASKED], **more})) == ()


def test_replay_and_check_say_it_and_find_nothing(project: Project) -> None:
    lines = [{"request": body, "session": "a"} for body in bodies()]
    write_lines(project, lines)
    for command in ("check", "replay"):
        code, report = project.json(command, "log.jsonl")
        assert code == 0
        assert [n for n in report["notes"] if "kept at the provider" in n] == [
            "the history behind `previous_response_id` (log.jsonl:2) is kept at the provider, "
            "not in the capture: tokens, reads and costs are too low"
        ]
        assert report["findings"] == []
    assert [turn["break"] for turn in report["turns"]] == [None] * 4


@pytest.mark.parametrize("changed", ["instructions", "tools"])
def test_what_is_sent_again_may_still_break(changed: str) -> None:
    sent = bodies("conversation")
    sent[2][changed] = f"{SYSTEM} Now." if changed == "instructions" else [tool("read", x={})]
    turns = list(read_turns(capture(*sent, sessions=["a"] * 4), embedded_model()))
    parts = [t.turn.divergence.part for t in turns if t.turn.divergence is not None]
    assert parts[0] is (Part.SYSTEM if changed == "instructions" else Part.TOOLS)


def test_requests_of_one_conversation_of_the_provider_belong_together(project: Project) -> None:
    captured = read_captures([write_lines(project, bodies("conversation"))]).requests
    (found,) = conversations(captured).conversations
    assert found.name == "conv_1"
    assert len(found.turns) == 4
