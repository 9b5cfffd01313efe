"""What an engine makes equal before it renders: two requests that it cannot tell apart.

Measured on mlx_lm.server, llama.cpp's server and vLLM (`policies.toml`, `normalises`).
"""

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from promptlint.cache.policy import Normalisation, Policy
from promptlint.captures.arguments import parsed_arguments
from promptlint.captures.growing_map import GrowingMap
from promptlint.request import Block, Json, Message, Request, Tool

_TOOL_KEYS = ("type", "function")
_FUNCTION_KEYS = ("name", "description", "parameters")


class Normaliser:
    """Makes requests equal as one policy's engine does; what comes back is known."""

    def __init__(self, policy: Policy) -> None:
        self._rules = policy.normalises
        self._messages = GrowingMap(partial(_message, rules=self._rules))
        self._tools = GrowingMap(partial(_tool, rules=self._rules))

    def __call__(self, request: Request) -> Request:
        """The request as the engine's template meets it."""
        if not self._rules:
            return request
        return replace(
            request,
            messages=self._messages(request.messages),
            tools=self._tools(request.tools),
        )


def normalise(policy: Policy, request: Request) -> Request:
    """One request as the engine's template meets it."""
    return Normaliser(policy)(request)


def _message(message: Message, rules: frozenset[Normalisation]) -> Message:
    blocks, calls = message.blocks, message.tool_calls
    if Normalisation.TEXT_PARTS_JOINED in rules:
        blocks = _joined(blocks)
    if Normalisation.EMPTY_CONTENT in rules:
        blocks = tuple(block for block in blocks if block.text or block.opaque)
    if Normalisation.ARGUMENTS_PARSED in rules:
        calls = tuple(replace(c, arguments=parsed_arguments(c.arguments)) for c in calls)
    return replace(message, blocks=blocks, tool_calls=calls)


def _joined(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Text parts become one text; a message with an image keeps its parts."""
    if len(blocks) < 2 or any(block.opaque for block in blocks):
        return blocks
    text = "\n".join(block.text for block in blocks)
    return (replace(blocks[-1], text=text, name=None),)


def _tool(tool: Tool, rules: frozenset[Normalisation]) -> Tool:
    definition = tool.definition
    function = definition.get("function")
    if not isinstance(function, dict):
        return tool
    if Normalisation.TOOL_FIELDS_DROPPED in rules:
        function = {key: value for key, value in function.items() if key in _FUNCTION_KEYS}
    if Normalisation.TOOLS_CANONICAL in rules:
        definition = _ordered(definition, _TOOL_KEYS)
        function = _ordered(function, _FUNCTION_KEYS)
    return replace(tool, definition={**definition, "function": function})


def _ordered(entries: Mapping[str, Json], first: tuple[str, ...]) -> dict[str, Json]:
    """The same entries, the named keys first; the order inside them is kept."""
    return {
        **{key: entries[key] for key in first if key in entries},
        **{key: value for key, value in entries.items() if key not in first},
    }
