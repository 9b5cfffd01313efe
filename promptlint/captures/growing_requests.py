"""Read bodies that go on from earlier ones: only the new messages are read again."""

from collections import deque
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptlint.bodies import BodyFormat, body_format, request_from_body
from promptlint.request import SYSTEM_ROLES, Json, Request
from promptlint.same_objects import same_objects

_LISTS = {
    BodyFormat.CHAT: "messages",
    BodyFormat.ANTHROPIC: "messages",
    BodyFormat.CONVERSE: "messages",
    BodyFormat.RESPONSES: "input",
    BodyFormat.GEMINI: "contents",
}
_SYSTEM_FIELDS = ("system", "instructions", "systemInstruction", "system_instruction")
"""Where the system text is not among the messages."""
_CLOSED_ROLES = ("user", "tool", "function")
_REMEMBERED = 4


class _Known(Struct, frozen=True):
    """A request that was read; `cuts` are numbers of entries, and of the messages they made."""

    form: BodyFormat
    body: Mapping[str, Json]
    entries: list[Any]
    request: Request
    cuts: tuple[tuple[int, int], ...]


class GrowingRequests:
    """A reader of bodies whose requests share the messages that their bodies share.

    A body shares the entries that are the same objects, as `GrowingLines` parses them.
    """

    def __init__(self) -> None:
        self._known: deque[_Known] = deque(maxlen=_REMEMBERED)

    def read(self, body: Mapping[str, Json]) -> Request:
        """The request of a body. Raises BodyError."""
        for known in reversed(self._known):
            grown = _grown(body, known)
            if grown is not None:
                self._known.remove(known)
                self._known.append(grown)
                return grown.request
        request = request_from_body(body)
        form = body_format(body)
        entries = body.get(_LISTS[form]) if form else None
        if form and isinstance(entries, list):
            cut = (len(entries), len(request.messages))
            self._known.append(_Known(form, body, entries, request, (cut,)))
        return request


def _grown(body: Mapping[str, Json], known: _Known) -> _Known | None:
    """The known request with the new messages of `body`, if it goes on from a cut of it."""
    key = _LISTS[known.form]
    entries = body.get(key)
    if not isinstance(entries, list):
        return None
    if any(bool(body.get(name)) != bool(known.body.get(name)) for name in _SYSTEM_FIELDS):
        return None
    shared = same_objects(entries, known.entries)
    cuts = tuple(cut for cut in known.cuts if 0 < cut[0] <= shared)
    if not cuts:
        return None
    kept, messages = cuts[-1]
    tail = entries[kept:]
    if not _closed(entries[kept - 1]) or (tail and _is_system(tail[0])):
        return None
    if _same_around(body, known.body, key):
        read = request_from_body({key: tail}, known.form)
        around = known.request
    else:
        around = read = request_from_body({**body, key: tail}, known.form)
    request = replace(
        around,
        system=read.system or known.request.system,
        messages=(*known.request.messages[:messages], *read.messages),
        unknown_fields=tuple(dict.fromkeys((*known.request.unknown_fields, *read.unknown_fields))),
    )
    cut = (len(entries), len(request.messages))
    return _Known(known.form, body, entries, request, (*cuts, cut))


def _same_around(body: Mapping[str, Json], known: Mapping[str, Json], key: str) -> bool:
    """Whether all but the messages is the same objects."""
    return body.keys() == known.keys() and all(
        body[name] is value for name, value in known.items() if name != key
    )


def _closed(entry: Any) -> bool:
    """Whether nothing that follows an entry can become part of its message."""
    return isinstance(entry, dict) and (
        entry.get("role") in _CLOSED_ROLES or str(entry.get("type")).endswith("_output")
    )


def _is_system(entry: Any) -> bool:
    return isinstance(entry, dict) and str(entry.get("role")) in SYSTEM_ROLES
