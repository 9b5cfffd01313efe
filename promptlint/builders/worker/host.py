"""The host and the user: names, working directory, environment variables."""

# pathlib is itself watched, so it is not used here.
# ruff: noqa: PTH109

from __future__ import annotations

import getpass
import os
import platform
import pwd
import socket
from collections.abc import Callable
from typing import Any

from .observe import Recorder
from .replace import Replacements

_PLATFORM = ("node", "platform", "release", "system", "version", "machine", "uname")
_SILENT_VARIABLES = frozenset({"PATH", "TMPDIR", "TEMP", "TMP"})


def install(
    machine: dict[str, str], user: str, recorder: Recorder, replacements: Replacements
) -> None:
    """Show another machine. `machine` holds `node`, `release`, `version` and perhaps `folder`."""
    _replace_machine(machine, recorder, replacements)
    _replace_user(user, recorder, replacements)
    _replace_folder(machine.get("folder"), recorder, replacements)
    _watch_environment(recorder)


def _recorded(
    recorder: Recorder, key: str, read: Callable[..., Any]
) -> Callable[[Any], Callable[..., Any]]:
    def wrap(original: Any) -> Callable[..., Any]:
        def function(*args: Any, **kwargs: Any) -> Any:
            value = read(original, *args, **kwargs)
            recorder.record(
                "host", key, os.fsdecode(value) if isinstance(value, bytes) else str(value)
            )
            return value

        return function

    return wrap


def _call(original: Any, *args: Any, **kwargs: Any) -> Any:
    return original(*args, **kwargs)


def _replace_machine(
    machine: dict[str, str], recorder: Recorder, replacements: Replacements
) -> None:
    def uname(original: Any) -> Any:
        real = original()
        names = (real.sysname, machine["node"], machine["release"], machine["version"])
        return os.uname_result((*names, real.machine))

    replacements.swap(os, "uname", _recorded(recorder, "os.uname", uname))
    replacements.swap(
        socket,
        "gethostname",
        _recorded(recorder, "socket.gethostname", lambda _original: machine["node"]),
    )
    replacements.swap(
        socket,
        "getfqdn",
        _recorded(
            recorder,
            "socket.getfqdn",
            lambda original, name="": original(name) if name else machine["node"],
        ),
    )
    platform._uname_cache = None  # type: ignore[attr-defined]
    for name in _PLATFORM:
        replacements.swap(platform, name, _recorded(recorder, "platform." + name, _call))


def _replace_user(user: str, recorder: Recorder, replacements: Replacements) -> None:
    def entry(original: Any, uid: int) -> Any:
        found = original(uid)
        if uid != os.getuid():
            return found
        fields = list(found)
        fields[0], fields[5] = user, os.environ.get("HOME", found.pw_dir)
        return pwd.struct_passwd(fields)

    def login(_original: Any) -> str:
        return user

    replacements.swap(pwd, "getpwuid", _recorded(recorder, "pwd.getpwuid", entry))
    replacements.swap(os, "getlogin", _recorded(recorder, "os.getlogin", login))
    replacements.swap(getpass, "getuser", _recorded(recorder, "getpass.getuser", _call))


def _replace_folder(alias: str | None, recorder: Recorder, replacements: Replacements) -> None:
    """The working directory; `alias` is a link that stands for the folder of the start."""
    start = os.getcwd()

    def shown(original: Any) -> str:
        folder: str = original()
        if alias and (folder + os.sep).startswith(start + os.sep):
            return alias + folder[len(start) :]
        return folder

    replacements.swap(os, "getcwd", _recorded(recorder, "os.getcwd", shown))
    replacements.swap(
        os,
        "getcwdb",
        _recorded(recorder, "os.getcwdb", lambda _o: os.fsencode(os.getcwd())),
    )


def _watch_environment(recorder: Recorder) -> None:
    original = os._Environ.__getitem__

    def getitem(self: Any, key: Any) -> Any:
        value = original(self, key)
        caller = recorder.frames.caller("os", "_collections_abc", "collections.abc")
        if key not in _SILENT_VARIABLES and caller in ("project", "library"):
            recorder.record("environment", os.fsdecode(key), os.fsdecode(value))
        return value

    os._Environ.__getitem__ = getitem  # type: ignore[method-assign]
