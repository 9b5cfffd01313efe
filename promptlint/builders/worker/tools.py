"""Tool definitions out of the objects that agent frameworks hand around."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any, get_type_hints

_SCHEMAS = (
    "params_json_schema",
    "parameters_json_schema",
    "input_schema",
    "inputSchema",
    "tool_spec",
)
_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_JSON_NAMES = {kind.__name__: name for kind, name in _JSON_TYPES.items()}


def definition(value: Any) -> dict[str, Any] | None:
    """A tool as `{name, description, parameters}`, a Bedrock spec as it is, else None."""
    if inspect.isfunction(value) or inspect.ismethod(value):
        return _of_function(value)
    if inspect.isclass(value) or not isinstance(getattr(value, "name", None), str):
        spec = getattr(value, "tool_spec", None)
        return {"toolSpec": spec} if isinstance(spec, dict) else None
    if _is_langchain(value):
        return _of_langchain(value)
    for attribute in _SCHEMAS:
        schema = getattr(value, attribute, None)
        if attribute == "tool_spec" and isinstance(schema, dict):
            return {"toolSpec": schema}
        if isinstance(schema, dict):
            return _definition(value, schema)
    return _of_inputs(value) or _of_argument_class(value)


def _definition(value: Any, schema: Any) -> dict[str, Any]:
    return {
        "name": value.name,
        "description": getattr(value, "description", None) or "",
        "parameters": schema,
    }


def _is_langchain(value: Any) -> bool:
    return any(base.__module__.startswith("langchain_core.tools") for base in type(value).__mro__)


def _of_langchain(value: Any) -> dict[str, Any]:
    """As LangChain itself hands its tools to OpenAI."""
    conversions = importlib.import_module("langchain_core.utils.function_calling")
    found: dict[str, Any] = conversions.convert_to_openai_tool(value)
    return found


def _of_inputs(value: Any) -> dict[str, Any] | None:
    """A smolagents tool: `inputs` are the properties, the nullable ones are optional."""
    inputs = getattr(value, "inputs", None)
    if not isinstance(inputs, dict) or not hasattr(value, "output_type"):
        return None
    required = [name for name, schema in inputs.items() if not schema.get("nullable")]
    return _definition(value, {"type": "object", "properties": inputs, "required": required})


def _of_argument_class(value: Any) -> dict[str, Any] | None:
    """A tool whose arguments are a pydantic class."""
    describe = getattr(getattr(value, "args_schema", None), "model_json_schema", None)
    return _definition(value, describe()) if callable(describe) else None


def _of_function(function: Any) -> dict[str, Any]:
    """A plain function: its signature and its docstring say all there is."""
    document = inspect.getdoc(function) or ""
    try:
        hints = get_type_hints(function)
    except Exception:  # noqa: BLE001 - names that exist only for type checkers
        hints = dict(getattr(function, "__annotations__", {}))
    properties = {}
    required = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("self", "cls") or parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            continue
        properties[name] = {**_schema(hints.get(name)), **_described(document, name)}
        if parameter.default is parameter.empty:
            required.append(name)
    return {
        "name": function.__name__,
        "description": document.partition("\n\n")[0],
        "parameters": {"type": "object", "properties": properties, "required": required},
    }


def _schema(hint: Any) -> dict[str, Any]:
    if hint in _JSON_TYPES:
        return {"type": _JSON_TYPES[hint]}
    if isinstance(hint, str) and hint in _JSON_NAMES:
        return {"type": _JSON_NAMES[hint]}
    origin = getattr(hint, "__origin__", hint)
    arguments = getattr(hint, "__args__", ())
    if origin in (list, set, tuple):
        return {"type": "array", "items": _schema(arguments[0]) if arguments else {}}
    if origin is dict:
        return {"type": "object"}
    named = [argument for argument in arguments if argument is not type(None)]
    if getattr(origin, "__name__", "") == "Literal" or str(origin) == "typing.Literal":
        return {"enum": list(arguments)}
    return _schema(named[0]) if len(named) == 1 and len(arguments) == 2 else {}


def _described(document: str, name: str) -> dict[str, str]:
    """The parameter's line of a Google style docstring."""
    found = re.search(rf"^\s*{re.escape(name)}\s*(?:\([^)]*\))?:\s*(.+)$", document, re.MULTILINE)
    return {"description": found.group(1).strip()} if found else {}
