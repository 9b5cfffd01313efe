"""Landlock: no writes outside some folders, for this process and all its children.

Numbers and structures: the Linux kernel's `include/uapi/linux/landlock.h`.
"""

import ctypes
import os
import struct
from collections.abc import Sequence

from .system_calls import system_call

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

_WRITE_FILE = 1 << 1
_CHANGES = sum(1 << bit for bit in range(4, 13))  # remove and make entries of every kind
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_CONNECT_TCP = 1 << 1
_SIGNALS = 1 << 1  # no signals to processes outside

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts")


def restrict(writable: Sequence[str], network: bool) -> int:
    """Allow writes below `writable` only, and no TCP connections without `network`.

    Returns the version of the interface. The process must have given up new privileges.
    Raises OSError where the kernel has no Landlock.
    """
    version = system_call("syscall", _CREATE_RULESET, None, 0, _VERSION_FLAG)
    files = _WRITE_FILE | _CHANGES
    files |= _REFER if version >= 2 else 0
    files |= _TRUNCATE if version >= 3 else 0
    sockets = _CONNECT_TCP if version >= 4 and not network else 0
    scopes = _SIGNALS if version >= 6 else 0
    ruleset = _create(files, sockets, scopes)
    for folder in (*writable, "/dev/shm"):  # noqa: S108 - where semaphores live
        _allow(ruleset, folder, files)
    for device in _DEVICES:
        _allow(ruleset, device, files & (_WRITE_FILE | _TRUNCATE))
    system_call("syscall", _RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return version


def _create(files: int, sockets: int, scopes: int) -> int:
    attributes = struct.pack("=QQQ", files, sockets, scopes)
    # An older kernel takes a longer structure as long as what it does not know is zero.
    return system_call("syscall", _CREATE_RULESET, attributes, len(attributes), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # a container may lack a device
    rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor))
    system_call("syscall", _ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    os.close(descriptor)
