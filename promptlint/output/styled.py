"""Lines of styled pieces: styles for people at a terminal, plain text for everybody else."""

import os
import sys
from collections.abc import Iterable
from typing import IO

import click

from promptlint.finding import Severity
from promptlint.layout import Lifetime

Line = tuple[tuple[str, str], ...]
"""A line of output: pieces of text, each with a style, which is a colour, `bold` or `dim`."""

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
_WEIGHTS = ("bold", "dim")


def write_lines(lines: Iterable[Line], file: IO[str] | None = None) -> None:
    """Write lines to `file`, by default to standard output. Terminals wrap them as they like."""
    target = file or sys.stdout
    shown = _styled if _has_styles(target) else _plain
    for line in lines:
        click.echo(shown(line), file=target, color=True)


def _has_styles(file: IO[str]) -> bool:
    """Whether a file shows styles, as NO_COLOR, FORCE_COLOR and the terminal say."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return file.isatty() and os.environ.get("TERM") != "dumb"


def _plain(line: Line) -> str:
    return "".join(text for text, _ in line)


def _styled(line: Line) -> str:
    return "".join(_in_style(text, style) if style else text for text, style in line)


def _in_style(text: str, style: str) -> str:
    words = style.split()
    colour = next((word for word in words if word not in _WEIGHTS), None)
    weights = {weight: True for weight in words if weight in _WEIGHTS}
    return click.style(text, fg=colour, **weights)
