"""What the commands share: finding the configuration, and saying what could not be done."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from promptlint.config import Config, ConfigError, find_config, load_config


def config_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--config FILE`."""
    return click.option(
        "--config",
        "config_path",
        type=click.Path(path_type=Path),
        help="The configuration file; else the nearest promptlint.toml or pyproject.toml.",
    )(command)


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--model NAME` and `--tokenizer NAME`."""
    command = click.option(
        "--tokenizer", help="A folder, a tokenizer.json or a repository id, for a .jinja model."
    )(command)
    return click.option(
        "--model",
        help="A repository id, a folder, a .jinja file, anthropic, openai, gemini or embedded.",
    )(command)


def read_config(
    config_path: Path | None, model: str | None = None, tokenizer: str | None = None
) -> Config:
    """The configuration, with what the command line says laid over it.

    Raises click.ClickException with one line for each fault.
    """
    folder = Path.cwd()
    if config_path is not None and not config_path.is_file():
        raise click.ClickException(f"{config_path}: no such file")
    try:
        path = config_path or find_config(folder)
        config = load_config(path.resolve() if path else None, folder)
    except ConfigError as error:
        raise click.ClickException(str(error)) from None
    if model is not None:
        # A model on the command line replaces every prompt's own, and the tokenizer with it.
        prompts = tuple(replace(p, models=(), tokenizer=None) for p in config.prompts)
        model = _from_here(model, config)
        config = replace(config, model=model, tokenizer=None, prompts=prompts)
    if tokenizer is not None:
        config = replace(config, tokenizer=_from_here(tokenizer, config))
    return config


def _from_here(name: str, config: Config) -> str:
    """A path on the command line is relative to the current folder, not to the config's."""
    path = Path(name).expanduser()
    return str(path.resolve()) if path.exists() and config.base != Path.cwd() else name
