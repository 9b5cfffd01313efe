"""Parse lines of JSON that repeat each other: a conversation is sent again with every request.

The messages of a line that stand in the text it shares with an earlier line, character for
character, are the objects that were parsed from there; so is what stands around the messages.
Only what is new is parsed.
"""

import json
import re
from bisect import bisect_right
from collections import deque
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptlint.captures.common_prefix import common_prefix

_LIST = re.compile(r'"(messages|input|contents)"\s*:\s*\[\s*')
_NEXT = re.compile(r"\s*,\s*")
_CLOSE = re.compile(r"\s*\]")
_DECODER = json.JSONDecoder()
_REMEMBERED = 8


class _Line(Struct, frozen=True, eq=False):
    """A parsed line. `key` names its list of messages, which opens before character `opens`.

    `entries` are what stands in the list, `ends` the characters behind each of them. `around`
    is the value with an empty list, and `rest` the text behind the last entry.
    """

    text: str
    key: str
    opens: int
    entries: tuple[Any, ...]
    ends: tuple[int, ...]
    around: Any = None
    rest: str = ""

    @property
    def value(self) -> Any:
        """The whole value. Raises where there is no such list in it, or in its request."""
        entries = list(self.entries)
        if self.around.get(self.key) == []:
            return {**self.around, self.key: entries}
        return {**self.around, "request": {**self.around["request"], self.key: entries}}


class GrowingLines:
    """A JSON parser that remembers the last lines. Its values are those of `json.loads`."""

    def __init__(self) -> None:
        self._known: deque[_Line] = deque(maxlen=_REMEMBERED)

    def parse(self, text: str) -> Any:
        """The value of one line. Raises ValueError and RecursionError as `json.loads` does."""
        shared, nearest = max(
            ((_shared(text, line), line) for line in self._known),
            key=lambda pair: pair[0],
            default=(0, None),
        )
        goes_on = nearest is not None and shared > nearest.opens
        try:
            line = _grown(text, nearest, shared) if nearest and goes_on else _first(text)
            value = line.value
        except (ValueError, KeyError, TypeError, AttributeError):
            # It has no such list, or it is no JSON: whoever parses it whole says where.
            return json.loads(text)
        if nearest is not None and shared >= nearest.ends[-1]:
            self._known.remove(nearest)
        self._known.append(line)
        return value


def _shared(text: str, line: _Line) -> int:
    """How many characters a text shares with a known line; mostly all of its messages."""
    entries = line.ends[-1]
    known = entries if text.startswith(line.text[:entries]) else 0
    return common_prefix(text, line.text, known=known)


def _first(text: str) -> _Line:
    """A line without one to go on from. Raises ValueError where its list is not found for sure."""
    opening = _LIST.search(text)
    if opening is None:
        raise ValueError("no list of messages")
    line = _read_on(_Line(text, opening[1], opening.end(), (), ()))
    if not line.ends or line.value != json.loads(text):
        raise ValueError("these words stood inside a text")
    return line


def _grown(text: str, known: _Line, shared: int) -> _Line:
    """A line with the entries of a known one that it shares, and its own ones behind them."""
    kept = bisect_right(known.ends, shared)
    if kept and known.ends[kept - 1] == shared and not isinstance(known.entries[kept - 1], dict):
        kept -= 1  # a number may go on behind its end
    entries, ends = known.entries[:kept], known.ends[:kept]
    return _read_on(replace(known, text=text, entries=entries, ends=ends))


def _read_on(line: _Line) -> _Line:
    """The line with all entries up to the end of its list. Raises ValueError."""
    entries, ends = list(line.entries), list(line.ends)
    end = ends[-1] if ends else line.opens
    while _CLOSE.match(line.text, end) is None:
        comma = _NEXT.match(line.text, end)
        if bool(entries) != bool(comma):
            raise ValueError("neither another entry nor the end of the list")
        entry, end = _DECODER.raw_decode(line.text, comma.end() if comma else end)
        entries.append(entry)
        ends.append(end)
    rest = line.text[end:]
    around = line.around if rest == line.rest else json.loads(line.text[: line.opens] + rest)
    return replace(line, entries=tuple(entries), ends=tuple(ends), around=around, rest=rest)
