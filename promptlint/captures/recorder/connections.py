"""Which connections the processes of a command hold open, as Linux tells it under /proc."""

import contextlib
import ipaddress
import os
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

_LISTENING = "0A"

CAN_BE_SEEN = sys.platform == "linux"
"""Whether this platform tells which connections another process has."""


class _Socket(Struct, frozen=True):
    inode: str
    local_port: int
    remote: tuple[str, int]
    listening: bool


def remote_addresses(processes: Iterable[int]) -> set[tuple[str, int]]:
    """The remote addresses and ports of the TCP connections that these processes hold.

    What they talk about among themselves is left out. A process that has ended holds none.
    """
    inodes: set[str] = set()
    sockets: set[_Socket] = set()
    for process in processes:
        held = _held(process)
        if held:
            inodes |= held
            sockets |= set(_sockets(process))
    own = [found for found in sockets if found.inode in inodes]
    served = {found.local_port for found in own if found.listening}
    return {
        found.remote
        for found in own
        if found.remote[1]
        and found.local_port not in served
        and not (found.remote[1] in served and _is_loopback(found.remote[0]))
    }


def _held(process: int) -> set[str]:
    """The inodes of the sockets that a process holds."""
    held = set()
    with contextlib.suppress(OSError):  # it ended, or became another user's
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):
                link = str(descriptor.readlink())  # no path, but `socket:[123]`
                if link.startswith("socket:["):
                    held.add(link[8:-1])
    return held


def _sockets(process: int) -> Iterator[_Socket]:
    """The TCP sockets of the network that a process lives in."""
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{process}/net/{table}").read_text().splitlines()
            for line in lines[1:]:
                fields = line.split()
                _, local_port = _address(fields[1])
                listening = fields[3] == _LISTENING
                yield _Socket(fields[9], local_port, _address(fields[2]), listening)


def _address(text: str) -> tuple[str, int]:
    """An address as the kernel prints it: words in the machine's byte order, in hexadecimal."""
    host, _, port = text.partition(":")
    words = [int(host[at : at + 8], 16) for at in range(0, len(host), 8)]
    packed = b"".join(struct.pack("=I", word) for word in words)
    family = socket.AF_INET if len(words) == 1 else socket.AF_INET6
    address = ipaddress.ip_address(socket.inet_ntop(family, packed))
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address), int(port, 16)


def _is_loopback(host: str) -> bool:
    return ipaddress.ip_address(host).is_loopback


def owner(local_port: int, remote: tuple[str, int]) -> int | None:
    """The process that holds the connection from a local port to an address, where it is seen."""
    inodes = {
        found.inode
        for found in _sockets(os.getpid())
        if (found.local_port, found.remote) == (local_port, remote)
    }
    processes = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    return next((process for process in processes if inodes & _held(process)), None)
