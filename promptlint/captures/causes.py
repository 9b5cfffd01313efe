"""Why two requests of one conversation differ at a place."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from promptlint.captures.forks import is_fork
from promptlint.captures.same_message import as_bytes, parsed, pieces, reasoning_dropped
from promptlint.captures.system_moved import system_message_moved, system_moved
from promptlint.layout import Part
from promptlint.request import SYSTEM_ROLES, Json, Message, Request, Tool
from promptlint.templates import Leaf
from promptlint.worlds.hunks import same_words


class Cause(StrEnum):
    """What happened to the text."""

    CONTENT_CHANGED = "content-changed"
    REORDERED = "reordered"
    SAME_NAME_OTHER_SCHEMA = "same-name-other-schema"
    EQUAL_BUT_DIFFERENT_BYTES = "equal-but-different-bytes"
    HISTORY_REWRITTEN = "history-rewritten"
    FORKED = "forked"
    REASONING_DROPPED = "reasoning-dropped"
    SYSTEM_MOVED = "system-moved"
    PARAMETERS_CHANGED = "parameters-changed"
    TOOLS_ADDED = "tools-added"
    TOOLS_REMOVED = "tools-removed"


_PARAMETER_REASONS = {
    "model": "model_changed",
    "prompt_cache_key": "prompt_cache_key_changed",
    "reasoning": "reasoning_effort_changed",
    "reasoning_effort": "reasoning_effort_changed",
    "response_format": "text_format_changed",
    "service_tier": "service_tier_changed",
    "speed": "model_changed",
    "text": "text_format_changed",
    "verbosity": "verbosity_changed",
}
"""The words of the providers' cache diagnostics for parameters."""

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
        case ("messages", int() as index, *_, "id" | "tool_call_id"):
            return _message_cause(earlier, later, index) or Cause.HISTORY_REWRITTEN
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
    return parameters_reason(changed_parameters(earlier, later))


def parameters_reason(names: Iterable[str]) -> str:
    """The providers' own word for the first of some changed parameters that has one."""
    known = (_PARAMETER_REASONS[name] for name in names if name in _PARAMETER_REASONS)
    return next(known, "unavailable")


def changed_parameters(earlier: Request, later: Request) -> tuple[str, ...]:
    """The names of the parameters that differ."""
    names = {*earlier.parameters, *later.parameters}
    return tuple(sorted(n for n in names if earlier.parameters.get(n) != later.parameters.get(n)))


def tools_cause(earlier: Sequence[Tool], later: Sequence[Tool]) -> Cause | None:
    """What happened to the tool definitions; None if they are the same, byte for byte."""
    old, new = [*_names(earlier)], [*_names(later)]
    if old == new:
        changed = [(a.definition, b.definition) for a, b in zip(earlier, later, strict=True)]
        return _bytes_cause([(dict(a), dict(b)) for a, b in changed])
    if Counter(old) == Counter(new):
        return Cause.REORDERED
    return Cause.TOOLS_ADDED if Counter(new) - Counter(old) else Cause.TOOLS_REMOVED


def _names(tools: Iterable[Tool]) -> Iterator[str]:
    """The names of tools, and behind a namespace those of the tools in it."""
    for tool in tools:
        yield tool.name
        inner = tool.definition.get("tools")
        entries = inner if isinstance(inner, list) else []
        names = (entry.get("name") for entry in entries if isinstance(entry, dict))
        yield from (f"{tool.name}.{name}" for name in names)


def system_cause(earlier: Request, later: Request) -> Cause | None:
    """What happened to the system text; None if it is the same."""
    old, new = earlier.system_text, later.system_text
    if old == new:
        return None
    if system_moved(earlier, later):
        return Cause.SYSTEM_MOVED
    return Cause.REORDERED if same_words(old, new) else Cause.CONTENT_CHANGED


def _bytes_cause(pairs: Sequence[tuple[Json, Json]]) -> Cause | None:
    """Values that differ, or that only their serialisation tells apart."""
    if any(old != new for old, new in pairs):
        return Cause.SAME_NAME_OTHER_SCHEMA
    if any(json.dumps(old) != json.dumps(new) for old, new in pairs):
        return Cause.EQUAL_BUT_DIFFERENT_BYTES
    return None


def _message_cause(earlier: Request, later: Request, index: int) -> Cause | None:
    """What happened to a message; None if it is the same, or one that was not sent before."""
    if index >= len(earlier.messages):
        return None
    if index >= len(later.messages):
        return Cause.HISTORY_REWRITTEN
    old, new = earlier.messages[index], later.messages[index]
    if as_bytes(old) == as_bytes(new):
        return None
    if system_cause(earlier, later) is Cause.SYSTEM_MOVED:
        return Cause.SYSTEM_MOVED
    if {old.role, new.role} & SYSTEM_ROLES and system_message_moved(earlier, later):
        return Cause.SYSTEM_MOVED
    if reasoning_dropped(old, new):
        return Cause.REASONING_DROPPED
    if parsed(old) == parsed(new):
        return Cause.EQUAL_BUT_DIFFERENT_BYTES
    if _is_reordered(earlier.messages, later.messages, index):
        return Cause.REORDERED
    forked = is_fork(earlier.messages, later.messages, index)
    return Cause.FORKED if forked else Cause.HISTORY_REWRITTEN


def _is_reordered(earlier: Sequence[Message], later: Sequence[Message], index: int) -> bool:
    """Whether two histories hold the same from `index` on, as far as both go."""
    end = min(len(earlier), len(later))
    return pieces(earlier[index:end]) == pieces(later[index:end])
