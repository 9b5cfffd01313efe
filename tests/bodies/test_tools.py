from typing import Any

import pytest

from promptlint.bodies import BodyError, tool_from, tools_from
from promptlint.request import Json, Tool

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}}
NESTED: dict[str, Any] = {
    "type": "function",
    "function": {"name": "read", "description": "Read a file", "parameters": SCHEMA},
}


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(NESTED, id="openai-nested"),
        pytest.param({"function": NESTED["function"]}, id="nested-without-type"),
        pytest.param({"type": "function"} | NESTED["function"], id="openai-flat"),
        pytest.param(
            {"name": "read", "description": "Read a file", "input_schema": SCHEMA}, id="anthropic"
        ),
        pytest.param(
            {
                "type": "custom",
                "name": "read",
                "description": "Read a file",
                "input_schema": SCHEMA,
            },
            id="anthropic-custom",
        ),
        pytest.param(
            {
                "toolSpec": {
                    "name": "read",
                    "description": "Read a file",
                    "inputSchema": {"json": SCHEMA},
                }
            },
            id="bedrock",
        ),
        pytest.param(
            {"name": "read", "description": "Read a file", "parametersJsonSchema": SCHEMA},
            id="gemini-declaration",
        ),
        pytest.param(
            {
                "name": "read",
                "title": "Reader",
                "description": "Read a file",
                "inputSchema": SCHEMA,
                "outputSchema": {},
                "annotations": {"readOnlyHint": True},
            },
            id="mcp",
        ),
        pytest.param(
            {"name": "read", "description": "Read a file", "parameters": SCHEMA}, id="plain"
        ),
    ],
)
def test_every_shape_becomes_the_nested_form(shape: Json) -> None:
    tool = tool_from(shape)

    assert tool == Tool("read", NESTED)
    assert str(tool.definition) == str(NESTED), "the key order is the same as well"


def test_key_order_and_further_fields_are_kept_as_given() -> None:
    anthropic = tool_from({"input_schema": SCHEMA, "strict": True, "name": "read"})
    function = {"parameters": SCHEMA, "strict": True, "name": "read"}
    assert str(anthropic.definition["function"]) == str(function)

    nested = {"function": NESTED["function"], "type": "function", "strict": True}
    assert str(tool_from(nested).definition) == str(nested)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"type": "web_search"}, "web_search"),
        ({"type": "web_search_20250305", "name": "web_search"}, "web_search"),
        ({"type": "namespace", "name": "files", "tools": [{"type": "function"}]}, "files"),
        ({"type": "custom", "name": "patch", "format": {"type": "text"}}, "patch"),
        ({"googleSearch": {}}, "googleSearch"),
    ],
)
def test_what_is_no_function_is_kept_as_it_was_sent(value: dict[str, Json], name: str) -> None:
    assert tool_from(value) == Tool(name, value)


def test_a_breakpoint_is_a_mark_and_no_part_of_the_definition() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    assert tool_from(NESTED | mark) == Tool("read", NESTED, mark="")
    assert tool_from({"type": "web_search"} | mark).mark == ""
    assert tool_from(NESTED | {"cache_control": {"ttl": "1h"}}).mark == "1h"
    assert tool_from(NESTED | {"cache_control": None}).mark is None


def test_lists_of_tools() -> None:
    declaration = {"name": "read", "description": "Read a file", "parameters": SCHEMA}
    tools = tools_from(
        [
            {"functionDeclarations": [declaration, declaration], "googleSearch": {}},
            {"toolSpec": {"name": "write"}},
            {"cachePoint": {"type": "default", "ttl": "1h"}},
        ]
    )
    assert [(tool.name, tool.mark) for tool in tools] == [
        ("read", None),
        ("read", None),
        ("googleSearch", None),
        ("write", "1h"),
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (["read"], r"tools\[0\]: a tool is an object, not a text"),
        ([NESTED, None], r"tools\[1\]: a tool is an object, not null"),
        ([{"type": "function"}], r"tools\[0\]\.name: a tool needs a name"),
        ([{}], r"tools\[0\]: a tool needs a name"),
        (
            [{"functionDeclarations": [3]}],
            r"tools\[0\]\.functionDeclarations\[0\]: a tool is an object, not a number",
        ),
    ],
)
def test_what_is_no_tool_is_named_by_its_place(value: list[Json], message: str) -> None:
    with pytest.raises(BodyError, match=rf"\A{message}\Z"):
        tools_from(value)
