"""The host and the user: names, working directory, environment variables."""

# pathlib is itself watched, so it is not used here.
# ruff: noqa: PTH109

from __future__ import annotations

import getpass
import os
import platform
import pwd
import socket
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


def _replace_machine(
    machine: dict[str, str], recorder: Recorder, replacements: Replacements
) -> None:
    def uname(original: Any) -> Any:
        real = original()
        names = (real.sysname, machine["node"], machine["release"], machine["version"])
        return os.uname_result((*names, real.machine))

    def node(_original: Any) -> str:
        return machine["node"]

    def full_name(original: Any, name: str = "") -> str:
        return str(original(name)) if name else machine["node"]

    replacements.swap(os, "uname", recorder.recording("host", "os.uname", uname))
    for name, read in (("gethostname", node), ("getfqdn", full_name)):
        stand_in = recorder.recording("host", "socket." + name, read)
        replacements.swap(socket, name, stand_in)
    platform._uname_cache = None  # type: ignore[attr-defined]
    for name in _PLATFORM:
        replacements.swap(platform, name, recorder.recording("host", "platform." + name))


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

    replacements.swap(pwd, "getpwuid", recorder.recording("host", "pwd.getpwuid", entry))
    replacements.swap(os, "getlogin", recorder.recording("host", "os.getlogin", login))
    replacements.swap(getpass, "getuser", recorder.recording("host", "getpass.getuser"))


def _replace_folder(alias: str | None, recorder: Recorder, replacements: Replacements) -> None:
    """The working directory; `alias` is a link that stands for the folder of the start."""
    start = os.getcwd()

    def shown(original: Any) -> str:
        folder: str = original()
        if alias and (folder + os.sep).startswith(start + os.sep):
            return alias + folder[len(start) :]
        return folder

    replacements.swap(os, "getcwd", recorder.recording("host", "os.getcwd", shown))
    replacements.swap(os, "getcwdb", lambda _original: lambda: os.fsencode(os.getcwd()))


def _watch_environment(recorder: Recorder) -> None:
    original = os._Environ.__getitem__

    def getitem(self: Any, key: Any) -> Any:
        value = original(self, key)
        caller = recorder.frames.caller("os", "_collections_abc", "collections.abc")
        if key not in _SILENT_VARIABLES and caller in ("project", "library"):
            recorder.record("environment", os.fsdecode(key), os.fsdecode(value))
        return value

    os._Environ.__getitem__ = getitem  # type: ignore[method-assign]
