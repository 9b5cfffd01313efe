"""Which differences on the wire three real engines see; measured with the Qwen3 template."""

import pytest
from msgspec.structs import replace

from promptlint.cache.normalise import normalise
from promptlint.cache.policies import policy
from promptlint.request import Block, Json, Message, Request, Tool, ToolCall

PARAMETERS: dict[str, Json] = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
}
FUNCTION: dict[str, Json] = {"name": "read", "description": "Read.", "parameters": PARAMETERS}


def tool(definition: dict[str, Json]) -> Tool:
    return Tool("read", definition)


def request(
    arguments: Json = '{"path": "a", "limit": 3}',
    content: tuple[Block, ...] = (),
    user: tuple[Block, ...] = (Block("one\ntwo"),),
    definition: dict[str, Json] | None = None,
) -> Request:
    call = Message("assistant", content, (ToolCall("read", arguments),))
    nested = definition or {"type": "function", "function": FUNCTION}
    return Request(tools=(tool(nested),), messages=(Message("user", user), call))


BASE = request()
VARIANTS = {
    "compact arguments": request('{"path":"a","limit":3}'),
    "arguments as an object": request({"path": "a", "limit": 3}),
    "empty content": request(content=(Block(""),)),
    "text parts": request(user=(Block("one"), Block("two"))),
    "order of arguments": request('{"limit": 3, "path": "a"}'),
    "content of newlines": request(content=(Block("\n\n"),)),
    "order of properties": request(
        definition={
            "type": "function",
            "function": {
                **FUNCTION,
                "parameters": {
                    "type": "object",
                    "properties": {"limit": {"type": "integer"}, "path": {"type": "string"}},
                },
            },
        }
    ),
    "order of tool keys": request(
        definition={
            "function": {"parameters": PARAMETERS, "name": "read", "description": "Read."},
            "type": "function",
        }
    ),
    "extra tool field": request(
        definition={"type": "function", "function": {**FUNCTION, "strict": False}}
    ),
}
ALWAYS = {"compact arguments", "arguments as an object", "empty content", "text parts"}
SAME = {
    "engine/mlx_lm.server": ALWAYS,
    "engine/vllm": ALWAYS | {"order of tool keys"},
    "engine/llama.cpp-server": ALWAYS | {"order of tool keys", "extra tool field"},
    "anthropic/messages": set(),
}


def printed(policy_name: str, given: Request) -> str:
    """A template prints mappings in their order, which == between mappings ignores."""
    return repr(normalise(policy(policy_name), given))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("engine", SAME)
def test_an_engine_cannot_tell_these_requests_apart(engine: str, variant: str) -> None:
    equal = printed(engine, VARIANTS[variant]) == printed(engine, BASE)
    assert equal == (variant in SAME[engine])


def test_arguments_that_are_no_json_stay_as_they_are() -> None:
    broken = request('{"path": ')
    assert normalise(policy("engine/vllm"), broken).messages[1].tool_calls[0].arguments == (
        '{"path": '
    )


def test_a_message_with_an_image_keeps_its_parts() -> None:
    image = (Block("look"), Block("", opaque="image:1234"), Block("here"))
    kept = normalise(policy("engine/vllm"), request(user=image)).messages[0].blocks
    assert kept == image


def test_a_tool_that_is_no_function_is_left_alone() -> None:
    search = Tool("web_search", {"type": "web_search"})
    found = normalise(policy("engine/llama.cpp-server"), replace(BASE, tools=(search,)))
    assert found.tools == (search,)
