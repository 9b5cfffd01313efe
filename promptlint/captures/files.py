"""The bytes of capture files: unpacked, behind a byte order mark."""

import codecs
import zlib
from io import BufferedReader, BytesIO, FileIO
from pathlib import Path

from msgspec import Struct

_BUFFER = 1 << 20
"""Bytes: a line of a long session fits in."""
_CHUNK = 1 << 12
"""Bytes unpacked at a time: what stands before damage in a packed file is kept."""
_GZIP = zlib.MAX_WBITS | 16


class CaptureFile(Struct, frozen=True):
    """An opened file. `damage` says why not all of it can be unpacked, None if all can."""

    bytes: BufferedReader
    damage: str | None = None


def opened(path: Path) -> CaptureFile:
    """The bytes of a file. Raises OSError."""
    damage = None
    source: FileIO | BytesIO
    if path.suffix == ".gz":
        unpacked, damage = _unpacked(path.read_bytes())
        source = BytesIO(unpacked)
    else:
        source = FileIO(path)
    file: BufferedReader = BufferedReader(source, _BUFFER)
    if file.peek().startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))
    return CaptureFile(file, damage)


def _unpacked(data: bytes) -> tuple[bytes, str | None]:
    """The text of all members of a gzip file, up to where it is damaged, and the damage."""
    pieces: list[bytes] = []
    member, ended = zlib.decompressobj(_GZIP), True
    try:
        for start in range(0, len(data), _CHUNK):
            rest = data[start : start + _CHUNK]
            while rest := rest.lstrip(b"\0") if ended else rest:
                pieces.append(member.decompress(rest))
                rest, ended = member.unused_data, member.eof
                if ended:
                    member = zlib.decompressobj(_GZIP)
    except zlib.error as error:
        return b"".join(pieces), f"no valid gzip: {error}"
    return b"".join(pieces), None if ended else "no valid gzip: it ends too early"
