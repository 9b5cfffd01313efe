"""Commands that stand before the real ones on PATH, and tell the world's date, host and user."""

import shlex
import shutil
import sys
from collections.abc import Mapping
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
if [ "$({real} -C "$folder" rev-parse --show-toplevel 2>/dev/null)" = {top} ]; then
  export GIT_DIR={twin} GIT_WORK_TREE={top}
fi
exec {real} "$@"
"""


def write_commands(folder: Path, clock: Path, node: str, user: str) -> None:
    """Write `date`, `hostname`, `uname` and `whoami`, where the system has them.

    `clock` is a file that holds the time in seconds; it may change while commands run.
    """
    folder.mkdir()
    option = "-d @" if sys.platform == "linux" else "-r "
    templates = {
        "date": _DATE.replace("{option}", option),
        "hostname": _HOSTNAME,
        "whoami": _WHOAMI,
        "uname": _UNAME,
    }
    for name, template in templates.items():
        if shutil.which(name) is not None:
            _write(folder, name, template, {"clock": str(clock), "node": node, "user": user})


def write_git(folder: Path, top: Path, twin: Path) -> None:
    """Write a `git` that sees the repository at `top` with another history."""
    _write(folder, "git", _GIT, {"top": str(top), "twin": str(twin)})


def _write(folder: Path, name: str, template: str, values: Mapping[str, str]) -> None:
    real = shutil.which(name)
    assert real is not None
    quoted = {key: shlex.quote(value) for key, value in {**values, "real": real}.items()}
    path = folder / name
    path.write_text(template.format(**quoted))
    path.chmod(0o755)
