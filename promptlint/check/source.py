"""Source that was read without running it: the same rules on its layouts, and on its facts."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from promptlint.check.outcome import Problem
from promptlint.check.verdicts import verdicts
from promptlint.config import Config
from promptlint.finding import Finding
from promptlint.location import Location
from promptlint.rule import Rule
from promptlint.severity import Options
from promptlint.source.reading import SourceFact, SourceReading


class ReadSource(Struct, frozen=True):
    """What the rules say of a reading, before anything is merged or suppressed."""

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]


def read(
    paths: Sequence[Path],
    config: Config,
    texts: Mapping[Path, str] | None = None,
    *,
    folder: Callable[[], Path] | None = None,
) -> SourceReading:
    """The Python files at or below these paths; modules are followed within the config's folder.

    `texts` stand for files, readings of files are kept in `folder`, if one is given.
    """
    if texts or folder is None:
        from promptlint.source.reader import read_source

        return read_source(paths, root=config.base, own=config.own, sources=texts)
    from promptlint.source.reuse import read_or_reuse

    return read_or_reuse(paths, root=config.base, own=config.own, folder=folder)


def read_findings(
    reading: SourceReading, config: Config, rules: Mapping[str, Rule[Any]]
) -> ReadSource:
    """The findings of a reading.

    What `exclude` matches, as in a .gitignore, is followed but not judged. A file that cannot
    be parsed is a problem, and the rest is read.
    """
    options = Options(threshold=config.threshold)
    found = [finding for layout in reading.layouts for finding in verdicts(layout, rules, options)]
    for rule in rules.values() if reading.facts else ():
        if rule.reads is SourceFact:
            found += [finding for fact in reading.facts for finding in rule.run(fact, options)]
    excluded = excluding(config.exclude)
    problems = tuple(
        Problem(str(error), location=Location(error.path, error.line))
        for error in reading.errors
        if not excluded(error.path)
    )
    kept = (f for f in found if f.location is None or not excluded(f.location.path))
    return ReadSource(tuple(kept), problems)


def excluding(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path matches one of these patterns, as in a .gitignore."""
    if not patterns:
        return lambda _: False
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns).match_file
