import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.bodies import BodyFormat
from promptlint.captures.read import read_captures
from promptlint.captures.recorder.credentials import MASKED, without_credentials
from promptlint.captures.recorder.recording import Recording

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=10,
)
SECRET = "sk-" + "proj-" + "a1B2" * 8


def body(text: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}], **more}


def test_a_line_is_the_contract_and_nothing_else() -> None:
    output = io.StringIO()
    recording = Recording(output, session="run 1")
    recording.add(body("hi"), BodyFormat.CHAT, 12.5)
    assert output.getvalue().endswith("\n")
    assert json.loads(output.getvalue()) == {
        "format": "openai-chat",
        "time": 12.5,
        "session": "run 1",
        "usage": None,
        "request": body("hi"),
    }


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_comes_back(text: str) -> None:
    output = io.StringIO()
    Recording(output).add(body(text), BodyFormat.CHAT, 0.0)
    assert output.getvalue().count("\n") == 1
    assert output.getvalue().isascii()
    kept = json.loads(output.getvalue())["request"]["messages"][0]["content"]
    assert kept == text or MASKED in kept


@given(JSON)
def test_what_holds_no_key_is_kept(value: Any) -> None:
    kept = without_credentials(value)
    assert kept == value or MASKED in json.dumps(kept)
    assert without_credentials(kept) == kept


@pytest.mark.parametrize(
    "given_body",
    [
        body("hi", api_key=SECRET),
        body(f"The key is {SECRET}."),
        body("hi", tools=[{"type": "mcp", "authorization": "Bearer x1", "headers": {"X": "x1"}}]),
        body("hi", mcp_servers=[{"type": "url", "authorization_token": "x1"}]),
        body("hi", extra_headers={"Authorization": "Bearer x1"}),
        {"contents": [{"parts": [{"functionCall": {"name": "l", "args": {"password": "x1"}}}]}]},
    ],
)
def test_no_key_is_written(given_body: dict[str, Any]) -> None:
    output = io.StringIO()
    Recording(output).add(given_body, BodyFormat.CHAT, 0.0)
    assert SECRET not in output.getvalue()
    assert "x1" not in output.getvalue()
    assert MASKED in output.getvalue()


def test_a_schema_that_speaks_of_keys_is_kept() -> None:
    properties = {"api_key": {"type": "string"}, "headers": {"type": "object"}}
    tool = {"name": "call", "input_schema": {"type": "object", "properties": properties}}
    tools = body("hi", tools=[tool], prompt_cache_key="session-1", max_tokens=5)
    assert without_credentials(tools) == tools


def test_what_was_sent_twice_is_counted_and_kept() -> None:
    recording = Recording()
    for text in ("a", "b", "a", "a"):
        recording.add(body(text), BodyFormat.CHAT, 0.0)
    assert (len(recording.requests), recording.repeated) == (4, 2)


def test_a_recording_is_read_as_captures(tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    with path.open("w", encoding="utf-8") as file:
        recording = Recording(file)
        recording.add(body("zwei"), BodyFormat.CHAT, 2.0)
        recording.add(body("eins \ud800 \u2028"), BodyFormat.CHAT, 1.0)
    captures = read_captures([path])
    assert captures.problems == ()
    texts = [captured.request.messages[0].text for captured in captures.requests]
    assert texts == ["eins \ud800 \u2028", "zwei"]
    assert all(captured.usage is None for captured in captures.requests)
