"""`promptlint check`: lint prompts, for people and for CI."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from promptlint.cli.exit_codes import COULD_NOT_CHECK, FINDINGS, PASSED
from promptlint.cli.settings import config_option, model_options, read_config
from promptlint.finding import Severity
from promptlint.output.findings import FORMATS, write_findings, write_statistics
from promptlint.phrases import count

if TYPE_CHECKING:
    from promptlint.check.outcome import Outcome
    from promptlint.check.run import Inputs
    from promptlint.config import Config
    from promptlint.rule import Rule

_STDIN = Path("-")
_LEVELS = {"info": Severity.INFO, "warning": Severity.WARNING, "error": Severity.ERROR}


def _names(_: click.Context, __: click.Parameter, values: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


@click.command("check", short_help="Lint prompts: findings, and an exit code for CI.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@config_option
@model_options
@click.option("--static", is_flag=True, help="Only read source: nothing is imported or run.")
@click.option(
    "--diff",
    "since",
    metavar="[REV]",
    is_flag=False,
    flag_value="",
    help="Only findings on lines changed since REV; without REV, show fixes and write nothing.",
)
@click.option("--fix", is_flag=True, help="Make the edits that cannot change meaning.")
@click.option("--unsafe-fixes", is_flag=True, help="Make the edits that change the text as well.")
@click.option("--stdin-filename", type=click.Path(path_type=Path), help="What `-` is called.")
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
@click.option("--no-cache", is_flag=True, help="Read every file anew, and keep nothing.")
@click.option(
    "--cache-dir",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="PROMPTLINT_CACHE_DIR",
    help="Where readings of unchanged source are kept. Default: the user's cache folder.",
)
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
    static: bool,
    since: str | None,
    fix: bool,
    unsafe_fixes: bool,
    stdin_filename: Path | None,
    cache: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    exit_zero: bool,
    output_format: str,
    output_file: Path | None,
    no_cache: bool,
    cache_dir: Path | None,
    statistics: bool,
    verbose: bool,
) -> int:
    """Lint the source under PATHS, and every configured prompt rendered in its worlds.

    PATHS that end in .json, .jsonl, .ndjson or one of these with .gz are captured requests:
    the requests of each session are compared with each other. `-` is source from standard
    input. With --static nothing is imported or run.

    Exits with 0 when nothing at or above --fail-on was found, 1 when something was,
    2 when anything could not be checked.
    """
    from promptlint import registry
    from promptlint.check.outcome import CheckError
    from promptlint.check.run import check

    config = read_config(config_path, model, tokenizer)
    _known([*select, *ignore, *config.select, *config.ignore], registry.names())
    edits = fix or unsafe_fixes or since == ""
    inputs = _inputs(paths, config, static=static, stdin_filename=stdin_filename, edits=edits)
    only_read = not (inputs.prompts or inputs.captures)
    rules = registry.rules(
        select=select or config.select,
        ignore=[*ignore, *config.ignore],
        reads=registry.FROM_SOURCE if only_read else (),
    )
    folder = None if no_cache else partial(_cache_folder, cache_dir)
    inputs = replace(inputs, cache=cache, since=since or None, folder=folder)
    try:
        if edits:
            _fix(inputs, config, rules, unsafe=unsafe_fixes, show=since == "")
        if since == "":
            return PASSED
        outcome = check(config, inputs, rules)
    except CheckError as error:
        raise click.ClickException(str(error)) from None
    with _opened(output_file) as file:
        write_findings(outcome, output_format, rules, config.base, file, verbose=verbose)
        if statistics and output_format in {"full", "concise"}:
            write_statistics(outcome, file)
    _say(outcome, verbose=verbose)
    return _exit_code(outcome, _LEVELS[fail_on or config.fail_on], exit_zero=exit_zero)


def _inputs(
    paths: tuple[Path, ...],
    config: "Config",
    *,
    static: bool,
    stdin_filename: Path | None,
    edits: bool,
) -> "Inputs":
    """Sort the paths into source and captures. Captures are checked by themselves."""
    from promptlint.captures.names import is_capture
    from promptlint.check.run import Inputs

    if edits and _STDIN in paths:
        raise click.ClickException("-: fixes are made in files, standard input has none")
    for path in paths:
        if path != _STDIN and not path.exists():
            raise click.ClickException(f"{path}: no such file or folder")
    captures = [path for path in paths if is_capture(path)]
    sources = [path for path in paths if path not in captures and path != _STDIN]
    texts = {}
    if _STDIN in paths:
        texts[(stdin_filename or Path("stdin.py")).resolve()] = sys.stdin.read()
    only_captures = bool(captures) and len(captures) == len(paths)
    prompts = () if static or only_captures else config.prompts
    if not paths and not prompts:
        sources = [Path()]
    if not (prompts or captures or texts or _has_python(sources)):
        raise click.ClickException(
            "nothing to check: no prompt is configured, no Python file found"
        )
    return Inputs(prompts, sources, texts, captures)


def _cache_folder(given: Path | None) -> Path:
    if given is not None:
        return given
    from platformdirs import user_cache_path

    return user_cache_path("promptlint", appauthor=False)


def _fix(
    inputs: "Inputs",
    config: "Config",
    rules: "Mapping[str, Rule[Any]]",
    *,
    unsafe: bool,
    show: bool,
) -> None:
    """Write the fixes, or show them as a diff."""
    from promptlint.check.fix import fixed_files
    from promptlint.output.plain import patch_line

    for file in fixed_files(inputs.sources, config, rules, unsafe=unsafe, since=inputs.since):
        if show:
            click.echo("".join(map(patch_line, file.diff())), nl=False)
        elif file.applied:
            file.write()
            click.echo(f"promptlint: {file.shown}: {count(file.applied, 'fix')} made", err=True)
        if file.unsafe and not unsafe:
            left = count(file.unsafe, "more fix")
            click.echo(f"promptlint: {file.shown}: {left} with --unsafe-fixes", err=True)


def _has_python(paths: Iterable[Path]) -> bool:
    return any(path.suffix == ".py" or next(path.rglob("*.py"), None) for path in paths)


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


def _say(outcome: "Outcome", *, verbose: bool) -> None:
    from promptlint.output.plain import one_line

    for note in outcome.notes:
        click.echo(f"promptlint: note: {one_line(note)}", err=True)
    for problem in outcome.problems:
        click.echo(f"promptlint: {one_line(problem.message)}", err=True)
        if verbose and problem.traceback:
            click.echo(problem.traceback, err=True)


def _known(names: Iterable[str], rules: Sequence[str]) -> None:
    for name in names:
        if name not in rules:
            import difflib

            near = difflib.get_close_matches(name, rules, 1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise click.ClickException(f"no rule is called {name}{hint}")
