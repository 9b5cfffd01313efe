"""What a line of a capture says beside its request: the usage, the time and the session."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptlint.bodies.fields import type_name
from promptlint.captures.times import seconds_since_1970
from promptlint.request import Json

_READ = ("request", "usage", "time", "session")
_OWN = ("format",)
"""What a recording says as well: it follows from the body."""


class Beside(Struct, frozen=True):
    """The fields next to `request`; `unread` names those that are unknown or of another type."""

    usage: Mapping[str, Json] | None = None
    time: float | None = None
    session: str | None = None
    unread: tuple[str, ...] = ()


def read_beside(fields: Mapping[str, Json]) -> Beside:
    """The fields of a line. Raises ValueError for a time that is none: the order hangs on it."""
    usage, time, session = (fields.get(name) for name in ("usage", "time", "session"))
    try:
        moment = None if time is None else seconds_since_1970(time)
    except ValueError as error:
        raise ValueError(f"`time` is {error}") from error
    return Beside(
        usage=usage if isinstance(usage, dict) else None,
        time=moment,
        session=session if isinstance(session, str) else None,
        unread=tuple(_unread(fields)),
    )


def _unread(fields: Mapping[str, Json]) -> Iterator[str]:
    for name, value in fields.items():
        if value is None:
            continue
        if name == "usage" and not isinstance(value, dict):
            yield f"`usage`, {type_name(value)} and no object"
        elif name == "session" and not isinstance(value, str):
            yield f"`session`, {type_name(value)} and no text"
        elif name not in (*_READ, *_OWN):
            yield f"`{name}`"
