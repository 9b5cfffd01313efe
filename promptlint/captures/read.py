"""Read captured request bodies from files: JSON, JSON lines, plain or gzipped."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptlint.bodies import BodyError, conversation_id
from promptlint.captures.beside import read_beside
from promptlint.captures.files import CaptureFile, opened
from promptlint.captures.growing_lines import GrowingLines
from promptlint.captures.growing_requests import GrowingRequests
from promptlint.captures.names import is_capture
from promptlint.location import Location
from promptlint.request import Json, Request

_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


class CapturedRequest(Struct, frozen=True):
    """One request as it was sent.

    `body` is what stood on the wire, `request` what was read from it. `usage` is the
    usage object of its answer, `time` in seconds since 1970, `session` the id of its
    conversation, the recorder's or else the provider's: each None where the capture does
    not say. `unread` names what stands beside the request in the capture and was not read.
    """

    request: Request
    body: Mapping[str, Json]
    place: Location
    usage: Mapping[str, Json] | None = None
    time: float | None = None
    session: str | None = None
    unread: tuple[str, ...] = ()

    @property
    def day(self) -> date | None:
        """The day (UTC) on which it was sent, None where the time is not known."""
        return None if self.time is None else datetime.fromtimestamp(self.time, UTC).date()


class Captures(Struct, frozen=True):
    """The requests of some files, in time order, and one line for each entry that is broken."""

    requests: tuple[CapturedRequest, ...]
    problems: tuple[str, ...]


class CaptureError(Exception):
    """A path that cannot be read at all. The message is one line: the path, then the cause."""


class _ProblemError(Exception):
    """One broken entry: the rest of the file goes on."""


class _Entry(Struct, frozen=True):
    """One JSON value of a file, or what is wrong with it."""

    place: Location
    value: Any = None
    problem: str | None = None


def read_captures(paths: Iterable[Path]) -> Captures:
    """The requests in files, and in the capture files of folders.

    A file is one entry, a list of entries, or one entry a line; an entry is a body or
    `{"request": body, "usage", "time", "session"}`. Requests with times are put in
    their order; without, files and lines stand in the order given, a folder's files as
    people number them: `2.json` before `10.json`.

    Raises:
        CaptureError: a path does not exist or cannot be opened.
    """
    requests: list[CapturedRequest] = []
    problems: list[str] = []
    reader = GrowingRequests()
    for path in paths:
        for entry in _entries(path):
            try:
                requests.append(_captured(entry, reader))
            except _ProblemError as error:
                problems.append(f"{entry.place}: {error}")
    if requests and all(request.time is not None for request in requests):
        requests.sort(key=lambda request: request.time or 0.0)
    return Captures(tuple(requests), tuple(problems))


def _entries(path: Path) -> Iterator[_Entry]:
    if path.is_dir():
        for file in sorted(filter(is_capture, path.iterdir()), key=_natural):
            yield from _entries_of_file(file)
    else:
        yield from _entries_of_file(path)


def _natural(path: Path) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """The order in which people number files: `2.json` before `10.json`."""
    parts = re.findall(r"\d+|\D+", path.name)
    return tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts), path.name


def _entries_of_file(path: Path) -> Iterator[_Entry]:
    read = _lines if path.name.endswith(_LINE_SUFFIXES) else _document
    try:
        file = opened(path)
        with file.bytes:
            yield from read(path, file)
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror}") from error


def _lines(path: Path, file: CaptureFile) -> Iterator[_Entry]:
    """One entry a line. The damage of a file is the problem of its last line.

    Only at line feeds: U+2028 and its kind may stand inside a JSON text.
    """
    parser = GrowingLines()
    place = Location(str(path))
    for number, line in enumerate(file.bytes, start=1):
        if line.isspace():
            continue
        place = Location(str(path), number)
        ends = line.endswith(b"\n")
        # A view, since the line of a long session is long, and copying it takes its time.
        entry = _entry(place, memoryview(line)[: len(line) - ends], parser.parse)
        is_cut = file.damage is not None and not ends
        if not (is_cut and entry.problem):
            yield entry
    if file.damage is not None:
        yield _Entry(place, problem=file.damage)


def _document(path: Path, file: CaptureFile) -> Iterator[_Entry]:
    """A whole JSON document; where the lines are documents of their own, one a line."""
    text = file.bytes.read()
    entry = _entry(Location(str(path)), text, json.loads)
    if entry.problem and _has_lines(text):
        yield from _lines(path, replace(file, bytes=BufferedReader(BytesIO(text))))
        return
    if isinstance(entry.value, list):
        for index, item in enumerate(entry.value, start=1):
            yield _Entry(Location(f"{path}[{index}]"), item)
    elif not (file.damage and entry.problem):
        yield entry
    if file.damage is not None:
        yield _Entry(Location(str(path)), problem=file.damage)


def _entry(place: Location, data: bytes | memoryview, parse: Callable[[str], Any]) -> _Entry:
    """The value of a UTF-8 text, or the fault in it with the line where it stands."""
    try:
        return _Entry(place, parse(str(data, "utf-8")))
    except UnicodeDecodeError as error:
        return _Entry(place, problem=f"no UTF-8 text: byte {error.start}")
    except json.JSONDecodeError as error:
        fault = f"no valid JSON: {error.msg}"
        if place.line is None:
            return _Entry(replace(place, line=error.lineno), problem=fault)
        return _Entry(place, problem=f"{fault} at column {error.colno}")
    except (ValueError, RecursionError) as error:
        return _Entry(place, problem=f"no valid JSON: {error}")


def _has_lines(text: bytes) -> bool:
    """Whether the first of several lines looks like an object, or at least half of them do."""
    lines = [line for line in map(bytes.strip, text.splitlines()) if line]
    objects = [line.startswith(b"{") and line.endswith(b"}") for line in lines]
    return len(lines) > 1 and (objects[0] or 2 * sum(objects) >= len(lines))


def _captured(entry: _Entry, reader: GrowingRequests) -> CapturedRequest:
    if entry.problem:
        raise _ProblemError(entry.problem)
    if not isinstance(entry.value, dict):
        raise _ProblemError("an entry is an object: a request body, or one under `request`")
    wrapped = isinstance(entry.value.get("request"), dict)
    fields = entry.value if wrapped else {}
    body = entry.value["request"] if wrapped else entry.value
    try:
        request = reader.read(body)
    except BodyError as error:
        raise _ProblemError(str(error)) from error
    try:
        beside = read_beside(fields)
    except ValueError as error:
        raise _ProblemError(str(error)) from error
    return CapturedRequest(
        request=request,
        body=body,
        place=entry.place,
        usage=beside.usage,
        time=beside.time,
        session=conversation_id(body) if beside.session is None else beside.session,
        unread=beside.unread,
    )
