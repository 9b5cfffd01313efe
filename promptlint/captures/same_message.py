"""What two messages have in common: their bytes, their parsed values, most of their words."""

import json
from collections import Counter
from collections.abc import Sequence

from promptlint.captures.arguments import parsed_arguments
from promptlint.request import Block, Message

_HIDDEN_REASONING = frozenset({"reasoning", "redacted_thinking"})
"""The kinds of opaque blocks that hold reasoning which only the provider can read."""
_MOST_WORDS = 0.8
_FEWEST_WORDS = 4
"""A shorter text is part of many others."""


def as_bytes(message: Message) -> str:
    """A message as it stands on the wire; `==` between objects ignores the order of keys.

    Ids and cache breakpoints are left out.
    """
    calls = [(call.name, json.dumps(call.arguments)) for call in message.tool_calls]
    return repr((message.role, [b.text for b in message.blocks], calls, message.reasoning))


def parsed(message: Message) -> tuple[object, ...]:
    """A message with its arguments and results as objects; the order of keys does not count."""
    text = parsed_arguments(message.text) if message.role == "tool" else message.text
    return (message.role, text, _calls(message), message.reasoning)


def reasoning_dropped(old: Message, new: Message) -> bool:
    """Whether a message lacks reasoning that it had, and is the same otherwise."""
    missing = Counter(_reasoning(old)) - Counter(_reasoning(new))
    more = Counter(_reasoning(new)) - Counter(_reasoning(old))
    return bool(missing) and not more and _without_reasoning(old) == _without_reasoning(new)


def pieces(messages: Sequence[Message]) -> Counter[tuple[str, ...]]:
    """The texts, calls and reasoning of some messages, each with its role, in no order."""
    found: Counter[tuple[str, ...]] = Counter()
    for message in messages:
        role = message.role
        found.update((role, "text", block.text) for block in message.blocks)
        found.update((role, c.name, json.dumps(c.arguments)) for c in message.tool_calls)
        found.update((role, "reasoning", text) for text in filter(None, [message.reasoning]))
    return found


def nearly_same(one: str, other: str) -> bool:
    """Whether a text has most of the words of another: something was put in, or taken out."""
    first, second = Counter(one.split()), Counter(other.split())
    fewer = min(first.total(), second.total())
    return fewer >= _FEWEST_WORDS and (first & second).total() >= _MOST_WORDS * fewer


def _calls(message: Message) -> list[tuple[str, object]]:
    return [(call.name, parsed_arguments(call.arguments)) for call in message.tool_calls]


def _reasoning(message: Message) -> list[str]:
    hidden = [block.opaque for block in message.blocks if block.opaque and _is_hidden(block)]
    return [*filter(None, [message.reasoning]), *hidden]


def _without_reasoning(message: Message) -> tuple[object, ...]:
    texts = [block.text for block in message.blocks if not _is_hidden(block)]
    return (message.role, texts, _calls(message))


def _is_hidden(block: Block) -> bool:
    return block.opaque is not None and block.opaque.partition(" ")[0] in _HIDDEN_REASONING
