"""The whole check: every configured prompt measured, judged, merged and suppressed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from promptlint.check.merge import merged
from promptlint.check.outcome import Outcome, Problem
from promptlint.check.suppress import suppress
from promptlint.check.verdicts import verdicts
from promptlint.check.yielded import yielded_findings
from promptlint.config import Config, PromptConfig
from promptlint.finding import Finding
from promptlint.location import Location
from promptlint.measure.prompt import MeasuredPrompt, PromptError, measured_prompt
from promptlint.rule import Rule
from promptlint.severity import Options


def check_prompts(
    config: Config, prompts: Sequence[PromptConfig], rules: dict[str, Rule[Any]]
) -> Outcome:
    """Measure and judge these prompts. One that cannot be checked does not stop the others."""
    outcome = Outcome(prompts=len(prompts))
    found: list[Finding] = []
    for prompt in prompts:
        try:
            measured = measured_prompt(prompt, config)
        except PromptError as error:
            outcome.problems.append(Problem(str(error), error.traceback))
            continue
        found += judged(measured, prompt, rules, options_for(prompt, config))
    kept = suppress(merged(found), prompts, config.base)
    outcome.findings = kept.findings
    outcome.suppressed = kept.suppressed
    outcome.unused = kept.unused
    return outcome


def judged(
    measured: MeasuredPrompt,
    prompt: PromptConfig,
    rules: dict[str, Rule[Any]],
    options: Options,
) -> Iterator[Finding]:
    """The findings of a measured prompt: of its layouts, and of the session that it yielded."""
    for layout in measured.layouts:
        yield from verdicts(layout, rules, options)
    if len(measured.requests) > 1:
        place = Location(prompt.builder.rpartition(":")[0])
        for model in measured.models:
            for finding in yielded_findings(measured.requests, place, model, rules, options):
                yield replace(finding, prompt=prompt.name)


def options_for(prompt: PromptConfig, config: Config) -> Options:
    """What the configuration says about a prompt's verdicts."""
    return Options(threshold=config.threshold, many=prompt.audience == "many", cache=prompt.cache)


def selected(
    rules: dict[str, Rule[Any]], select: Sequence[str], ignore: Sequence[str]
) -> dict[str, Rule[Any]]:
    """The rules to run: all, or those selected, without those ignored."""
    chosen = {name: rule for name, rule in rules.items() if not select or name in select}
    return {name: rule for name, rule in chosen.items() if name not in ignore}
