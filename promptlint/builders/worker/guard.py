"""Refuses writes outside the copies and, if told so, the network: by audit hooks.

The kernel does the same more thoroughly where it can. These hooks hold everywhere, but
only for Python code of this process: not for children, nor for C libraries such as sqlite.
"""

# pathlib is itself watched, so it is not used here.
# ruff: noqa: PTH115, PTH117, PTH118

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Sequence
from typing import Any

Handler = Callable[..., None]

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/shm/")  # noqa: S108
# Places among an event's arguments: of a path, and of the descriptor it is relative to.
_Places = tuple[tuple[int, int], ...]
_LOOPBACK = ("127.", "::1", "localhost")
_NONE = 9  # no event has so many arguments
_CHANGES_OF_ENTRIES: dict[str, _Places] = {
    "os.mkdir": ((0, 2),),
    "os.rmdir": ((0, 1),),
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((0, 2), (1, 3)),  # a second name for a file is a way to write it
    "os.symlink": ((1, 2),),
}
_CHANGES_OF_FILES: dict[str, _Places] = {
    "os.truncate": ((0, _NONE),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "os.setxattr": ((0, _NONE),),
    "os.removexattr": ((0, _NONE),),
}


class Guard:
    """Knows the folders that may be written, and whether there is a network.

    `own_loopback` says that 127.0.0.1 is this process's own and leads to nobody else.
    """

    def __init__(self, writable: Sequence[str], network: bool, own_loopback: bool) -> None:
        self._writable = tuple(os.path.join(folder, "") for folder in writable)
        self._network = network
        self._own_loopback = own_loopback

    def handlers(self) -> dict[str, Handler]:
        """The audit events that are guarded."""
        found: dict[str, Handler] = {"open": self._on_open}
        for event, places in _CHANGES_OF_ENTRIES.items():
            found[event] = self._on_change(places, _resolve_entry)
        for event, places in _CHANGES_OF_FILES.items():
            found[event] = self._on_change(places, _resolve)
        if not self._network:
            found["socket.connect"] = self._on_connect
            found["socket.sendto"] = self._on_connect
            found["socket.getaddrinfo"] = self._on_lookup
            found["socket.gethostbyname"] = self._on_lookup
        return found

    def _on_open(self, path: Any, mode: Any, flags: Any) -> None:
        writes = flags & _WRITES if isinstance(flags, int) else "r" not in str(mode)
        if writes and isinstance(path, (str, bytes)):
            self._require(_resolve(path, -1))

    def _on_change(self, places: _Places, resolve: Callable[[Any, Any], str]) -> Handler:
        def handler(*arguments: Any) -> None:
            for path_place, folder_place in places:
                folder = arguments[folder_place] if folder_place < len(arguments) else -1
                self._require(resolve(arguments[path_place], folder))

        return handler

    def _require(self, where: str) -> None:
        if where and not where.startswith((*self._writable, *_DEVICES)):
            raise PermissionError(errno.EACCES, "promptlint: writing here is not allowed", where)

    def _on_connect(self, _socket: Any, address: Any) -> None:
        if isinstance(address, (str, bytes)):
            if os.path.realpath(os.fsdecode(address)).startswith(self._writable):
                return
        elif self._own_loopback and str(address[0]).startswith(_LOOPBACK):
            return
        raise OSError(errno.ENETUNREACH, "promptlint: no network while a prompt is built")

    def _on_lookup(self, host: Any, *_rest: Any) -> None:
        if host and not _is_local(host):
            raise socket.gaierror(
                socket.EAI_AGAIN, "promptlint: no network while a prompt is built"
            )


def _is_local(host: Any) -> bool:
    name = host.decode("idna") if isinstance(host, bytes) else str(host)
    if name == "localhost":
        return True
    family = socket.AF_INET6 if ":" in name else socket.AF_INET
    try:
        socket.inet_pton(family, name)
    except (OSError, ValueError):
        return False
    return True


def _resolve_entry(path: Any, folder: Any) -> str:
    """The real path of a folder's entry: a link is meant itself, not what it leads to."""
    parent, name = os.path.split(os.fsdecode(path).rstrip(os.sep))
    return os.path.join(_resolve(parent or os.curdir, folder), name)


def _resolve(path: Any, folder: Any) -> str:
    """The real path of a file, which may be open or relative to an open folder."""
    if isinstance(path, int):
        return _of_descriptor(path)
    name = os.fsdecode(path)
    if isinstance(folder, int) and folder >= 0 and not os.path.isabs(name):
        name = os.path.join(_of_descriptor(folder), name)
    return os.path.realpath(name)


def _of_descriptor(descriptor: int) -> str:
    try:
        found = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""
    return found if found.startswith("/") else ""
