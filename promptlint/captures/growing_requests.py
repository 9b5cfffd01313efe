"""Read bodies that go on from earlier ones: only the new messages are read again."""

from bisect import bisect_right
from collections import deque
from collections.abc import Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from promptlint.bodies import BodyFormat, body_format, is_chat_message, request_from_body
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
_REMEMBERED = 8


class _Cut(NamedTuple):
    """A number of entries, and of the messages that they made: what follows can be read alone."""

    entries: int
    messages: int


_NO_CUT = _Cut(0, 0)


class _Known(Struct, frozen=True, eq=False):
    """A request that was read, with its cuts, rising."""

    form: BodyFormat
    body: Mapping[str, Json]
    entries: list[Any]
    request: Request
    cuts: tuple[_Cut, ...]


class GrowingRequests:
    """A reader of bodies whose requests share the messages that their bodies share.

    A body shares the entries that are the same objects, as `GrowingLines` parses them.
    """

    def __init__(self) -> None:
        self._known: deque[_Known] = deque(maxlen=_REMEMBERED)

    def read(self, body: Mapping[str, Json]) -> Request:
        """The request of a body. Raises BodyError."""
        found = [(_shared_cut(body, known), known) for known in self._known]
        cut, nearest = max(found, key=itemgetter(0), default=(_NO_CUT, None))
        if nearest is None or cut == _NO_CUT:
            request, form = request_from_body(body), body_format(body)
            cuts: tuple[_Cut, ...] = ()
        else:
            request, form = _grown(body, nearest, cut), nearest.form
            cuts = nearest.cuts[: nearest.cuts.index(cut) + 1]
            if cut == nearest.cuts[-1]:
                self._known.remove(nearest)
        entries = body.get(_LISTS[form]) if form else None
        if form and isinstance(entries, list):
            end = _Cut(len(entries), len(request.messages))
            self._known.append(_Known(form, body, entries, request, (*cuts, end)))
        return request


def _shared_cut(body: Mapping[str, Json], known: _Known) -> _Cut:
    """The last cut of a known request from which `body` goes on, if it can be read from there."""
    entries = body.get(_LISTS[known.form])
    if not isinstance(entries, list):
        return _NO_CUT
    if any(bool(body.get(name)) != bool(known.body.get(name)) for name in _SYSTEM_FIELDS):
        return _NO_CUT
    shared = same_objects(entries, known.entries)
    number = bisect_right(known.cuts, shared, key=itemgetter(0))
    cut = known.cuts[number - 1] if number else _NO_CUT
    if cut.entries == 0 or not _closed(entries[cut.entries - 1]):
        return _NO_CUT
    tail = entries[cut.entries :]
    if any(map(_is_system, tail[:1])) or _shows_other_format(body, tail, known.form):
        return _NO_CUT
    return cut


def _shows_other_format(body: Mapping[str, Json], tail: list[Any], form: BodyFormat) -> bool:
    """Whether the new messages tell of another format: chat and Anthropic's may begin alike."""
    match form:
        case BodyFormat.CHAT:
            return body_format({**body, _LISTS[form]: tail}) is not form
        case BodyFormat.ANTHROPIC:
            return any(is_chat_message(entry) for entry in tail if isinstance(entry, dict))
        case _:
            return False


def _grown(body: Mapping[str, Json], known: _Known, cut: _Cut) -> Request:
    """The known request up to a cut, with the new messages of `body`."""
    key = _LISTS[known.form]
    tail = body[key][cut.entries :]  # type: ignore[index]
    if _same_around(body, known.body, key):
        read = request_from_body({key: tail}, known.form)
        around = known.request
    else:
        around = read = request_from_body({**body, key: tail}, known.form)
    return replace(
        around,
        system=read.system or known.request.system,
        messages=known.request.messages[: cut.messages] + read.messages,
        unknown_fields=tuple(dict.fromkeys((*known.request.unknown_fields, *read.unknown_fields))),
    )


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
