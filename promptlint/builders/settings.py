"""How a builder is to be run."""

import calendar
import secrets
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct, field

from promptlint.request import Json


def default_base_time(today: datetime | None = None) -> datetime:
    """Tomorrow, 12:10:10: near enough to keep file ages sane, and no plausible example date.

    Never a month's last day nor the day before it, so that one day more is in the same month.
    """
    start = (today or datetime.now(UTC)) + timedelta(days=1)
    while start.day >= calendar.monthrange(start.year, start.month)[1] - 1:
        start += timedelta(days=1)
    return start.replace(hour=12, minute=10, second=10, microsecond=123456)


def _scratch_name() -> Path:
    return Path(tempfile.gettempdir()).resolve() / f"promptlint-{secrets.token_hex(4)}"


class BuilderSettings(Struct, frozen=True):
    """How a builder is to be run. All times are in seconds.

    `base` is the config file's folder; targets and paths are relative to it.
    `workspace` and `home` are folders that are copied for each process. `tools` is
    a JSON value, or the text of a target that the worker evaluates. `memory` is the
    limit of the address space in bytes. `environment` is added to the variables.
    `trace` asks for the lines that run where Python must be slowed down to know them.

    `scratch` is where the copies stand. Processes that are compared must share it,
    since its path shows in prompts, so one settings object serves one process at a time.
    `age_shift` moves the copies' file times along with the clock.
    """

    target: str
    base: Path
    python: Path | None = None
    workspace: Path | None = None
    home: Path | None = None
    timeout: float = 30.0
    import_timeout: float = 120.0
    memory: int | None = 8 << 30
    network: bool = False
    base_time: datetime = field(default_factory=default_base_time)
    tools: Json = None
    environment: Mapping[str, str] = field(default_factory=dict)
    trace: bool = False
    scratch: Path = field(default_factory=_scratch_name)
    created: float = field(default_factory=time.time)

    @property
    def interpreter(self) -> Path:
        """The interpreter that runs the builder: the one that runs us, if none is named."""
        # Never resolved: a virtual environment's python is a link.
        return self.base / self.python if self.python else Path(sys.executable)

    @property
    def age_shift(self) -> float:
        """What file times are moved by, so that files keep their age under the other clock."""
        return self.base_time.timestamp() - self.created
