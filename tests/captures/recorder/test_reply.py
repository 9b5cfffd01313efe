import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.captures.recorder.reply import (
    Reply,
    ReplyError,
    Script,
    answers_so_far,
    read_replies,
    response_id,
)
from promptlint.request import Block, Message, Request, Tool, ToolCall

TOOLS = (Tool("read", {"type": "function", "function": {"name": "read"}}),)
CALL = ToolCall("read", {"path": "a"})
ROLES = st.lists(st.sampled_from(["user", "assistant", "tool", "developer"]), max_size=12)


def request(roles: list[str], **parameters: str) -> Request:
    messages = tuple(Message(role, (Block("text"),)) for role in roles)
    return Request(tools=TOOLS, messages=messages, parameters=parameters)


@given(ROLES)
def test_one_more_answer_is_one_more(roles: list[str]) -> None:
    before = answers_so_far(request([*roles, "user"]))
    assert answers_so_far(request([*roles, "user", "assistant", "tool"])) == before + 1
    assert answers_so_far(request([*roles, "user", "assistant", "assistant"])) == before + 1
    assert answers_so_far(request([*roles, "user", "developer"])) == before


@given(ROLES, st.integers(0, 9))
def test_a_stored_response_counts_like_its_history(roles: list[str], number: int) -> None:
    stored = answers_so_far(request(roles, previous_response_id=response_id(number)))
    assert stored == answers_so_far(request(roles)) + number + 1


def test_an_id_of_somebody_else_counts_nothing() -> None:
    assert answers_so_far(request(["user"], previous_response_id="resp_68af")) == 0


def test_the_script_and_what_is_said_after_it() -> None:
    script = Script((Reply("one"), Reply("two")), Reply("bye"))
    turns = [request(["user", *["assistant", "user"] * n]) for n in range(4)]
    assert [script.reply(turn).text for turn in turns] == ["one", "two", "bye", "bye"]
    assert script.reply(Request(messages=turns[0].messages)).text == "bye"


@pytest.mark.parametrize("separator", ["list", "lines"])
def test_replies_from_a_file(separator: str, tmp_path: Path) -> None:
    call = {"name": "read", "arguments": {"path": "a"}}
    values = ["one", {"tool_calls": [call]}, {"text": "two", "tool_calls": [call, {"name": "x"}]}]
    path = tmp_path / "replies"
    lines = "\n\n".join(json.dumps(value) for value in values)
    path.write_text(json.dumps(values) if separator == "list" else lines)
    assert read_replies(path) == (
        Reply("one"),
        Reply("", (CALL,)),
        Reply("two", (CALL, ToolCall("x", {}))),
    )


def test_a_file_with_one_object(tmp_path: Path) -> None:
    path = tmp_path / "reply.json"
    path.write_text('{"text": "only"}')
    assert read_replies(path) == (Reply("only"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"a"\n{', "replies:2: no valid JSON"),
        ("[1]", "replies: reply 1: a reply is a text, or an object"),
        ('["a", {}]', "replies: reply 2: a reply is a text, or an object"),
        ('[{"txt": "a"}]', "a reply is a text, or an object with `text` and `tool_calls`"),
        ('[{"text": 1}]', "`text` is a text"),
        ('[{"tool_calls": {}}]', "`tool_calls` a list"),
        ('[{"tool_calls": [{}]}]', "a tool call is an object with `name`"),
        ('[{"tool_calls": [{"name": "x", "arguments": "{}"}]}]', "arguments of x are no object"),
    ],
)
def test_bad_replies_name_the_place(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "replies"
    path.write_text(text)
    with pytest.raises(ReplyError) as raised:
        read_replies(path)
    assert message in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ReplyError, match="No such file"):
        read_replies(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(ReplyError, match="no text in UTF-8"):
        read_replies(tmp_path / "bytes")
