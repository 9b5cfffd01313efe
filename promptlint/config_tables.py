"""What a project adds to the tables of names: calls that move, calls that send prompts."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from promptlint.config_values import Fields, Reader, choice, flag, pattern, text, texts
from promptlint.layout import Axis, CauseKind

_FORMS = ("str", "datetime", "date", "epoch", "number", "path", "process", "listing")
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class CallRow(Struct, frozen=True):
    """One `[[tool.promptlint.call]]`: functions that answer differently another time.

    `axis` is what moves a text that makes the call anew for every request, `form` the shape
    of the answer before it is printed.
    """

    names: tuple[str, ...]
    kind: CauseKind
    source: str
    axis: Axis
    form: str = "str"


class SinkRow(Struct, frozen=True):
    """One `[[tool.promptlint.sink]]`: calls that send a prompt.

    `callee` is searched in the dotted name of what is called. `system`, `messages` and
    `tools` are its keywords that take them. `stored`: what the call makes keeps the text.
    """

    callee: re.Pattern[str]
    system: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    stored: bool = False


class OwnRows(Struct, frozen=True):
    """All that a project adds to the tables."""

    calls: tuple[CallRow, ...] = ()
    sinks: tuple[SinkRow, ...] = ()

    @property
    def keywords(self) -> frozenset[str]:
        """The keywords with which the project's sinks are called."""
        return frozenset(
            word for row in self.sinks for word in (*row.system, *row.messages, *row.tools)
        )


NO_ROWS = OwnRows()


def call_rows(reader: Reader, tables: Sequence[Mapping[str, Any]]) -> tuple[CallRow, ...]:
    """The rows that can be used; the reader keeps the faults of the others."""
    read = (_row(reader, table, f"call {at}", _CALL_FIELDS) for at, table in enumerate(tables, 1))
    return tuple(CallRow(**row) for row in read if row is not None)


def sink_rows(reader: Reader, tables: Sequence[Mapping[str, Any]]) -> tuple[SinkRow, ...]:
    """The rows that can be used; the reader keeps the faults of the others."""
    found = []
    for at, table in enumerate(tables, 1):
        row = _row(reader, table, f"sink {at}", _SINK_FIELDS)
        if row is not None and not any(row.get(key) for key in ("system", "messages", "tools")):
            reader.fault(f"sink {at}", "one of `system`, `messages` and `tools` is needed")
        elif row is not None:
            found.append(SinkRow(**row))
    return tuple(found)


def _row(
    reader: Reader, table: Mapping[str, Any], where: str, fields: Fields
) -> dict[str, Any] | None:
    """A row's values; None if any is at fault. A key that was misspelt is not missed as well."""
    before = len(reader.faults)
    values = reader.read(table, where, fields)
    missing = [key for key in fields if key in _NEEDED and key not in table]
    if missing and len(reader.faults) == before:
        reader.fault(where, f"`{missing[0]}` is missing")
    return values if len(reader.faults) == before else None


def _names(value: Any) -> tuple[str, ...]:
    names = texts(value)
    if not names:
        raise ValueError("must name a function")
    for name in names:
        if not _DOTTED.fullmatch(name):
            raise ValueError(f"`{name}` is no dotted name, such as acme.clock.now")
    return names


_NEEDED = frozenset({"names", "kind", "source", "axis", "callee"})

_CALL_FIELDS: Fields = {
    "names": _names,
    "kind": lambda value: CauseKind(choice(*CauseKind)(value)),
    "source": text,
    "axis": lambda value: Axis(choice(*Axis)(value)),
    "form": choice(*_FORMS),
}

_SINK_FIELDS: Fields = {
    "callee": pattern,
    "system": texts,
    "messages": texts,
    "tools": texts,
    "stored": flag,
}
