import pytest

from promptlint.bodies import BodyError, body_format, request_from_body
from promptlint.request import Block, Json, Message, Request, Tool, ToolCall


def test_a_whole_body() -> None:
    namespace: dict[str, Json] = {"type": "namespace", "name": "files", "tools": []}
    body: dict[str, Json] = {
        "model": "gpt",
        "instructions": "You are terse.",
        "input": [
            {
                "type": "message",
                "role": "developer",
                "content": [
                    {"type": "input_text", "text": "Sandbox: on"},
                    {"type": "input_text", "text": "AGENTS.md", "prompt_cache_breakpoint": {}},
                ],
            },
            {"role": "user", "content": "Read a.txt"},
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "Use the tool."}],
                "encrypted_content": "gAAA",
            },
            {
                "type": "message",
                "role": "assistant",
                "id": "msg_1",
                "status": "completed",
                "content": [{"type": "output_text", "text": "Reading.", "annotations": []}],
            },
            {"type": "function_call", "call_id": "c1", "name": "read", "arguments": "{}"},
            {"type": "custom_tool_call", "call_id": "c2", "name": "patch", "input": "*** Begin"},
            {"type": "function_call_output", "call_id": "c1", "output": "hello"},
            {
                "type": "custom_tool_call_output",
                "call_id": "c2",
                "output": [{"type": "input_text", "text": "done"}],
            },
        ],
        "tools": [
            {"type": "function", "name": "read", "parameters": {}, "strict": False},
            namespace,
            {"type": "web_search"},
        ],
        "reasoning": {"effort": "high"},
        "text": {"verbosity": "low"},
        "include": ["reasoning.encrypted_content"],
        "store": False,
        "prompt_cache_key": "k",
        "client_metadata": {"session": "s"},
    }
    assert body_format(body) == "openai-responses"
    function = {"name": "read", "parameters": {}, "strict": False}
    assert request_from_body(body) == Request(
        system=(Block("You are terse."),),
        tools=(
            Tool("read", {"type": "function", "function": function}),
            Tool("files", namespace),
            Tool("web_search", {"type": "web_search"}),
        ),
        messages=(
            Message("developer", (Block("Sandbox: on"), Block("AGENTS.md", mark=""))),
            Message("user", (Block("Read a.txt"),)),
            Message(
                "assistant",
                (Block("Reading."),),
                (ToolCall("read", "{}", "c1"), ToolCall("patch", "*** Begin", "c2")),
                reasoning="Use the tool.",
            ),
            Message("tool", (Block("hello"),), tool_call_id="c1"),
            Message("tool", (Block("done"),), tool_call_id="c2"),
        ),
        parameters={"reasoning": {"effort": "high"}, "text": {"verbosity": "low"}},
        joiner="\n",
        model="gpt",
    )


def test_a_text_as_input_is_a_user_message() -> None:
    assert request_from_body({"input": "Hi"}).messages == (Message("user", (Block("Hi"),)),)


def test_without_instructions_a_leading_developer_message_is_the_system_prompt() -> None:
    request = request_from_body({"input": [{"role": "developer", "content": "Be brief."}]})
    assert request.system == (Block("Be brief."),)
    assert request.messages == ()


def test_reasoning_that_is_only_there_encrypted_is_opaque() -> None:
    item: dict[str, Json] = {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
    (message,) = request_from_body({"input": [item]}).messages

    assert message.reasoning is None
    assert str(message.blocks[0].opaque).startswith("reasoning sha256:")


def test_encrypted_reasoning_is_of_the_message_that_follows_it() -> None:
    reasoning: dict[str, Json] = {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
    said: dict[str, Json] = {"role": "assistant", "content": "Yes."}
    (message,) = request_from_body({"input": [reasoning, said]}).messages
    assert [block.text for block in message.blocks] == ["", "Yes."]


def test_items_of_other_kinds_are_opaque_and_their_ids_do_not_count() -> None:
    def opaque(**item: Json) -> str | None:
        (message,) = request_from_body({"input": [item]}).messages
        return message.blocks[0].opaque

    search: dict[str, Json] = {"type": "web_search_call", "action": {"query": "x"}}
    assert opaque(**search, id="1") == opaque(**search, id="2")
    assert opaque(**search) != opaque(**search | {"action": {"query": "y"}})
    picture = {"type": "computer_screenshot", "image_url": "data:image/png;base64,AAAA"}
    assert str(opaque(type="computer_call_output", call_id="1", output=picture)).startswith(
        "computer_call_output sha256:"
    )


def test_calls_without_a_name_are_named_by_their_kind() -> None:
    item: dict[str, Json] = {"type": "local_shell_call", "call_id": "1", "action": {"command": []}}
    (message,) = request_from_body({"input": [item]}).messages
    assert message.tool_calls == (ToolCall("local_shell", {"command": []}, "1"),)


def test_tools_at_the_head_of_the_input_are_tools() -> None:
    head: dict[str, Json] = {
        "type": "additional_tools",
        "role": "developer",
        "tools": [{"type": "function", "name": "read"}],
    }
    request = request_from_body({"input": [head, {"role": "user", "content": "Hi"}]})

    assert [tool.name for tool in request.tools] == ["read"]
    assert [message.role for message in request.messages] == ["user"]
    assert request.unknown_fields == ()


def test_unknown_fields_are_listed_by_path() -> None:
    call = {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}", "mood": 1}
    request = request_from_body({"input": [call], "novelty": 1})
    assert request.unknown_fields == ("input[0].mood", "novelty")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"input": 3}, "input: a text or a list is needed, not a number"),
        ({"input": ["Hi"]}, r"input\[0\]: an object is needed, not a text"),
        ({"input": [{"content": "Hi"}]}, r"input\[0\]\.role: missing"),
        ({"instructions": ["x"]}, "instructions: a text is needed, not a list"),
    ],
)
def test_a_wrong_type_is_named_by_its_place(body: dict[str, Json], message: str) -> None:
    with pytest.raises(BodyError, match=rf"\A{message}\Z"):
        request_from_body(body)
