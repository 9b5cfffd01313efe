"""Two continuations of one history, told from a history that was rewritten.

Who rewrites a message goes on with those behind it. A fork (a second attempt, a user who
goes back) has a new continuation: none of the old messages comes after its first new one.
"""

from collections.abc import Sequence

from promptlint.captures.same_message import as_bytes, nearly_same
from promptlint.request import Message


def is_fork(earlier: Sequence[Message], later: Sequence[Message], index: int) -> bool:
    """Whether two histories that part at message `index` have nothing in common behind it.

    A last message that was only edited, or the other result of one call, is no fork.
    """
    old, new = earlier[index:], later[index:]
    if not old or not new or _is_edit(old, new[0]):
        return False
    kept = set(map(as_bytes, old)) & set(map(as_bytes, new))
    ids, others = _call_ids(old), _call_ids(new)
    if ids and others and not ids & others:
        kept -= {as_bytes(message) for message in old if _call_ids([message])}
    return not kept


def _is_edit(old: Sequence[Message], new: Message) -> bool:
    first = old[0]
    if first.role != new.role:
        return False
    if first.role == "tool":
        return first.tool_call_id is not None and first.tool_call_id == new.tool_call_id
    return len(old) == 1 and nearly_same(first.text, new.text)


def _call_ids(messages: Sequence[Message]) -> set[str]:
    """The ids of the calls that some messages make or answer: another attempt has other ones."""
    answered = {m.tool_call_id for m in messages if m.tool_call_id}
    return answered | {call.id for m in messages for call in m.tool_calls if call.id}
