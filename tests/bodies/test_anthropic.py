from typing import Any

import pytest

from promptlint.bodies import BodyFormat, body_format, request_from_body
from promptlint.request import Block, Json, Message, Request, Tool, ToolCall

MARK: dict[str, Any] = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}


def test_a_whole_body() -> None:
    body: dict[str, Any] = {
        "model": "claude",
        "max_tokens": 100,
        "metadata": {"user_id": "u"},
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "system": [{"type": "text", "text": "Base."}, {"type": "text", "text": "Memory.", **MARK}],
        "tools": [
            {"name": "read", "input_schema": {"type": "object"}, **MARK},
            {"type": "web_search_20250305", "name": "web_search"},
        ],
        "messages": [
            {"role": "user", "content": "Read two files"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Both.", "signature": "s"},
                    {"type": "text", "text": "Reading."},
                    {"type": "tool_use", "id": "1", "name": "read", "input": {"path": "a"}},
                    {"type": "tool_use", "id": "2", "name": "read", "input": {"path": "b"}, **MARK},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "1", "content": "A"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "2",
                        "is_error": True,
                        "content": [{"type": "text", "text": "B"}],
                        **MARK,
                    },
                    {"type": "text", "text": "Go on", **MARK},
                ],
            },
        ],
    }
    assert body_format(body) == "anthropic-messages"
    function = {"name": "read", "parameters": {"type": "object"}}
    assert request_from_body(body) == Request(
        system=(Block("Base."), Block("Memory.", mark="1h")),
        tools=(
            Tool("read", {"type": "function", "function": function}, mark="1h"),
            Tool("web_search", {"type": "web_search_20250305", "name": "web_search"}),
        ),
        messages=(
            Message("user", (Block("Read two files"),)),
            Message(
                "assistant",
                (Block("Reading."),),
                (ToolCall("read", {"path": "a"}, "1"), ToolCall("read", {"path": "b"}, "2", "1h")),
                reasoning="Both.",
            ),
            Message("tool", (Block("A"),), tool_call_id="1"),
            Message("tool", (Block("B", mark="1h"),), tool_call_id="2"),
            Message("user", (Block("Go on", mark="1h"),)),
        ),
        parameters={"thinking": {"type": "enabled", "budget_tokens": 1024}},
        joiner="\n",
        model="claude",
    )


def test_a_system_text_and_top_level_caching() -> None:
    request = request_from_body(
        {"system": "Base.", "messages": [{"role": "user", "content": "Hi"}], **MARK}
    )
    assert request.system == (Block("Base."),)
    assert request.parameters == MARK


@pytest.mark.parametrize(
    ("role", "form"), [("user", "anthropic-messages"), ("system", "openai-chat")]
)
def test_top_level_caching_of_nothing_but_texts(role: str, form: str) -> None:
    messages = [{"role": role, "content": "Hi"}, {"role": "assistant", "content": "Yes"}]
    assert body_format({"messages": messages, **MARK}) == form


def test_images_and_documents_are_opaque() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    request = request_from_body(
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image", "source": source, **MARK},
                        {"type": "image", "source": source | {"data": "BBBB"}},
                        {
                            "type": "tool_result",
                            "tool_use_id": "1",
                            "content": [{"type": "image", "source": source}],
                        },
                    ],
                }
            ]
        }
    )
    first, second = request.messages[0].blocks
    assert str(first.opaque).startswith("image sha256:")
    assert first.opaque != second.opaque
    assert first.mark == "1h"
    assert request.messages[1].blocks[0].opaque == first.opaque, "marks are no part of the hash"


def test_a_marked_call_keeps_its_mark_and_its_lifetime() -> None:
    mark = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    call = {"type": "tool_use", "id": "1", "name": "read", "input": {}, **mark}
    request = request_from_body({"messages": [{"role": "assistant", "content": [call]}]})
    assert request.messages == (Message("assistant", (), (ToolCall("read", {}, "1", "1h"),)),)


def test_unknown_fields_are_listed_by_path() -> None:
    result = {"type": "tool_result", "tool_use_id": "1", "content": "A", "why": 1}
    request = request_from_body(
        {
            "system": [{"type": "text", "text": "x", "tone": "dry"}],
            "messages": [{"role": "user", "content": [result]}],
            "wish": 1,
        }
    )
    assert sorted(request.unknown_fields) == [
        "messages[0].content[0].why",
        "system[0].tone",
        "wish",
    ]


@pytest.mark.parametrize("first", [[], [{"role": "system", "content": "Base."}]])
def test_a_system_message_among_blocks_of_anthropic_changes_no_format(first: list[Json]) -> None:
    """In the middle it is one of Anthropic's own; some clients put the system text there too."""
    body: dict[str, Json] = {
        "messages": [
            *first,
            {"role": "user", "content": "Hi."},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f"}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1"}]},
            {"role": "system", "content": "Plan mode is on."},
        ],
        "tools": [{"name": "f", "input_schema": {}}],
    }
    assert body_format(body) == BodyFormat.ANTHROPIC
