"""Commands that stand before the real ones on PATH, and tell the world's date, host and user."""

import shutil
import sys
from pathlib import Path

_DATE = """#!/bin/sh
case " $* " in
  *" -d"* | *" --date"* | *" -r"* | *" -f"* | *" -s"*) exec {real} "$@" ;;
esac
exec {real} {option}"$(cat {clock})" "$@"
"""
_HOSTNAME = """#!/bin/sh
[ $# -eq 0 ] && echo {node} && exit
exec {real} "$@"
"""
_WHOAMI = """#!/bin/sh
echo {user}
"""
_UNAME = """#!/bin/sh
case "$*" in
  -n) echo {node} ;;
  *) {real} "$@" | sed "s/$({real} -n)/{node}/" ;;
esac
"""
_GIT = """#!/bin/sh
folder=.
[ "$1" = -C ] && folder=$2
if [ "$({real} -C "$folder" rev-parse --show-toplevel 2>/dev/null)" = "{top}" ]; then
  export GIT_DIR="{twin}" GIT_WORK_TREE="{top}"
fi
exec {real} "$@"
"""


def write_commands(folder: Path, clock: Path, node: str, user: str) -> None:
    """Write `date`, `hostname`, `uname` and `whoami`, where the system has them.

    `clock` is a file that holds the time in seconds; it may change while commands run.
    """
    folder.mkdir()
    option = "-d @" if sys.platform == "linux" else "-r "
    templates = {"date": _DATE, "hostname": _HOSTNAME, "whoami": _WHOAMI, "uname": _UNAME}
    for name, template in templates.items():
        real = shutil.which(name)
        if real is not None:
            text = template.format(real=real, option=option, clock=clock, node=node, user=user)
            _write(folder / name, text)


def write_git(folder: Path, top: Path, twin: Path) -> None:
    """Write a `git` that sees the repository at `top` with another history."""
    real = shutil.which("git")
    assert real is not None
    _write(folder / "git", _GIT.format(real=real, top=top, twin=twin))


def _write(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
