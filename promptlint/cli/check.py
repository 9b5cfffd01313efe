"""`promptlint check`: lint prompts, for people and for CI."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from promptlint.cli.exit_codes import COULD_NOT_CHECK, FINDINGS, PASSED
from promptlint.cli.settings import config_option, model_options, read_config
from promptlint.finding import Severity

if TYPE_CHECKING:
    from promptlint.check.run import Outcome
    from promptlint.rule import Rule

_LEVELS = {"info": Severity.INFO, "warning": Severity.WARNING, "error": Severity.ERROR}


def _names(_: click.Context, __: click.Parameter, values: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


@click.command("check", short_help="Lint prompts: findings, and an exit code for CI.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@config_option
@model_options
@click.option(
    "--select", multiple=True, callback=_names, help="Only these rules (names, comma-separated)."
)
@click.option("--ignore", multiple=True, callback=_names, help="Not these rules.")
@click.option(
    "--fail-on",
    type=click.Choice(list(_LEVELS)),
    help="The least severity that fails. Default: warning.",
)
@click.option("--output-format", type=click.Choice(["full", "json", "github"]), default="full")
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
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    output_format: str,
    verbose: bool,
) -> int:
    """Render every configured prompt in its worlds and report what moves in front of what stays.

    Exits with 0 when nothing at or above --fail-on was found, 1 when something was,
    2 when anything could not be checked.
    """
    from promptlint import registry
    from promptlint.check.run import check_prompts, selected

    for path in paths:
        if not path.exists():
            raise click.ClickException(f"{path}: no such file or folder")
    config = read_config(config_path, model, tokenizer)
    rules = registry.rules()
    _known([*select, *ignore, *config.select, *config.ignore], rules)
    chosen = selected(rules, select or config.select, [*ignore, *config.ignore])
    if not config.prompts:
        raise click.ClickException("nothing to check: no prompt is configured")
    outcome = check_prompts(config, config.prompts, chosen)
    _print(outcome, config.base, output_format, verbose=verbose)
    if outcome.problems:
        return COULD_NOT_CHECK
    least = _LEVELS[fail_on or config.fail_on]
    failed = any(finding.severity >= least for finding in outcome.findings)
    return FINDINGS if failed else PASSED


def _known(names: Iterable[str], rules: dict[str, "Rule[Any]"]) -> None:
    for name in names:
        if name not in rules:
            near = difflib.get_close_matches(name, rules, 1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise click.ClickException(f"no rule is called {name}{hint}")


def _print(outcome: "Outcome", base: Path, output_format: str, *, verbose: bool) -> None:
    if output_format == "json":
        from promptlint.output.json_report import findings_json

        problems = [problem.message for problem in outcome.problems]
        click.echo(findings_json(outcome.findings, outcome.summary(), problems), nl=False)
    elif output_format == "github":
        from promptlint.output.github import finding_command, problem_command

        for finding in outcome.findings:
            click.echo(finding_command(finding))
        for problem in outcome.problems:
            click.echo(problem_command(problem.message))
    else:
        _print_full(outcome, base, verbose=verbose)
    if output_format != "github":
        for problem in outcome.problems:
            click.echo(f"promptlint: {problem.message}", err=True)
            if verbose and problem.traceback:
                click.echo(problem.traceback, err=True)


def _print_full(outcome: "Outcome", base: Path, *, verbose: bool) -> None:
    from promptlint.output.console import console
    from promptlint.output.full import finding_lines, summary_lines
    from promptlint.output.styled import print_lines

    screen = console()
    for finding in outcome.findings:
        brief = finding.severity is Severity.INFO and not verbose
        print_lines(screen, finding_lines(finding, base, brief=brief))
    print_lines(screen, summary_lines(outcome.summary(), outcome.unused))
