"""`promptlint config`: what is configured, and where it was read."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from promptlint.cli.settings import config_option, read_config


@click.command("config", short_help="Show the configuration in force, and where it was read.")
@config_option
def command(config_path: Path | None) -> int:
    """Show the configuration in force."""
    config = read_config(config_path)
    click.echo(f"file = {config.path or 'none: these are the defaults'}")
    for field in fields(config):
        if field.name not in {"base", "path", "prompts"}:
            click.echo(f"{field.name.replace('_', '-')} = {_shown(getattr(config, field.name))}")
    for prompt in config.prompts:
        click.echo("\n[[prompt]]")
        for field in fields(prompt):
            click.echo(f"{field.name.replace('_', '-')} = {_shown(getattr(prompt, field.name))}")
    return 0


def _shown(value: Any) -> str:
    if value is None:
        return "not set"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {item}" for key, item in value.items()) or "none"
    return str(value)
