"""`promptlint config`: what is configured, and where it was read."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from promptlint.cli.settings import config_option, read_config


@click.command("config", short_help="Show the configuration in force, and where it was read.")
@config_option
def command(config_path: Path | None) -> int:
    """Show the configuration in force."""
    config = read_config(config_path)
    click.echo(f"file = {config.path or 'none: these are the defaults'}")
    for name in config.__struct_fields__:
        if name not in {"base", "path", "prompts", "own"}:
            click.echo(f"{name.replace('_', '-')} = {_shown(getattr(config, name))}")
    _show("prompt", config.prompts)
    _show("call", config.own.calls)
    _show("sink", config.own.sinks)
    return 0


def _show(name: str, tables: Sequence[Struct]) -> None:
    for table in tables:
        click.echo(f"\n[[{name}]]")
        for field in table.__struct_fields__:
            click.echo(f"{field.replace('_', '-')} = {_shown(getattr(table, field))}")


def _shown(value: Any) -> str:
    if value is None:
        return "not set"
    if isinstance(value, re.Pattern):
        return str(value.pattern)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {item}" for key, item in value.items()) or "none"
    return str(value)
