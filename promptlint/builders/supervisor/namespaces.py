"""Namespaces: a read-only view of the file system, and a network of one's own that leads nowhere.

Works without root where the kernel allows user namespaces.
"""

import fcntl
import os
import socket
import struct
from collections.abc import Sequence
from pathlib import Path

from .system_calls import system_call

_NEW_MOUNTS, _NEW_USER, _NEW_NETWORK = 0x00020000, 0x10000000, 0x40000000
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_MOUNT_SETATTR, _CURRENT_FOLDER, _ALL_BELOW, _READ_ONLY = 442, -100, 0x8000, 1
_SET_FLAGS, _UP = 0x8914, 0x1


READ_ONLY_MOUNTS = "read-only mounts"
NETWORK = "network namespace"


def enter(means: Sequence[str], writable: Sequence[str]) -> None:
    """Enter the namespaces that these means need.

    Raises OSError at the first step that the system refuses; the process is then
    of no more use, since it may stand between two worlds.
    """
    user, group = os.getuid(), os.getgid()
    flags = {READ_ONLY_MOUNTS: _NEW_MOUNTS, NETWORK: _NEW_NETWORK}
    system_call("unshare", _NEW_USER | sum(flags[name] for name in means))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    if READ_ONLY_MOUNTS in means:
        _mount_read_only(writable)
    if NETWORK in means:
        _raise_loopback()


def _mount_read_only(writable: Sequence[str]) -> None:
    system_call("mount", None, b"/", None, _RECURSIVE | _PRIVATE, None)
    for folder in writable:
        system_call("mount", folder.encode(), folder.encode(), None, _BIND, None)
    _set_read_only(b"/", True, _ALL_BELOW)
    for folder in writable:
        _set_read_only(folder.encode(), False, 0)
    if os.path.ismount("/dev/shm"):  # noqa: S108 - where semaphores live
        _set_read_only(b"/dev/shm", False, 0)


def _set_read_only(path: bytes, read_only: bool, flags: int) -> None:
    wanted, dropped = (_READ_ONLY, 0) if read_only else (0, _READ_ONLY)
    attributes = struct.pack("=QQQQ", wanted, dropped, 0, 0)
    system_call(
        "syscall",
        _MOUNT_SETATTR,
        _CURRENT_FOLDER,
        path,
        flags,
        attributes,
        len(attributes),
    )


def _raise_loopback() -> None:
    """A builder may talk to a server of its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))
