"""`promptlint replay`: what a cache did with captured requests, and what that cost."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct
from msgspec.structs import replace

from promptlint.cli.exit_codes import COULD_NOT_CHECK, PASSED
from promptlint.cli.settings import config_option, model_options, read_config

if TYPE_CHECKING:
    from promptlint.cache.replay import Replay
    from promptlint.captures.read import CapturedRequest
    from promptlint.captures.turns import RenderedTurn
    from promptlint.finding import Finding
    from promptlint.models.model import Model

_WHAT_IF = (
    "memory-refreshed=TURN, system-frozen, best-order, marked-after-stable, cache=POLICY, "
    "priced-as=MODEL, model=NAME"
)


class _Setting(Struct, frozen=True):
    """Under what captured requests are replayed: names as the user writes them."""

    cache: str
    model: str | None
    tokenizer: str | None
    priced_as: str | None
    base: Path


@click.command("replay", short_help="Captured requests: read, written, paid in full, and the cost.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@config_option
@model_options
@click.option("--cache", help="The cache's policy: anthropic/messages, engine/vllm, ...")
@click.option("--priced-as", help="The model whose prices and shortest cached prefix count.")
@click.option(
    "--what-if",
    "what_if",
    multiple=True,
    metavar="CHANGE",
    help=f"What it would have cost otherwise: {_WHAT_IF}.",
)
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full")
def command(
    files: tuple[Path, ...],
    config_path: Path | None,
    model: str | None,
    tokenizer: str | None,
    cache: str | None,
    priced_as: str | None,
    what_if: tuple[str, ...],
    output_format: str,
) -> int:
    """Replay captured requests, one JSON body or `{"request": body, "usage": ...}` a line.

    Without --cache and --model, both follow from the format of the bodies and the names of
    their models; where these say nothing, the longest common prefix is assumed.
    """
    from promptlint.cache.defaults import default_cache, mixed_cache_notes
    from promptlint.cache.policies import PolicyError
    from promptlint.captures.read import CaptureError, read_captures
    from promptlint.models.model import ModelError
    from promptlint.templates import TemplateError

    config = read_config(config_path, model, tokenizer)
    try:
        captures = read_captures(files)
        for problem in captures.problems:
            click.echo(f"promptlint: {problem}", err=True)
        if not captures.requests:
            click.echo("promptlint: no request could be read", err=True)
            return COULD_NOT_CHECK
        default, hosted = default_cache(captures.requests)
        setting = _Setting(
            cache or default, config.model or hosted, config.tokenizer, priced_as, config.base
        )
        whole, findings = _judged(captures.requests, setting, config.threshold)
        mixed = () if cache else mixed_cache_notes(captures.requests, default)
        whole = replace(whole, notes=(*mixed, *whole.notes))
        variants = [(change, _changed(change, captures.requests, setting)) for change in what_if]
    except (CaptureError, ModelError, PolicyError, TemplateError) as error:
        raise click.ClickException(str(error)) from None
    _print(whole, variants, findings, captures.problems, as_json=output_format == "json")
    return PASSED


def _judged(
    captured: Sequence["CapturedRequest"], setting: _Setting, threshold: int
) -> tuple["Replay", Sequence["Finding"]]:
    """The replay of what was captured, and what the rules say of it."""
    from promptlint import registry
    from promptlint.captures.moved import MovedHeads
    from promptlint.check.captures import judged_turns

    heads = MovedHeads(_model(setting))
    whole = _replayed(captured, setting, observe=heads.add)
    turns = [turn.turn for turn in whole.turns]
    return whole, judged_turns(turns, heads, whole.policy, registry.rules(), threshold)


def _replayed(
    captured: Sequence["CapturedRequest"],
    setting: _Setting,
    *,
    answered_by: str | None = None,
    observe: Callable[["RenderedTurn"], None] = lambda _: None,
) -> "Replay":
    from promptlint.cache.policies import policy
    from promptlint.cache.replay import replay

    return replay(
        captured,
        _model(setting),
        policy(setting.cache),
        priced_as=setting.priced_as,
        answered_by=policy(answered_by) if answered_by else None,
        observe=observe,
    )


def _model(setting: _Setting) -> "Model":
    from promptlint.models.find import find_model

    return find_model(setting.model, tokenizer=setting.tokenizer, base=setting.base)


def _changed(change: str, captured: Sequence["CapturedRequest"], setting: _Setting) -> "Replay":
    """The replay had one thing been otherwise. Raises click.ClickException for an unknown one."""
    from promptlint.cache.what_if import (
        WhatIfError,
        asked_of,
        marked_after_stable,
        memory_refreshed,
        ordered_best,
        system_frozen,
    )

    answered_by = setting.cache
    name, _, value = change.partition("=")
    try:
        match name, value:
            case "system-frozen", "":
                captured = system_frozen(captured)
            case "best-order", "":
                captured = ordered_best(captured)
            case "marked-after-stable", "":
                captured = marked_after_stable(captured)
            case "memory-refreshed", turn if turn.isdecimal():
                captured = memory_refreshed(captured, int(turn))
            case "cache", policy if policy:
                setting = replace(setting, cache=policy)
            case "priced-as", model if model:
                setting = replace(setting, priced_as=model)
            case "model", model if model:
                captured, setting = asked_of(captured, model), _of_model(setting, model)
            case _:
                raise WhatIfError(f"it is one of {_WHAT_IF}")
    except WhatIfError as error:
        raise click.ClickException(f"--what-if {change}: {error}") from None
    return _replayed(captured, setting, answered_by=answered_by)


def _of_model(setting: _Setting, model: str) -> _Setting:
    """Another model brings its cache and prices along, and its template where it has one.

    A model of one's own is served by an engine, never by the cache of a provider.
    """
    from promptlint.cache.defaults import LONGEST_COMMON_PREFIX, cache_of_model

    served = None if (setting.base / model).exists() else cache_of_model(model)
    if served is not None:
        cache, template = served[0], served[1] or setting.model
    else:
        own = setting.cache.startswith("engine/")
        cache, template = setting.cache if own else LONGEST_COMMON_PREFIX, model
    return replace(setting, cache=cache, model=template, tokenizer=None, priced_as=None)


def _print(
    whole: "Replay",
    variants: Sequence[tuple[str, "Replay"]],
    findings: Sequence["Finding"],
    problems: Sequence[str],
    *,
    as_json: bool,
) -> None:
    from promptlint.captures.memory import memory_by_conversation

    memory = memory_by_conversation(turn.turn for turn in whole.turns)
    if as_json:
        from promptlint.output.replay_json import replay_json

        click.echo(replay_json(whole, variants, memory, findings, problems), nl=False)
        return
    from promptlint.output.replay import replay_lines
    from promptlint.output.styled import write_lines

    write_lines(replay_lines(whole, variants, memory, findings))
