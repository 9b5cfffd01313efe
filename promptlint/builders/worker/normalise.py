"""From what a builder returned to plain data. Classes are known by their looks, not imported."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import inspect
import os
import uuid
from collections.abc import Callable
from typing import Any

from . import tools
from .failure import RefusedError

ITEM_LIMIT = 64  # items taken from a generator
DEPTH_LIMIT = 40

_WRITTEN_OUT = (dt.date, dt.time, decimal.Decimal, uuid.UUID)

Await = Callable[[Any], Any]


def plain(value: Any, wait: Await) -> Any:
    """The value as JSON data; tuples, sequences and unknown objects are tagged."""
    if value is None:
        raise RefusedError("none", "returned None")
    return _plain(value, wait, 0)


def _plain(value: Any, wait: Await, depth: int) -> Any:
    if depth > DEPTH_LIMIT:
        raise RefusedError("unsupported", f"returned data nested deeper than {DEPTH_LIMIT} levels")

    def inner(item: Any) -> Any:
        return _plain(item, wait, depth + 1)

    if isinstance(value, enum.Enum):
        return inner(value.value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise RefusedError("bytes", "returned bytes")
    if inspect.isawaitable(value):
        return inner(wait(value))
    if isinstance(value, (dict, tuple, list)):
        return _plain_container(value, inner)
    if hasattr(value, "__anext__"):
        return {"sequence": [inner(item) for item in _drain_asynchronous(value, wait)]}
    if hasattr(value, "__next__"):
        return {"sequence": [inner(item) for item in _drain(value)]}
    return _plain_object(value, inner)


def _plain_container(value: Any, inner: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {str(key): inner(item) for key, item in value.items()}
    if isinstance(value, list):
        return [inner(item) for item in value]
    if hasattr(value, "_fields"):
        return {name: inner(getattr(value, name)) for name in value._fields}
    return {"tuple": [inner(item) for item in value]}


def _plain_object(value: Any, inner: Callable[[Any], Any]) -> Any:
    definition = tools.definition(value)
    if definition is not None:
        return inner(definition)
    if _is_message(value):
        return inner(_message(value))
    if hasattr(value, "model_dump") and not inspect.isclass(value):
        return inner(value.model_dump())
    if dataclasses.is_dataclass(value) and not inspect.isclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: inner(getattr(value, name)) for name in names}
    for name in ("to_dict", "dict", "as_dict"):
        method = getattr(value, name, None)
        if callable(method) and not inspect.isclass(value):
            return inner(method())
    if isinstance(value, (*_WRITTEN_OUT, os.PathLike)):
        return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    if isinstance(value, (set, frozenset)):
        return {"sequence": [inner(item) for item in value]}
    if _is_mapping(value):
        return {str(key): inner(value[key]) for key in value.keys()}  # noqa: SIM118
    kind = value if inspect.isclass(value) else type(value)
    return {"unsupported": f"{kind.__module__}.{kind.__qualname__}"}


def _is_mapping(value: Any) -> bool:
    return hasattr(value, "keys") and hasattr(type(value), "__getitem__")


def _is_message(value: Any) -> bool:
    """A LangChain message: it has a type and a content, and no role."""
    has_type = isinstance(getattr(value, "type", None), str)
    return has_type and hasattr(value, "content") and not hasattr(value, "role")


def _message(value: Any) -> dict[str, Any]:
    message = {"type": value.type, "content": value.content}
    for name in ("tool_calls", "tool_call_id", "name", "additional_kwargs"):
        found = getattr(value, name, None)
        if found:
            message[name] = found
    return message


def _drain(items: Any) -> list[Any]:
    taken = []
    for item in items:
        taken.append(item)
        if len(taken) == ITEM_LIMIT:
            break
    return taken


def _drain_asynchronous(items: Any, wait: Await) -> list[Any]:
    async def collect() -> list[Any]:
        taken = []
        async for item in items:
            taken.append(item)
            if len(taken) == ITEM_LIMIT:
                break
        return taken

    drained: list[Any] = wait(collect())
    return drained
