"""The console: styles for people at a terminal, plain text for everybody else."""

import sys
from typing import IO, TYPE_CHECKING

from promptlint.finding import Severity
from promptlint.layout import Lifetime

if TYPE_CHECKING:
    from rich.console import Console

SEVERITY_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFO: "bold cyan",
}
LIFETIME_STYLES = {
    Lifetime.REQUEST: "red",
    Lifetime.TURN: "red",
    Lifetime.SESSION: "yellow",
    Lifetime.DAY: "yellow",
    Lifetime.EDIT: "cyan",
    Lifetime.STATIC: "green",
}


def console(file: IO[str] | None = None) -> "Console":
    """A console that never reads markup, emoji codes or links into the text that it prints."""
    from rich.console import Console

    return Console(
        file=file or sys.stdout,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=True,
        legacy_windows=False,
    )
