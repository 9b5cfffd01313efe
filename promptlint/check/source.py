"""Source that was read without running it: the same rules on its layouts, and on its facts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from promptlint.check.outcome import Problem
from promptlint.check.verdicts import verdicts
from promptlint.config import Config
from promptlint.finding import Finding
from promptlint.location import Location
from promptlint.rule import Rule
from promptlint.severity import Options
from promptlint.source.reading import SourceFact


@dataclass(frozen=True, slots=True)
class ReadFinding:
    """A finding of reading. `prompt` is where the prompt is sent or built; None for a fact."""

    finding: Finding
    prompt: Location | None = None


@dataclass(frozen=True, slots=True)
class ReadSource:
    """What reading found, before anything is merged or suppressed. `files` counts files read."""

    findings: tuple[ReadFinding, ...]
    problems: tuple[Problem, ...]
    files: int


def read_findings(
    paths: Sequence[Path],
    config: Config,
    rules: Mapping[str, Rule[Any]],
    texts: Mapping[Path, str] | None = None,
    *,
    folder: Callable[[], Path] | None = None,
) -> ReadSource:
    """The findings in the Python files at or below these paths.

    Modules are followed within the config's folder, `texts` stand for files, readings of files
    are kept in `folder`, if one is given. What `exclude` matches, as in a .gitignore, is
    followed but not judged. A file that cannot be parsed is a problem, and the rest is read.
    """
    if texts or folder is None:
        from promptlint.source.reader import read_source

        reading = read_source(paths, root=config.base, own=config.own, sources=texts)
    else:
        from promptlint.source.reuse import read_or_reuse

        reading = read_or_reuse(paths, root=config.base, own=config.own, folder=folder)
    options = Options(threshold=config.threshold)
    found = [
        ReadFinding(finding, layout.location)
        for layout in reading.layouts
        for finding in verdicts(layout, rules, options)
    ]
    for rule in rules.values():
        if rule.reads is SourceFact:
            found += [ReadFinding(f) for fact in reading.facts for f in rule.run(fact, options)]
    excluded = excluding(config.exclude)
    problems = tuple(Problem(str(e)) for e in reading.errors if not excluded(e.path))
    kept = (
        read
        for read in found
        if (place := read.finding.location) is None or not excluded(place.path)
    )
    return ReadSource(tuple(kept), problems, reading.files_read)


def excluding(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path matches one of these patterns, as in a .gitignore."""
    if not patterns:
        return lambda _: False
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns).match_file
