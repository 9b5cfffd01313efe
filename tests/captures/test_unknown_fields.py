"""Fields that no reader knows are said once, with their format."""

import json
from pathlib import Path

import pytest

from promptlint.bodies import BodyFormat
from promptlint.captures.read import read_captures
from promptlint.captures.recorder.recording import Recorded
from promptlint.captures.unknown_fields import unknown_field_notes
from tests.captures.agent import Body, capture


def chat(**more: object) -> Body:
    return {"messages": [{"role": "user", "content": "Hi.", **more}]}


def test_each_field_is_said_once_with_its_format_and_first_place() -> None:
    gemini = {"contents": [{"parts": [{"text": "x", "tone": 1}]}], "novelty": 1}
    plain = chat()
    found = unknown_field_notes(
        capture(plain, {**chat(mood=1), "novelty": 1}, chat(mood=2), gemini)
    )
    assert found == (
        "unknown fields of openai-chat, read as no part of the prompt: "
        "`messages[].mood` (log.jsonl:2), `novelty` (log.jsonl:2)",
        "unknown fields of gemini, read as no part of the prompt: "
        "`contents[].parts[].tone` (log.jsonl:4), `novelty` (log.jsonl:4)",
    )
    assert unknown_field_notes(capture(plain)) == ()


def test_many_fields_stay_one_short_sentence() -> None:
    (note,) = unknown_field_notes(capture({**chat(), **{f"field{n}": n for n in range(99)}}))
    assert note.endswith("`field7` (log.jsonl:1), and 91 more")


@pytest.mark.parametrize(
    "body",
    [
        {"system": "x", "messages": [], "diagnostics": {"previous_message_id": "m"}, "betas": []},
        {**chat(), "provider": {"order": ["x"]}, "session_id": "s", "min_tokens": 1},
        chat(thinking_blocks=[], provider_specific_fields={}),
        {"contents": [{"parts": [{"functionCall": {"name": "f", "willContinue": False}}]}]},
        {"input": [{"type": "shell_call", "action": {}, "call_id": "c", "environment": {}}]},
    ],
)
def test_what_clients_and_gateways_add_is_known(body: Body) -> None:
    assert unknown_field_notes(capture(body)) == ()


def unread(tmp_path: Path, *lines: Body) -> tuple[str, ...]:
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(json.dumps({"request": chat(), **line}) for line in lines))
    captures = read_captures([file])
    assert (len(captures.requests), captures.problems) == (len(lines), ())
    return tuple(note.replace(str(tmp_path), "") for note in unknown_field_notes(captures.requests))


def test_what_stands_beside_a_request_and_is_not_read_is_said_once(tmp_path: Path) -> None:
    line = {"response": {"usage": {"prompt_tokens": 5}}, "usage": "abc", "session": 7}
    assert unread(tmp_path, {"usage": {"prompt_tokens": 5}}, line, {**line, "x": 1}) == (
        "fields beside `request` that are not read: `response` (/log.jsonl:2), `usage`, a text "
        "and no object (/log.jsonl:2), `session`, a number and no text (/log.jsonl:2), `x` "
        "(/log.jsonl:3)",
    )


def test_a_line_of_a_recording_has_nothing_that_is_not_read(tmp_path: Path) -> None:
    recorded = Recorded(chat(), BodyFormat.CHAT, 1795000000.0, "run 1").line()
    assert unread(tmp_path, json.loads(recorded), {"usage": None, "other": None}) == ()
