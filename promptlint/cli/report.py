"""`promptlint report`: the rendered section order of one prompt."""

from pathlib import Path

import click

from promptlint.cli.exit_codes import COULD_NOT_CHECK, PASSED
from promptlint.cli.settings import config_option, model_options, read_config
from promptlint.config import FOR_BUILDERS, Config, PromptConfig
from promptlint.layout import Layout


@click.command("report", short_help="The rendered section order of one prompt.")
@click.argument("prompt", required=False)
@config_option
@model_options
@click.option("--tools", help="Tool definitions: a JSON file or a target.")
@click.option("--workspace", help="A folder that is copied and edited to see what moves.")
@click.option("--home", help="A home folder that is copied and edited to see what moves.")
@click.option("--python", help="The interpreter that can import the builder.")
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full")
@click.option("--verbose", "-v", is_flag=True, help="Show the builder's own traceback.")
def command(
    prompt: str | None,
    config_path: Path | None,
    model: str | None,
    tokenizer: str | None,
    output_format: str,
    verbose: bool,
    **overrides: str | None,
) -> int:
    """Show what stands where in a rendered prompt, and what moves it.

    PROMPT is a configured name, `package.module:function`, `path.py:function`, or a
    prompt's text file. It may be left out where one prompt is configured.
    """
    from promptlint.measure.run import PromptError

    config = read_config(config_path, model, tokenizer)
    try:
        layouts = _layouts(prompt, config, {k: v for k, v in overrides.items() if v is not None})
    except PromptError as error:
        click.echo(f"promptlint: {error}", err=True)
        if verbose and error.traceback:
            click.echo(error.traceback, err=True)
        return COULD_NOT_CHECK
    if output_format == "json":
        from promptlint.output.json_report import layouts_json

        click.echo(layouts_json(layouts), nl=False)
    else:
        _print(layouts, config)
    return PASSED


def _layouts(name: str | None, config: Config, overrides: dict[str, str]) -> tuple[Layout, ...]:
    from msgspec.structs import replace

    from promptlint.measure.prompt import measured_layouts, text_layouts

    configured = _configured(name, config)
    if configured is None:
        assert name is not None
        if ":" not in name or Path(name).is_file():
            return text_layouts(Path(name), config)
        configured = PromptConfig(name=name, builder=name)
        config = replace(config, base=Path.cwd())
    stray = next((key for key in FOR_BUILDERS if key in overrides), None)
    if configured.command and stray is not None:
        raise click.UsageError(f"--{stray} says nothing about a command")
    return measured_layouts(replace(configured, **overrides), config)


def _configured(name: str | None, config: Config) -> PromptConfig | None:
    if name is not None:
        return config.prompt(name)
    if len(config.prompts) == 1:
        return config.prompts[0]
    names = ", ".join(prompt.name for prompt in config.prompts)
    raise click.UsageError(
        f"name one of the configured prompts: {names}"
        if names
        else "no prompt is configured: name one"
    )


def _print(layouts: tuple[Layout, ...], config: Config) -> None:
    from promptlint.cost import DEFAULT_RATES, costs
    from promptlint.output.report import report_lines
    from promptlint.output.styled import write_lines

    rates = {**DEFAULT_RATES, **config.rates}
    for index, layout in enumerate(layouts):
        if index:
            click.echo()
        write_lines(report_lines(layout, costs(layout, rates, config.history_tokens)))
