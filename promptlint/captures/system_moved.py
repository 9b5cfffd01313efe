"""Text of the system prompt that a later request sends as a message, or the other way round."""

from collections import Counter

from promptlint.captures.common_prefix import common_prefix
from promptlint.request import SYSTEM_ROLES, Request

_FEWEST_WORDS = 4
"""A shorter text is found in many messages."""


def system_moved(earlier: Request, later: Request) -> bool:
    """Whether text of the system prompt became a message, or came from one."""
    return _moved_out(earlier, later) or _moved_out(later, earlier)


def system_message_moved(earlier: Request, later: Request) -> bool:
    """Whether the system and developer messages are the same ones, in other places."""
    old, new = _system_messages(earlier), _system_messages(later)
    return bool(old & new) or system_moved(earlier, later)


def _moved_out(source: Request, target: Request) -> bool:
    """Whether text that only the system prompt of `source` has is in messages of `target` alone."""
    gone = [text for text in _gone(source, target) if len(text.split()) >= _FEWEST_WORDS]
    return any(_is_in_messages(text, target) and not _is_in_messages(text, source) for text in gone)


def _gone(source: Request, target: Request) -> list[str]:
    """The blocks and the run of lines that one system prompt has and the other lacks."""
    kept = {block.text for block in target.system}
    blocks = [block.text.strip() for block in source.system if block.text not in kept]
    old, new = source.system_text.splitlines(), target.system_text.splitlines()
    start = common_prefix(old, new)
    end = common_prefix(old[start:][::-1], new[start:][::-1])
    return [*blocks, "\n".join(old[start : len(old) - end]).strip()]


def _is_in_messages(text: str, request: Request) -> bool:
    return any(text in message.text for message in request.messages)


def _system_messages(request: Request) -> Counter[str]:
    return Counter(m.text for m in request.messages if m.role in SYSTEM_ROLES)
