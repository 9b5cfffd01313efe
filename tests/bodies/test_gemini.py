import pytest

from promptlint.bodies import BodyError, body_format, request_from_body
from promptlint.request import Block, Json, Message, Request, Tool, ToolCall

DECLARATION = {"name": "read", "description": "Read", "parameters": {"type": "OBJECT"}}


@pytest.mark.parametrize("style", ["wire", "sdk"])
def test_a_whole_body(style: str) -> None:
    def named(wire: str, sdk: str) -> str:
        return wire if style == "wire" else sdk

    call_part: Json = {
        named("functionCall", "function_call"): {"id": "1", "name": "read", "args": {"path": "a"}},
        named("thoughtSignature", "thought_signature"): "s",
    }
    response_part: Json = {
        named("functionResponse", "function_response"): {
            "id": "1",
            "name": "read",
            "response": {"result": "é"},
        }
    }
    body: dict[str, Json] = {
        named("systemInstruction", "system_instruction"): {
            "role": "user",
            "parts": [{"text": "Base."}, {"text": "Memory."}],
        },
        "tools": [
            {named("functionDeclarations", "function_declarations"): [DECLARATION]},
            {"googleSearch": {}},
        ],
        "contents": [
            {"role": "user", "parts": [{"text": "Read"}]},
            {
                "role": "model",
                "parts": [{"text": "Hm", "thought": True}, {"text": "Reading."}, call_part],
            },
            {"role": "user", "parts": [response_part, {"text": "Go on"}]},
        ],
        "generationConfig": {"thinkingConfig": {"thinkingBudget": 0}},
        "safetySettings": [],
    }
    assert body_format(body) == "gemini"
    assert request_from_body(body) == Request(
        system=(Block("Base."), Block("Memory.")),
        tools=(
            Tool("read", {"type": "function", "function": DECLARATION}),
            Tool("googleSearch", {"googleSearch": {}}),
        ),
        messages=(
            Message("user", (Block("Read"),)),
            Message(
                "assistant",
                (Block("Reading."),),
                (ToolCall("read", {"path": "a"}, "1"),),
                reasoning="Hm",
            ),
            Message("tool", (Block('{"result": "é"}'),), tool_call_id="1", name="read"),
            Message("user", (Block("Go on"),)),
        ),
        parameters={"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}},
        joiner="\n",
    )


def test_texts_where_objects_may_stand() -> None:
    request = request_from_body({"system_instruction": "Base.", "contents": "Hi"})
    assert request.system == (Block("Base."),)
    assert request.messages == (Message("user", (Block("Hi"),)),)


def test_other_parts_are_opaque() -> None:
    part = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    (message,) = request_from_body({"contents": [{"parts": [part]}]}).messages
    assert message.role == "user"
    assert str(message.blocks[0].opaque).startswith("inlineData sha256:")


def test_unknown_fields_are_listed_by_path() -> None:
    request = request_from_body(
        {
            "contents": [
                {
                    "parts": [
                        {"text": "x", "tone": 1},
                        {"functionCall": {"name": "f"}, "text": "next to a call"},
                    ],
                    "why": 1,
                }
            ],
            "novelty": 1,
        }
    )
    assert sorted(request.unknown_fields) == [
        "contents[0].parts[0].tone",
        "contents[0].parts[1].text",
        "contents[0].why",
        "novelty",
    ]


def test_a_wrong_type_is_named_by_its_place() -> None:
    with pytest.raises(BodyError, match=r"\Acontents: a list is needed, not a number\Z"):
        request_from_body({"contents": 3})
