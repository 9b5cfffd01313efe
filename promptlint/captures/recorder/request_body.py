"""The body of an HTTP request, whichever way it was sent."""

import gzip
import zlib
from email.message import Message
from io import BufferedIOBase

_LARGEST = 256 << 20


class UnreadableError(Exception):
    """A body that cannot be read. `status` is the HTTP status that says so."""

    def __init__(self, status: int, cause: str) -> None:
        super().__init__(cause)
        self.status = status


def read_body(headers: Message, stream: BufferedIOBase) -> bytes:
    """The body's bytes: of a given length or in chunks, plain or compressed.

    Raises UnreadableError.
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        data = _chunks(stream)
    else:
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            raise UnreadableError(400, f"a content-length of {length!r}")
        data = _exactly(stream, int(length), 0)
    for encoding in reversed(headers.get("content-encoding", "").lower().split(",")):
        data = _decoded(data, encoding.strip())
    return data


def _chunks(stream: BufferedIOBase) -> bytes:
    chunks: list[bytes] = []
    read = 0
    while True:
        size = stream.readline().partition(b";")[0].strip()
        try:
            length = int(size, 16)
        except ValueError:
            raise UnreadableError(400, f"a chunk of size {size[:20]!r}") from None
        if length == 0:
            break
        chunks.append(_exactly(stream, length, read))
        read += length
        stream.readline()
    while stream.readline().strip():
        pass  # trailers
    return b"".join(chunks)


def _exactly(stream: BufferedIOBase, length: int, before: int) -> bytes:
    if before + length > _LARGEST:
        raise UnreadableError(413, f"a body of more than {_LARGEST >> 20} MiB")
    data = stream.read(length)
    if len(data) < length:
        raise UnreadableError(400, "a body that ended too early")
    return data


def _decoded(data: bytes, encoding: str) -> bytes:
    try:
        if encoding in ("", "identity"):
            return data
        if encoding in ("gzip", "x-gzip"):
            return gzip.decompress(data)
        if encoding == "deflate":
            return zlib.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError(400, f"no valid {encoding}: {error}") from None
    raise UnreadableError(415, f"a body with the encoding {encoding!r}, which is not known here")
