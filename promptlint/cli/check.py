"""`promptlint check`: lint prompts, for people and for CI."""

import difflib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from promptlint.cli.exit_codes import COULD_NOT_CHECK, FINDINGS, PASSED
from promptlint.cli.settings import config_option, model_options, read_config
from promptlint.finding import Severity
from promptlint.output.findings import FORMATS, write_findings, write_statistics

if TYPE_CHECKING:
    from promptlint.check.outcome import Outcome, Problem
    from promptlint.config import Config
    from promptlint.rule import Rule

_LEVELS = {"info": Severity.INFO, "warning": Severity.WARNING, "error": Severity.ERROR}


def _names(_: click.Context, __: click.Parameter, values: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


@click.command("check", short_help="Lint prompts: findings, and an exit code for CI.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@config_option
@model_options
@click.option("--cache", help="The cache that captured requests met: anthropic/messages, ...")
@click.option(
    "--select", multiple=True, callback=_names, help="Only these rules (names, comma-separated)."
)
@click.option("--ignore", multiple=True, callback=_names, help="Not these rules.")
@click.option(
    "--fail-on",
    type=click.Choice(list(_LEVELS)),
    help="The least severity that fails. Default: warning.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
@click.option("--output-format", type=click.Choice(FORMATS), default="full")
@click.option("--output-file", type=click.Path(path_type=Path), help="Write there instead.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule.")
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="Show builders' own tracebacks, and all that is known of information.",
)
def command(
    paths: tuple[Path, ...],
    config_path: Path | None,
    model: str | None,
    tokenizer: str | None,
    cache: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    exit_zero: bool,
    output_format: str,
    output_file: Path | None,
    statistics: bool,
    verbose: bool,
) -> int:
    """Render every configured prompt in its worlds and report what moves in front of what stays.

    PATHS that end in .json, .jsonl, .ndjson or one of these with .gz are captured requests:
    the requests of each session are compared with each other.

    Exits with 0 when nothing at or above --fail-on was found, 1 when something was,
    2 when anything could not be checked.
    """
    from promptlint import registry
    from promptlint.check.run import selected

    for path in paths:
        if not path.exists():
            raise click.ClickException(f"{path}: no such file or folder")
    config = read_config(config_path, model, tokenizer)
    rules = registry.rules()
    _known([*select, *ignore, *config.select, *config.ignore], rules)
    chosen = selected(rules, select or config.select, [*ignore, *config.ignore])
    outcome = _checked(paths, config, chosen, cache)
    with _opened(output_file) as file:
        write_findings(outcome, output_format, rules, config.base, file, verbose=verbose)
        if statistics and output_format in {"full", "concise"}:
            write_statistics(outcome, file)
    _say(outcome.problems, verbose=verbose)
    return _exit_code(outcome, _LEVELS[fail_on or config.fail_on], exit_zero=exit_zero)


def _checked(
    paths: tuple[Path, ...], config: "Config", rules: dict[str, "Rule[Any]"], cache: str | None
) -> "Outcome":
    """Captured requests are checked by themselves; every other path asks for the prompts."""
    from promptlint.captures.read import is_capture
    from promptlint.check.run import check_prompts

    captured = [path for path in paths if is_capture(path)]
    if captured and len(captured) == len(paths):
        from promptlint.check.captures import check_captures

        return check_captures(captured, config, rules, cache)
    if not config.prompts:
        raise click.ClickException("nothing to check: no prompt is configured")
    outcome = check_prompts(config, config.prompts, rules)
    if captured:
        outcome = outcome.and_also(_checked(tuple(captured), config, rules, cache))
    return outcome


def _exit_code(outcome: "Outcome", least: Severity, *, exit_zero: bool) -> int:
    if outcome.problems:
        return COULD_NOT_CHECK
    failed = any(finding.severity >= least for finding in outcome.findings)
    return FINDINGS if failed and not exit_zero else PASSED


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[str]]:
    if path is None:
        yield sys.stdout
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    with file:
        yield file


def _say(problems: Iterable["Problem"], *, verbose: bool) -> None:
    for problem in problems:
        click.echo(f"promptlint: {problem.message}", err=True)
        if verbose and problem.traceback:
            click.echo(problem.traceback, err=True)


def _known(names: Iterable[str], rules: dict[str, "Rule[Any]"]) -> None:
    for name in names:
        if name not in rules:
            near = difflib.get_close_matches(name, rules, 1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise click.ClickException(f"no rule is called {name}{hint}")
