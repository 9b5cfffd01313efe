"""Configured prompts measured in their worlds, and judged."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.cache.policies import PolicyError, policy
from promptlint.check.outcome import Problem
from promptlint.check.templates import template_findings
from promptlint.check.verdicts import verdicts
from promptlint.check.yielded import yielded_findings
from promptlint.config import Config, PromptConfig
from promptlint.finding import Finding
from promptlint.measure.prompt import MeasuredPrompt, measured_prompt
from promptlint.measure.run import PromptError
from promptlint.probes.compare import ComparedModels
from promptlint.rule import Rule
from promptlint.severity import Options
from promptlint.templates import TemplateError


class RenderedPrompts(Struct):
    """What rendering found, before anything is merged or suppressed, and what was measured."""

    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    measured: list[MeasuredPrompt] = field(default_factory=list)


def rendered_findings(
    config: Config,
    prompts: Sequence[PromptConfig],
    rules: Mapping[str, Rule[Any]],
    *,
    lines: bool = False,
) -> RenderedPrompts:
    """The findings of these prompts. One that cannot be checked does not stop the others.

    `lines` asks which lines of the project ran.
    """
    result = RenderedPrompts()
    for prompt in prompts:
        try:
            measured = measured_prompt(prompt, config, lines=lines)
        except PromptError as error:
            result.problems.append(Problem(str(error), error.traceback))
            continue
        result.measured.append(measured)
        try:
            result.findings += judged(measured, prompt, rules, options_for(prompt, config))
        except (PolicyError, TemplateError) as error:
            result.problems.append(Problem(f"{prompt.name}: {error}"))
    return result


def judged(
    measured: MeasuredPrompt,
    prompt: PromptConfig,
    rules: Mapping[str, Rule[Any]],
    options: Options,
) -> Iterator[Finding]:
    """The findings of a measured prompt: its layouts, its templates, the session that it yielded.

    Raises TemplateError where a template refuses the requests that it is probed with.
    """
    for layout in measured.layouts:
        yield from verdicts(layout, rules, options)
    compared = ComparedModels(measured.layouts)
    for rule in rules.values():
        if rule.reads is ComparedModels:
            yield from rule.run(compared, options)
    for model in measured.models:
        yield from template_findings(
            measured.requests, model, prompt.name, rules, options, measured.location
        )
    if len(measured.requests) > 1:
        for model in measured.models:
            for finding in yielded_findings(
                measured.requests, measured.location, model, rules, options
            ):
                yield replace(finding, prompt=prompt.name)


def options_for(prompt: PromptConfig, config: Config) -> Options:
    """What the configuration says about a prompt's verdicts. Raises PolicyError."""
    minimum = policy(prompt.cache).minimum if prompt.cache else None
    return Options(
        threshold=config.threshold,
        many=prompt.audience == "many",
        cache=prompt.cache,
        cache_minimum=minimum or 0,
    )
