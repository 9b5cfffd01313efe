"""Another clock for a command in any language: libfaketime, where it is installed and reaches."""

import shutil
import sys
from datetime import datetime
from pathlib import Path

_FOLDERS = ("/usr/lib", "/usr/lib64", "/usr/local/lib")
_NAMES = (
    "*/faketime/libfaketimeMT.so.1",
    "faketime/libfaketimeMT.so.1",
    "*/libfaketimeMT.so.1",
    "libfaketimeMT.so.1",
)
# How programs write a day: ISO, `Mon Nov 30 2026`, `November 30, 2026`, `30 November 2026`, ...
_DAYS = ("%Y-%m-%d", "%a %b %d %Y", "%B {day}, %Y", "{day} %B %Y", "%Y/%m/%d", "%d.%m.%Y")


def find_faketime() -> Path | None:
    """The library for programs with several threads: of the distribution, or beside `faketime`."""
    if sys.platform != "linux":
        return None
    program = shutil.which("faketime")
    own = [Path(program).resolve().parent.parent / "lib"] if program else []
    folders = [*own, *map(Path, _FOLDERS)]
    found = (path for folder in folders for name in _NAMES for path in folder.glob(name))
    return next(found, None)


def clock_variables(library: Path, ahead: float) -> dict[str, str]:
    """The variables under which a program's clock goes `ahead` seconds before the real one."""
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME": f"{ahead:+.3f}",
        # Timers go on as they are, and the copies' files have their times already.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }


def has_loaded(process: int, library: Path) -> bool:
    """Whether a running process has the library in it. Static programs never do."""
    try:
        return library.name in Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return False


def shows_day(text: str, day: datetime) -> bool:
    """Whether a text holds this day, written in one of the usual ways."""
    return any(day.strftime(form).format(day=day.day) in text for form in _DAYS)
