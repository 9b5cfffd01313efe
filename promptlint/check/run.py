"""The whole check: prompts rendered, source read, captures compared; merged and suppressed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from promptlint.check.merge import merged
from promptlint.check.outcome import Outcome
from promptlint.check.suppress import Kept, suppress, unused_ignores
from promptlint.config import Config, PromptConfig
from promptlint.finding import Finding
from promptlint.ignore import UnusedIgnore
from promptlint.rule import Rule
from promptlint.severity import DEFAULT_OPTIONS

if TYPE_CHECKING:
    from promptlint.source.reading import SourceReading


_CUT = "the module is too long to be evaluated to its end, and may hold more"


class Inputs(Struct, frozen=True):
    """What to check. `texts` stand for files, `cache` is the one that captures met.

    With `since`, a git revision, only findings on lines that differ from it count. `folder`
    says where readings of source are kept; without it none are.
    """

    prompts: Sequence[PromptConfig] = ()
    sources: Sequence[Path] = ()
    texts: Mapping[Path, str] = field(default_factory=dict)
    captures: Sequence[Path] = ()
    cache: str | None = None
    since: str | None = None
    folder: Callable[[], Path] | None = None


def check(config: Config, inputs: Inputs, rules: Mapping[str, Rule[Any]]) -> Outcome:
    """Check all inputs; a fault that reading and rendering both find is one finding.

    Raises ChangedLinesError where git cannot say what changed.
    """
    outcome = Outcome(prompts=len(inputs.prompts))
    found: list[Finding] = []
    reading: SourceReading | None = None
    if inputs.sources or inputs.texts:
        from promptlint.check.source import read

        paths = [*inputs.sources, *inputs.texts]
        reading = read(paths, config, inputs.texts, folder=inputs.folder)
        outcome.files = reading.files_read
        outcome.notes = tuple(f"{path}: {_CUT}" for path in reading.cut)
    if inputs.prompts:
        from promptlint.check.rendered import rendered_findings
        from promptlint.check.same_call import at_the_call
        from promptlint.check.still import may_be_still, without_still

        # Which lines ran matters only to what reading found, and may take another run.
        lines = reading is not None and any(map(may_be_still, reading.layouts))
        rendered = rendered_findings(config, inputs.prompts, rules, lines=lines)
        outcome.problems += rendered.problems
        if reading is None:
            found += rendered.findings
        else:
            reading = without_still(reading, rendered.measured)
            found += at_the_call(rendered.findings, reading, rendered.measured)
    if reading is not None:
        from promptlint.check.source import read_findings

        judged = read_findings(reading, config, rules)
        found += judged.findings
        outcome.problems += judged.problems
    findings = merged(found)
    if inputs.since is not None:
        from promptlint.check.changed_lines import on_changed_lines

        findings = on_changed_lines(findings, inputs.since, config.base)
    kept = suppress(findings, inputs.prompts, config.base)
    outcome.suppressed = kept.suppressed
    outcome.findings = (*kept.findings, *_unused(kept, findings, reading, config, inputs, rules))
    if inputs.captures:
        from promptlint.check.captures import check_captures

        outcome = outcome.and_also(check_captures(inputs.captures, config, rules, inputs.cache))
    return outcome


def _unused(
    kept: Kept,
    findings: Sequence[Finding],
    reading: "SourceReading | None",
    config: Config,
    inputs: Inputs,
    rules: Mapping[str, Rule[Any]],
) -> Iterator[Finding]:
    """The findings on ignores that accept nothing, where all that they may accept was looked for.

    What only a rendering finds is not there when source is read alone, nor what did not change.
    """
    if inputs.since is not None or len(inputs.prompts) < len(config.prompts):
        return
    paths = [finding.location.path for finding in findings if finding.location]
    paths += reading.ignoring if reading is not None else ()
    if not (paths or inputs.prompts):
        return
    for ignore in unused_ignores(kept, paths, inputs.prompts, rules, config.base):
        for rule in rules.values():
            if rule.reads is UnusedIgnore:
                yield from rule.run(ignore, DEFAULT_OPTIONS)
