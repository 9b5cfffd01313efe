"""Every shape in which a tool is defined, brought into the OpenAI nested form."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from promptlint.bodies.fields import MARK_FIELDS, BodyError, mark_from, type_name
from promptlint.request import Json, Tool

_SCHEMA_NAMES = frozenset(
    {"input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"}
)
# Fields of an MCP tool that a client keeps to itself.
_MCP_CLIENT_FIELDS = frozenset(
    {"_meta", "annotations", "execution", "icons", "outputSchema", "title"}
)


def tools_from(values: Iterable[Json], path: str = "tools") -> tuple[Tool, ...]:
    """The tools of a list; Gemini's `functionDeclarations` and Bedrock's `cachePoint` included.

    Raises BodyError, naming the place below `path`.
    """
    tools: list[Tool] = []
    for index, value in enumerate(values):
        place = f"{path}[{index}]"
        if not isinstance(value, Mapping):
            raise BodyError(f"{place}: a tool is an object, not {type_name(value)}")
        declarations = value.get("functionDeclarations", value.get("function_declarations"))
        if isinstance(declarations, list):
            tools += tools_from(declarations, f"{place}.functionDeclarations")
            tools += _gemini_built_in(value)
        elif set(value) == {"cachePoint"} and tools:
            tools[-1] = replace(tools[-1], mark=mark_from(value["cachePoint"]))
        else:
            tools.append(tool_from(value, place))
    return tuple(tools)


def tool_from(value: Json, path: str = "tool") -> Tool:
    """One tool, from the shape of any provider.

    These are OpenAI nested and flat, Anthropic `input_schema`, Bedrock `toolSpec`,
    one Gemini declaration, MCP `inputSchema`, and `{"name", "description", "parameters"}`.
    What is no function (`web_search`, a `namespace`) is kept as it was sent.
    """
    if not isinstance(value, Mapping):
        raise BodyError(f"{path}: a tool is an object, not {type_name(value)}")
    entry = {key: item for key, item in value.items() if key not in MARK_FIELDS}
    mark = mark_from(next((value[n] for n in MARK_FIELDS if value.get(n) is not None), None))
    function = _function(entry)
    if function is None:
        return Tool(_label(entry, path), entry, mark)
    name = function.get("name")
    if not isinstance(name, str):
        raise BodyError(f"{path}.name: a tool needs a name")
    nested = entry if entry.get("function") is function else {"function": function}
    return Tool(name, nested if "type" in nested else {"type": "function", **nested}, mark)


def _function(entry: dict[str, Any]) -> dict[str, Any] | None:
    """The function that an entry defines, or None where it is something else."""
    match entry:
        case {"type": "function", "function": dict(function)}:
            return function
        case {"function": dict(function)} if "type" not in entry:
            return function
        case {"toolSpec": dict(specification), **others}:
            return _with_parameters(specification | others)
        case {"type": "function"} | {"type": "custom", "input_schema": _}:
            return _with_parameters({key: v for key, v in entry.items() if key != "type"})
        case {"inputSchema": _}:
            return _with_parameters(
                {key: v for key, v in entry.items() if key not in _MCP_CLIENT_FIELDS}
            )
        case {"name": str()} if "type" not in entry:
            return _with_parameters(entry)
        case _:
            return None


def _with_parameters(function: dict[str, Any]) -> dict[str, Any]:
    """The same fields in the same order, with the schema under OpenAI's name for it."""
    return dict(
        ("parameters", _schema(item)) if key in _SCHEMA_NAMES else (key, item)
        for key, item in function.items()
    )


def _schema(value: Json) -> Json:
    """The schema itself: Bedrock wraps it in `{"json": ...}`."""
    if isinstance(value, dict) and set(value) == {"json"}:
        schema: Json = value["json"]
        return schema
    return value


def _label(entry: Mapping[str, Any], path: str) -> str:
    """What to call a tool that is no function.

    Its `name`, else its `type`, else its only key (Gemini's `{"googleSearch": {}}`).
    """
    names = [entry.get("name"), entry.get("type"), *(entry if len(entry) == 1 else ())]
    for name in names:
        if isinstance(name, str):
            return name
    raise BodyError(f"{path}: a tool needs a name")


def _gemini_built_in(value: Mapping[str, Any]) -> list[Tool]:
    """What stands next to the declarations in one entry of Gemini's `tools`."""
    declarations = {"functionDeclarations", "function_declarations"}
    return [Tool(key, {key: item}) for key, item in value.items() if key not in declarations]
