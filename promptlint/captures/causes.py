"""Why two requests of one conversation differ at a place."""

import json
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from promptlint.captures.arguments import parsed_arguments
from promptlint.layout import Part
from promptlint.request import Json, Message, Request, Tool
from promptlint.templates import Leaf
from promptlint.worlds.hunks import same_words


class Cause(StrEnum):
    """What happened to the text."""

    CONTENT_CHANGED = "content-changed"
    REORDERED = "reordered"
    SAME_NAME_OTHER_SCHEMA = "same-name-other-schema"
    EQUAL_BUT_DIFFERENT_BYTES = "equal-but-different-bytes"
    HISTORY_REWRITTEN = "history-rewritten"
    REASONING_DROPPED = "reasoning-dropped"
    SYSTEM_MOVED = "system-moved"
    PARAMETERS_CHANGED = "parameters-changed"
    TOOLS_ADDED = "tools-added"
    TOOLS_REMOVED = "tools-removed"


PARAMETER_REASONS = {
    "reasoning": "reasoning_effort_changed",
    "reasoning_effort": "reasoning_effort_changed",
    "response_format": "text_format_changed",
    "service_tier": "service_tier_changed",
    "text": "text_format_changed",
    "verbosity": "verbosity_changed",
}
"""The words of OpenAI's cache diagnostics for parameters."""

_PART_REASONS = {
    Part.TOOLS: "tools_changed",
    Part.SYSTEM: "system_changed",
    Part.MESSAGES: "messages_changed",
}
"""The words of Anthropic's cache diagnostics."""


def cause_of(earlier: Request, later: Request, leaf: Leaf | None) -> Cause | None:
    """The cause of a difference in text from `leaf`; None if the requests are equal there."""
    match leaf:
        case ("tools", *_):
            return tools_cause(earlier.tools, later.tools)
        case ("system", *_):
            return system_cause(earlier, later)
        case ("messages", int(), *_, "id" | "tool_call_id"):
            return Cause.HISTORY_REWRITTEN
        case ("messages", int() as index, *_):
            return _message_cause(earlier, later, index)
        case ("arguments", *_):
            return Cause.PARAMETERS_CHANGED
        case ("clock", *_):
            return Cause.CONTENT_CHANGED
        case _:
            # Text that cannot be traced: the first part that differs at all.
            known = tools_cause(earlier.tools, later.tools) or system_cause(earlier, later)
            parameters = changed_parameters(earlier, later)
            return known or (Cause.PARAMETERS_CHANGED if parameters else None)


def reason_of(part: Part, earlier: Request, later: Request) -> str:
    """The providers' own word for what changed."""
    if earlier.model != later.model:
        return "model_changed"
    if part in _PART_REASONS:
        return _PART_REASONS[part]
    changed = changed_parameters(earlier, later)
    return next(
        (PARAMETER_REASONS[name] for name in changed if name in PARAMETER_REASONS), "unavailable"
    )


def changed_parameters(earlier: Request, later: Request) -> tuple[str, ...]:
    """The names of the parameters that differ."""
    names = {*earlier.parameters, *later.parameters}
    return tuple(sorted(n for n in names if earlier.parameters.get(n) != later.parameters.get(n)))


def tools_cause(earlier: Sequence[Tool], later: Sequence[Tool]) -> Cause | None:
    """What happened to the tool definitions; None if they are the same, byte for byte."""
    old, new = [tool.name for tool in earlier], [tool.name for tool in later]
    if old == new:
        changed = [(a.definition, b.definition) for a, b in zip(earlier, later, strict=True)]
        return _bytes_cause([(dict(a), dict(b)) for a, b in changed])
    if Counter(old) == Counter(new):
        return Cause.REORDERED
    return Cause.TOOLS_ADDED if Counter(new) - Counter(old) else Cause.TOOLS_REMOVED


def system_cause(earlier: Request, later: Request) -> Cause | None:
    """What happened to the system text; None if it is the same."""
    old, new = earlier.system_text, later.system_text
    if old == new:
        return None
    if _moved_out(earlier, later) or _moved_out(later, earlier):
        return Cause.SYSTEM_MOVED
    return Cause.REORDERED if same_words(old, new) else Cause.CONTENT_CHANGED


def _bytes_cause(pairs: Sequence[tuple[Json, Json]]) -> Cause | None:
    """Values that differ, or that only their serialisation tells apart."""
    if any(old != new for old, new in pairs):
        return Cause.SAME_NAME_OTHER_SCHEMA
    if any(json.dumps(old) != json.dumps(new) for old, new in pairs):
        return Cause.EQUAL_BUT_DIFFERENT_BYTES
    return None


def _moved_out(source: Request, target: Request) -> bool:
    """Whether a system block of one request is a message of the other, and of it alone."""
    messages = {block.text for message in target.messages for block in message.blocks}
    own = {block.text for message in source.messages for block in message.blocks}
    kept = {block.text for block in target.system}
    gone = [block.text for block in source.system if block.text.strip() and block.text not in kept]
    return any(text in messages and text not in own for text in gone)


def _message_cause(earlier: Request, later: Request, index: int) -> Cause | None:
    if index >= min(len(earlier.messages), len(later.messages)):
        return Cause.HISTORY_REWRITTEN
    old, new = earlier.messages[index], later.messages[index]
    if _as_bytes(old) == _as_bytes(new):
        return None
    if {old.role, new.role} & {"system", "developer"} and _system_role_moved(earlier, later):
        return Cause.SYSTEM_MOVED
    if _without_reasoning(old) == _without_reasoning(new) and old.reasoning and not new.reasoning:
        return Cause.REASONING_DROPPED
    if _parsed(old) == _parsed(new):
        return Cause.EQUAL_BUT_DIFFERENT_BYTES
    if Counter(map(_as_bytes, earlier.messages)) == Counter(map(_as_bytes, later.messages)):
        return Cause.REORDERED
    return Cause.HISTORY_REWRITTEN


def _system_role_moved(earlier: Request, later: Request) -> bool:
    """Whether the system and developer messages are the same ones, in other places."""
    old = [m.text for m in earlier.messages if m.role in ("system", "developer")]
    new = [m.text for m in later.messages if m.role in ("system", "developer")]
    return (
        bool(Counter(old) & Counter(new))
        or _moved_out(earlier, later)
        or _moved_out(later, earlier)
    )


def _as_bytes(message: Message) -> str:
    """A message as it stands on the wire; `==` between objects ignores the order of keys."""
    calls = [(call.name, json.dumps(call.arguments)) for call in message.tool_calls]
    return repr((message.role, [b.text for b in message.blocks], calls, message.reasoning))


def _without_reasoning(message: Message) -> tuple[object, ...]:
    return (message.role, message.text, _parsed(message)[2])


def _parsed(message: Message) -> tuple[object, ...]:
    """A message with its arguments and results as objects; the order of keys does not count."""
    calls = [(call.name, parsed_arguments(call.arguments)) for call in message.tool_calls]
    text = parsed_arguments(message.text) if message.role == "tool" else message.text
    return (message.role, text, calls, message.reasoning)
