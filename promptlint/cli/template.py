"""`promptlint template`: what a chat template does to tools, dates, system text and history."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from promptlint.cli.exit_codes import COULD_NOT_CHECK, PASSED
from promptlint.cli.settings import config_option, read_config

if TYPE_CHECKING:
    from promptlint.config import Config
    from promptlint.models.model import Model
    from promptlint.output.styled import Line
    from promptlint.request import Session


@click.command("template", short_help="What a chat template does, measured by rendering it.")
@click.argument("models", nargs=-1)
@config_option
@click.option(
    "--prompt",
    help="A configured prompt or a file of captured requests: what the templates do to it.",
)
@click.option("--tokenizer", help="A folder, a tokenizer.json or a repository id.")
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full")
def command(
    models: tuple[str, ...],
    config_path: Path | None,
    prompt: str | None,
    tokenizer: str | None,
    output_format: str,
) -> int:
    """Measure what the chat templates of MODELS do. Several are shown side by side.

    A model is a repository id, a folder, a .jinja file or a .gguf file; without one the
    configured model is tested.
    """
    from promptlint.captures.read import CaptureError
    from promptlint.measure.run import PromptError
    from promptlint.models.model import ModelError

    config = read_config(config_path, tokenizer=tokenizer)
    try:
        if prompt is None:
            _templates(_found(models, config), as_json=output_format == "json")
        elif config.prompt(prompt) is not None:
            _configured(prompt, models, config, as_json=output_format == "json")
        else:
            _captured(prompt, _found(models, config), as_json=output_format == "json")
    except (CaptureError, ModelError, PromptError) as error:
        click.echo(f"promptlint: {error}", err=True)
        return COULD_NOT_CHECK
    return PASSED


def _found(names: Sequence[str], config: "Config") -> list["Model"]:
    from promptlint.models.find import find_model

    return [
        find_model(name, tokenizer=config.tokenizer, base=config.base)
        for name in names or (config.model,)
    ]


def _templates(models: Sequence["Model"], *, as_json: bool) -> None:
    from promptlint.output.template import template_lines
    from promptlint.output.template_json import template_data
    from promptlint.output.template_table import templates_table
    from promptlint.probes.template_facts import template_facts

    facts = []
    for model in models:
        with _naming(model):
            facts.append(template_facts(model))
    if as_json:
        _print_json([template_data(fact) for fact in facts])
    else:
        _print(template_lines(facts[0]) if len(facts) == 1 else templates_table(facts))


@contextmanager
def _naming(model: "Model") -> Iterator[None]:
    """Put the model's name in front of what its template raises."""
    from promptlint.models.model import ModelError
    from promptlint.templates import TemplateError

    try:
        yield
    except TemplateError as error:
        raise ModelError(f"{model.name}: {error}") from error


def _configured(name: str, models: Sequence[str], config: "Config", *, as_json: bool) -> None:
    """One prompt, measured under these models or its own."""
    from msgspec.structs import replace

    from promptlint.measure.prompt import measured_prompt
    from promptlint.output.template import session_lines
    from promptlint.output.template_json import prompt_data
    from promptlint.output.template_table import layouts_table
    from promptlint.probes.session_facts import session_facts

    prompt = config.prompt(name)
    assert prompt is not None
    measured = measured_prompt(replace(prompt, models=tuple(models) or prompt.models), config)
    facts = []
    for model in measured.models:
        with _naming(model):
            facts.append(session_facts(measured.requests, model, name))
    if as_json:
        both = zip(facts, measured.layouts, strict=True)
        _print_json([prompt_data(fact, layout) for fact, layout in both])
        return
    for fact in facts:
        _print(session_lines(fact))
    _print(layouts_table(measured.layouts))


def _captured(path: str, models: Sequence["Model"], *, as_json: bool) -> None:
    """The sessions of a file of captured requests under each of these models."""
    from promptlint.output.template import session_lines
    from promptlint.output.template_json import session_data
    from promptlint.probes.session_facts import session_facts

    sessions = _sessions(Path(path))
    facts = []
    for model in models:
        with _naming(model):
            facts += [session_facts(s.requests, model, f"{path}: {s.name}") for s in sessions]
    if as_json:
        _print_json([session_data(fact) for fact in facts])
    else:
        for fact in facts:
            _print(session_lines(fact))


def _sessions(path: Path) -> list["Session"]:
    from promptlint.captures.conversations import conversations
    from promptlint.captures.names import is_capture
    from promptlint.captures.read import read_captures

    if not path.exists() or not is_capture(path):
        raise click.ClickException(
            f"{path}: no configured prompt is called so, and no file of captured requests"
        )
    captures = read_captures([path])
    for problem in captures.problems:
        click.echo(f"promptlint: {problem}", err=True)
    return [found.session for found in conversations(captures.requests).conversations]


def _print_json(data: list[dict[str, Any]]) -> None:
    from promptlint.output.json_text import json_text
    from promptlint.output.template_json import one_or_list

    click.echo(json_text(one_or_list(data)), nl=False)


def _print(lines: "Iterable[Line]") -> None:
    from promptlint.output.styled import write_lines

    write_lines(lines)
