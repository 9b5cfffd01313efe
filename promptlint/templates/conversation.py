"""The messages of a conversation as transformers hands them to a template."""

from collections.abc import Mapping, Sequence
from typing import Any

from promptlint.templates.traced_data import TracedList, trace

_REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")


def template_messages(messages: Sequence[Mapping[str, Any]]) -> TracedList:
    """The messages, traced; fields that are None are left out, reasoning has all its names."""
    result = []
    for index, message in enumerate(messages):
        traced = trace(message, ("messages", index))
        result.append(trace(_with_reasoning_names(traced), traced._leaf))
    return TracedList(result, ("messages",))


def plain_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Messages of plain data as a template meets them, without provenance."""
    return list(map(_with_reasoning_names, messages))


def _with_reasoning_names(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message with its reasoning under the names that templates read."""
    fields = {name: value for name, value in message.items() if value is not None}
    reasoning = next((fields[name] for name in _REASONING_FIELDS if name in fields), None)
    if reasoning is None:
        return fields
    return {"thinking": reasoning, **fields, "reasoning_content": reasoning}
