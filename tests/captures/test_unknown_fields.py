"""Fields that no reader knows are said once, with their format."""

import pytest

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
