"""Read captured request bodies from files: JSON, JSON lines, plain or gzipped."""

import codecs
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from io import BufferedReader, BytesIO, FileIO
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct

from promptlint.bodies import BodyError
from promptlint.captures.growing_lines import GrowingLines
from promptlint.captures.growing_requests import GrowingRequests
from promptlint.captures.names import is_capture
from promptlint.captures.times import seconds_since_1970
from promptlint.location import Location
from promptlint.request import Json, Request

_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_BUFFER = 1 << 20
"""Bytes: a line of a long session fits in."""


class CapturedRequest(Struct, frozen=True):
    """One request as it was sent.

    `body` is what stood on the wire, `request` what was read from it. `usage` is the
    usage object of its answer, `time` in seconds since 1970, `session` the id that the
    recorder gave to its conversation: each None where the capture does not say.
    """

    request: Request
    body: Mapping[str, Json]
    place: Location
    usage: Mapping[str, Json] | None = None
    time: float | None = None
    session: str | None = None


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
    their order; without, files and lines stand in the order given.

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
        for file in sorted(p for p in path.iterdir() if is_capture(p)):
            yield from _entries_of_file(file)
    else:
        yield from _entries_of_file(path)


def _entries_of_file(path: Path) -> Iterator[_Entry]:
    whole = Location(str(path))
    read = _lines if path.name.endswith(_LINE_SUFFIXES) else _document
    try:
        with _opened(path) as file:
            yield from read(path, file)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        yield _Entry(whole, problem=f"no valid gzip: {error}")
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        yield _Entry(whole, problem=f"no UTF-8 text: byte {error.start}")


def _opened(path: Path) -> BufferedReader:
    """The bytes of a file, unpacked, behind a byte order mark."""
    packed = path.suffix == ".gz"
    source = BytesIO(gzip.decompress(path.read_bytes())) if packed else FileIO(path)
    file: BufferedReader = BufferedReader(source, _BUFFER)
    if file.peek().startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))
    return file


def _lines(path: Path, file: BinaryIO) -> list[_Entry]:
    """The lines of a UTF-8 text; UnicodeDecodeError where one is none."""
    parser = GrowingLines()
    entries = []
    for number, line in enumerate(_decoded_lines(file), start=1):
        if line.strip():
            place = Location(str(path), number)
            try:
                entries.append(_Entry(place, parser.parse(line)))
            except (ValueError, RecursionError) as error:
                entries.append(_Entry(place, problem=f"no valid JSON: {error}"))
    return entries


def _decoded_lines(file: BinaryIO) -> Iterator[str]:
    """One line after the other: all of them are long, and nearly the same.

    Only at line feeds: U+2028 and its kind may stand inside a JSON text.
    """
    start = 0
    for line in file:
        try:
            yield line.removesuffix(b"\n").decode("utf-8")
        except UnicodeDecodeError as error:
            error.start += start
            raise
        start += len(line)


def _document(path: Path, file: BinaryIO) -> Iterator[_Entry]:
    """A whole JSON document; where a second one follows the first, one a line."""
    place, text = Location(str(path)), file.read()
    try:
        value = json.loads(text.decode("utf-8"))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            yield from _lines(path, BytesIO(text))
        else:
            yield _Entry(Location(str(path), error.lineno), problem=f"no valid JSON: {error.msg}")
        return
    except RecursionError as error:
        yield _Entry(place, problem=f"no valid JSON: {error}")
        return
    if isinstance(value, list):
        for index, item in enumerate(value, start=1):
            yield _Entry(Location(f"{path}[{index}]"), item)
    else:
        yield _Entry(place, value)


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
    usage = fields.get("usage")
    session = fields.get("session")
    return CapturedRequest(
        request=request,
        body=body,
        place=entry.place,
        usage=usage if isinstance(usage, dict) else None,
        time=_time(fields.get("time")),
        session=session if isinstance(session, str) else None,
    )


def _time(value: Json) -> float | None:
    try:
        return None if value is None else seconds_since_1970(value)
    except ValueError as error:
        raise _ProblemError(f"`time` is {error}") from error
