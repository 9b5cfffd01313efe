import pytest

from promptlint.bodies import BodyError, BodyFormat, body_format, request_from_body
from promptlint.request import Block, Json, Message, Request, ToolCall


def test_a_whole_body() -> None:
    body: dict[str, Json] = {
        "model": "qwen3",
        "messages": [
            {"role": "system", "content": "You are terse."},
            {"role": "user", "content": "Read a.txt"},
            {
                "role": "assistant",
                "content": None,
                "reasoning_content": "Use the tool.",
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "read", "arguments": '{"path": "a.txt"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "hello"},
            {"role": "developer", "name": "host", "content": "Answer in French."},
        ],
        "temperature": 0.2,
        "user": "u1",
        "stream": True,
        "prompt_cache_key": "k",
        "tool_choice": "auto",
        "chat_template_kwargs": {"enable_thinking": False},
    }
    assert body_format(body) == "openai-chat"
    assert request_from_body(body) == Request(
        system=(Block("You are terse."),),
        messages=(
            Message("user", (Block("Read a.txt"),)),
            Message(
                "assistant",
                tool_calls=(ToolCall("read", '{"path": "a.txt"}', "c1"),),
                reasoning="Use the tool.",
            ),
            Message("tool", (Block("hello"),), tool_call_id="c1"),
            Message("developer", (Block("Answer in French."),), name="host"),
        ),
        parameters={"tool_choice": "auto", "chat_template_kwargs": {"enable_thinking": False}},
        joiner="\n",
        model="qwen3",
    )


def test_a_leading_developer_message_is_the_system_prompt() -> None:
    request = request_from_body({"messages": [{"role": "developer", "content": "Be brief."}]})
    assert request.system == (Block("Be brief."),)


def test_only_the_first_system_message_is_the_system_prompt() -> None:
    request = request_from_body(
        {"messages": [{"role": "system", "content": "a"}, {"role": "system", "content": "b"}]}
    )
    assert request.system_text == "a"
    assert request.messages == (Message("system", (Block("b"),)),)


def test_parts_marks_and_images() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    other = {"type": "image_url", "image_url": {"url": "https://example.org/b.png"}}
    mark = {"cache_control": {"type": "ephemeral"}}
    request = request_from_body(
        {
            "messages": [
                {
                    "role": "system",
                    "content": [
                        {"type": "text", "text": "a"},
                        {"type": "text", "text": "b", **mark},
                    ],
                },
                {"role": "user", "content": [image, image | mark, other, "plain"]},
                {"role": "tool", "content": "result", **mark},
            ]
        }
    )
    first, second, third, plain = request.messages[0].blocks

    assert request.system == (Block("a"), Block("b", mark=""))
    assert request.system_text == "a\nb"
    assert first.opaque == second.opaque != third.opaque
    assert str(first.opaque).startswith("image_url sha256:")
    assert (first.mark, second.mark) == (None, "")
    assert (first.text, plain) == ("", Block("plain"))
    assert request.messages[1].blocks == (Block("result", mark=""),)


def test_older_calls_results_and_refusals() -> None:
    request = request_from_body(
        {
            "messages": [
                {"role": "assistant", "function_call": {"name": "read", "arguments": "{}"}},
                {"role": "function", "name": "read", "content": "x"},
                {"role": "assistant", "content": None, "refusal": "No."},
            ],
            "functions": [{"name": "read"}],
        }
    )
    assert request.messages[0].tool_calls == (ToolCall("read", "{}"),)
    assert request.messages[1] == Message("tool", (Block("x"),), name="read")
    assert request.messages[2].text == "No."
    assert request.tools[0].name == "read"


def test_unknown_fields_are_listed_by_path() -> None:
    call = {"id": "1", "function": {"name": "f", "arguments": {}, "z": 1}, "dash": {}}
    request = request_from_body(
        {
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "x", "colour": "red"}]},
                {"role": "assistant", "content": "y", "mood": "good", "tool_calls": [call]},
            ],
            "novelty": 1,
            "nothing": None,
        }
    )
    assert sorted(request.unknown_fields) == [
        "messages[0].content[0].colour",
        "messages[1].mood",
        "messages[1].tool_calls[0].dash",
        "messages[1].tool_calls[0].function.z",
        "novelty",
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"messages": "hi"}, "messages: a list is needed, not a text"),
        ({"messages": ["hi"]}, r"messages\[0\]: an object is needed, not a text"),
        ({"messages": [{"content": "hi"}]}, r"messages\[0\]\.role: missing"),
        (
            {"messages": [{"role": "user", "content": 3}]},
            r"messages\[0\]\.content: content is a text or a list, not a number",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"function": {}}]}]},
            r"messages\[0\]\.tool_calls\[0\]\.function\.name: missing",
        ),
        ({"messages": [], "model": 3}, "model: a text is needed, not a number"),
        ({"prompt": "x"}, "no request body: it has none of messages, input, .*"),
    ],
)
def test_a_wrong_type_is_named_by_its_place(body: dict[str, Json], message: str) -> None:
    with pytest.raises(BodyError, match=rf"\A{message}\Z"):
        request_from_body(body)


def test_reasoning_under_two_names_is_one_reasoning() -> None:
    message: Json = {
        "role": "assistant",
        "content": "x",
        "reasoning": "Hm",
        "reasoning_content": "Hm",
    }
    request = request_from_body({"messages": [message]})
    assert request.messages[0].reasoning == "Hm"
    assert request.unknown_fields == ()


SYSTEM = {"role": "system", "content": "Base."}
ASKED = {"role": "user", "content": "Hi."}
CALL = {"id": "1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "done"}


@pytest.mark.parametrize(
    "messages",
    [
        [SYSTEM, ASKED],
        [SYSTEM, ASKED, CALLED, RESULT],
        [ASKED, CALLED],
        [ASKED, RESULT],
        [{"role": "developer", "content": "Base."}, ASKED],
    ],
)
@pytest.mark.parametrize("others", [[], [{"type": "function", "function": {"name": "grep"}}]])
def test_the_shape_of_the_tools_makes_no_chat_another_format(
    messages: list[Json], others: list[Json]
) -> None:
    tool = {"name": "read", "description": "Reads.", "input_schema": {"type": "object"}}
    body: dict[str, Json] = {"messages": messages, "tools": [tool, *others]}
    assert body_format(body) == BodyFormat.CHAT
    request = request_from_body(body)
    assert request.unknown_fields == ()
    assert [call.id for m in request.messages for call in m.tool_calls] == (
        ["1"] if CALLED in messages else []
    )
    function = {"name": "read", "description": "Reads.", "parameters": {"type": "object"}}
    assert request.tools[0].definition == {"type": "function", "function": function}
