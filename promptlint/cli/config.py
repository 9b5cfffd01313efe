"""`promptlint config`: what is configured, and where it was read."""

import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from promptlint.cli.settings import config_option, read_config

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@click.command("config", short_help="Show the configuration in force, and where it was read.")
@config_option
def command(config_path: Path | None) -> int:
    """Show the configuration in force."""
    config = read_config(config_path)
    click.echo(f"file = {config.path or 'none: these are the defaults'}")
    for field in fields(config):
        if field.name not in {"base", "path", "prompts", "own"}:
            click.echo(f"{field.name.replace('_', '-')} = {_shown(getattr(config, field.name))}")
    _show("prompt", config.prompts)
    _show("call", config.own.calls)
    _show("sink", config.own.sinks)
    return 0


def _show(name: str, tables: "Sequence[DataclassInstance]") -> None:
    for table in tables:
        click.echo(f"\n[[{name}]]")
        for field in fields(table):
            click.echo(f"{field.name.replace('_', '-')} = {_shown(getattr(table, field.name))}")


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
