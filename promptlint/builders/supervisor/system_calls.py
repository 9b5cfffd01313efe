"""The few Linux system calls that the standard library does not offer."""

import ctypes
import os

_LIBRARY = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def system_call(name: str, *arguments: object) -> int:
    """Call a function of the C library. Raises OSError where it fails."""
    result: int = getattr(_LIBRARY, name)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def process_control(option: int, value: int) -> None:
    """`prctl` with one value."""
    system_call("prctl", option, ctypes.c_ulong(value), 0, 0, 0)
