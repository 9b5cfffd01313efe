"""What is read in pieces is what is read whole."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.bodies import BodyFormat, request_from_body
from promptlint.captures.growing_lines import GrowingLines
from promptlint.captures.growing_requests import GrowingRequests
from promptlint.request import Request
from tests.captures.growing import SESSIONS, in_turns

JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["messages", "input", "request", "a"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(lines=st.lists(st.lists(JSON, max_size=4), max_size=4), wrapped=st.booleans(), last=JSON)
def test_any_lines_are_parsed_as_json_does(lines: list[Any], wrapped: bool, last: Any) -> None:
    parser = GrowingLines()
    history: list[Any] = []
    for new in lines:
        history += new
        body = {"model": "m", "messages": history, "tools": new}
        text = json.dumps({"request": body} if wrapped else body)
        assert json.dumps(parser.parse(text)) == text
    assert parser.parse(json.dumps(last)) == last


def test_shared_messages_are_the_same_objects() -> None:
    parser = GrowingLines()
    first = parser.parse('{"messages": [{"role": "user"}], "n": 1}')
    second = parser.parse('{"messages": [{"role": "user"}, {"role": "tool"}], "n": 2}')
    assert second["messages"][0] is first["messages"][0]
    assert second == {"messages": [{"role": "user"}, {"role": "tool"}], "n": 2}


@pytest.mark.parametrize(
    "broken",
    [
        '{"messages": [{"role": "user"},, 1]}',
        '{"messages": [{"role": "user"}, ]}',
        '{"messages": [{"role": "user"} {"role": "user"}]}',
        '{"messages": [{"role": "user"}',
        '{"messages": [{"role": "user"}], }',
        '{"messages": [{"role": "user"}]} 1',
    ],
)
def test_a_line_that_is_no_json_is_refused_behind_one_that_is(broken: str) -> None:
    parser = GrowingLines()
    parser.parse('{"messages": [{"role": "user"}, {"role": "user"}]}')
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken)
    with pytest.raises(json.JSONDecodeError):
        parser.parse(broken)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.name)
def test_requests_read_in_pieces_are_the_whole_ones(session: Any) -> None:
    parser, reader = GrowingLines(), GrowingRequests()
    for body in session.bodies:
        text = json.dumps(body)
        assert repr(reader.read(parser.parse(text))) == repr(request_from_body(json.loads(text)))


@pytest.mark.parametrize(
    ("messages", "system"),
    [("messages", "system"), ("input", "instructions"), ("contents", "systemInstruction")],
)
@pytest.mark.parametrize("texts", [("Be careful.", None), (None, "Be careful.")])
def test_a_system_text_that_comes_or_goes_is_read(
    messages: str, system: str, texts: tuple[str | None, ...]
) -> None:
    parser, reader = GrowingLines(), GrowingRequests()
    part = "parts" if messages == "contents" else "content"
    for number, text in enumerate(texts, start=1):
        asked = [{"role": "user", part: [{"text": "Hi.", "type": "text"}]}] * number
        body: dict[str, Any] = {
            messages: asked,
            "anthropic_version": "1",
            **({system: text} if text else {}),
        }
        found = reader.read(parser.parse(json.dumps(body)))
        assert repr(found) == repr(request_from_body(body))


def test_blocks_that_only_anthropic_has_may_come_later() -> None:
    thinking = [{"type": "thinking", "thinking": "Hm.", "signature": "x"}]
    asked: list[dict[str, Any]] = [
        {"role": "user", "content": "Read it."},
        {"role": "assistant", "content": [*thinking, {"type": "text", "text": "Done."}]},
        {"role": "user", "content": "And?"},
        {"role": "assistant", "content": "No."},
        {"role": "user", "content": "Why?"},
    ]
    parser, reader = GrowingLines(), GrowingRequests()
    for length in (1, 3, 5):
        body: dict[str, Any] = {"model": "m", "messages": asked[:length]}
        found = reader.read(parser.parse(json.dumps(body)))
        assert repr(found) == repr(request_from_body(body))


def test_a_format_that_shows_later_is_that_of_later_bodies() -> None:
    """A tool of Anthropic's shape says nothing once there are calls as only chat has them."""
    tools = [{"name": "read", "description": "Read.", "input_schema": {"type": "object"}}]
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    asked: list[dict[str, Any]] = [
        {"role": "user", "content": "Read it."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "text"},
        {"role": "user", "content": "And?"},
    ]
    parser, reader = GrowingLines(), GrowingRequests()
    for length in (1, 3, 4):
        body: dict[str, Any] = {"model": "m", "messages": asked[:length], "tools": tools}
        found = reader.read(parser.parse(json.dumps(body)))
        assert repr(found) == repr(request_from_body(body))


def test_conversations_that_take_turns_are_read_as_they_grow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def counted(body: dict[str, Any], form: BodyFormat | None = None) -> Request:
        read.append(len(body["messages"]))
        return request_from_body(body, form)

    monkeypatch.setattr("promptlint.captures.growing_requests.request_from_body", counted)
    parser, reader = GrowingLines(), GrowingRequests()
    sent = in_turns(4, 48)
    for body in sent:
        reader.read(parser.parse(json.dumps(body)))
    assert sum(read) < 1.2 * 4 * len(sent[-1]["messages"])
