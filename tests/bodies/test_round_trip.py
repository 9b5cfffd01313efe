"""What the formats can carry comes back the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from promptlint.bodies import BodyError, BodyFormat, body_from_request, request_from_body
from promptlint.request import Block, Mark, Message, Request, Tool, ToolCall

NAMES = st.text("abc_", min_size=1, max_size=5)
MARKS = st.sampled_from([None, "", "1h"])
BLOCKS = st.builds(Block, st.text(max_size=8), mark=MARKS)
CONTENT = st.lists(BLOCKS, max_size=3).map(tuple)
ARGUMENTS = st.dictionaries(NAMES, st.integers() | st.text(max_size=4), max_size=2)


def calls(
    arguments: st.SearchStrategy[object],
    marks: st.SearchStrategy[Mark] = st.none(),  # noqa: B008
) -> st.SearchStrategy[tuple[ToolCall, ...]]:
    return st.lists(st.builds(ToolCall, NAMES, arguments, NAMES, marks), max_size=2).map(tuple)


USER = st.builds(Message, st.just("user"), st.lists(BLOCKS, min_size=1, max_size=3).map(tuple))
RESULT = st.builds(Message, st.just("tool"), CONTENT, tool_call_id=NAMES)
FUNCTION_TOOLS = st.builds(
    lambda name, schema: Tool(
        name, {"type": "function", "function": {"name": name, "parameters": schema}}
    ),
    NAMES,
    ARGUMENTS,
)
OTHER_TOOLS = st.builds(lambda name: Tool(name, {"type": "hosted", "name": name}), NAMES)
TOOLS = st.builds(lambda tool, mark: replace(tool, mark=mark), FUNCTION_TOOLS | OTHER_TOOLS, MARKS)
PARAMETERS = st.fixed_dictionaries({}, optional={"tool_choice": st.just({"type": "any"})})


def requests(assistant: st.SearchStrategy[Message]) -> st.SearchStrategy[Request]:
    return st.builds(
        Request,
        system=st.lists(BLOCKS, min_size=1, max_size=3).map(tuple),
        tools=st.lists(TOOLS, max_size=3).map(tuple),
        messages=st.lists(USER | assistant | RESULT, max_size=5).map(tuple),
        parameters=PARAMETERS,
        joiner=st.just("\n"),
        model=st.none() | NAMES,
    )


CHAT_ASSISTANT = st.builds(
    Message,
    st.just("assistant"),
    CONTENT,
    calls(ARGUMENTS | ARGUMENTS.map(json.dumps)),
    reasoning=st.none() | st.text(max_size=8),
)
ANTHROPIC_ASSISTANT = st.builds(
    Message,
    st.just("assistant"),
    CONTENT,
    calls(ARGUMENTS, MARKS),
    reasoning=st.none() | st.text(max_size=8),
)


@given(requests(CHAT_ASSISTANT))
def test_chat(request: Request) -> None:
    body = json.loads(json.dumps(body_from_request(request, BodyFormat.CHAT)))
    assert request_from_body(body) == request


@given(requests(ANTHROPIC_ASSISTANT))
def test_anthropic(request: Request) -> None:
    body = json.loads(json.dumps(body_from_request(request, "anthropic-messages")))
    assert request_from_body(body) == request


@given(requests(ANTHROPIC_ASSISTANT))
def test_a_breakpoint_is_no_part_of_a_tool(request: Request) -> None:
    body = body_from_request(request, BodyFormat.CHAT)
    unmarked = replace(request, tools=tuple(replace(tool, mark=None) for tool in request.tools))
    again = body_from_request(unmarked, BodyFormat.CHAT)
    assert [tool.definition for tool in request_from_body(body).tools] == [
        tool.definition for tool in request_from_body(again).tools
    ]


def test_what_cannot_be_written_is_said() -> None:
    image = Request(messages=(Message("user", (Block("", opaque="image sha256:00"),)),))
    with pytest.raises(BodyError, match=r"\Aimage: only its hash is known, not its data\Z"):
        body_from_request(image, "openai-chat")
    for name in ("gemini", "openai-responses", "carrier-pigeon"):
        with pytest.raises(BodyError, match=f"{name}: bodies of this format cannot be written"):
            body_from_request(Request(), name)
