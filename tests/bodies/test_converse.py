from typing import Any

from promptlint.bodies import body_format, request_from_body
from promptlint.request import Block, Message, Request, Tool, ToolCall

POINT: dict[str, Any] = {"cachePoint": {"type": "default"}}


def test_a_whole_body() -> None:
    body: dict[str, Any] = {
        "modelId": "claude",
        "system": [{"text": "Base."}, {"text": "Memory."}, POINT],
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "read", "inputSchema": {"json": {}}}}, POINT],
            "toolChoice": {"auto": {}},
        },
        "messages": [
            {"role": "user", "content": [{"text": "Read"}]},
            {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "s"}}},
                    {"text": "Reading."},
                    {"toolUse": {"toolUseId": "1", "name": "read", "input": {"path": "a"}}},
                    POINT,
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "toolResult": {
                            "toolUseId": "1",
                            "status": "success",
                            "content": [{"text": "A"}, {"json": {"b": "é"}}],
                        }
                    },
                    POINT,
                    {"text": "Go on"},
                ],
            },
        ],
        "inferenceConfig": {"maxTokens": 10},
        "additionalModelRequestFields": {"thinking": {"type": "enabled"}},
    }
    assert body_format(body) == "bedrock-converse"
    function = {"name": "read", "parameters": {}}
    assert request_from_body(body) == Request(
        system=(Block("Base."), Block("Memory.", mark="")),
        tools=(Tool("read", {"type": "function", "function": function}, mark=""),),
        messages=(
            Message("user", (Block("Read"),)),
            Message(
                "assistant",
                (Block("Reading."),),
                (ToolCall("read", {"path": "a"}, "1", ""),),
                reasoning="Hm",
            ),
            Message("tool", (Block("A"), Block('{"b": "é"}', mark="")), tool_call_id="1"),
            Message("user", (Block("Go on"),)),
        ),
        parameters={
            "additionalModelRequestFields": {"thinking": {"type": "enabled"}},
            "toolChoice": {"auto": {}},
        },
        joiner="\n",
        model="claude",
    )


def test_the_parts_alone_tell_the_format() -> None:
    body: dict[str, Any] = {"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}
    assert body_format(body) == "bedrock-converse"
    assert request_from_body(body).messages == (Message("user", (Block("Hi"),)),)


def test_encrypted_reasoning_and_media_are_opaque() -> None:
    parts = [{"reasoningContent": {"redactedContent": "gAAA"}}, {"image": {"format": "png"}}]
    body: dict[str, Any] = {"messages": [{"role": "assistant", "content": parts}]}
    kinds = [str(block.opaque).split()[0] for block in request_from_body(body).messages[0].blocks]
    assert kinds == ["reasoning", "image"]


def test_unknown_fields_are_listed_by_path() -> None:
    body: dict[str, Any] = {
        "modelId": "claude",
        "system": [{"text": "x", "tone": 1}],
        "messages": [{"role": "user", "content": [{"text": "y", "toolUse": {}}], "why": 1}],
        "novelty": 1,
    }
    assert sorted(request_from_body(body).unknown_fields) == [
        "messages[0].content[0].toolUse",
        "messages[0].why",
        "novelty",
        "system[0].tone",
    ]
