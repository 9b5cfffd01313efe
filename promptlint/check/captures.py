"""Captured requests checked: the rules for sessions, and those for layouts on what moved."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from promptlint.cache.defaults import default_cache, mixed_cache_notes
from promptlint.cache.judged import JudgedSession, judged_session
from promptlint.cache.normalise import Normaliser
from promptlint.cache.policies import PolicyError, policy
from promptlint.cache.policy import Policy
from promptlint.captures.conversations import conversations
from promptlint.captures.moved import MovedHeads
from promptlint.captures.notes import capture_notes
from promptlint.captures.read import CapturedRequest, CaptureError, read_captures
from promptlint.captures.turns import Turn, by_conversation, read_turns
from promptlint.check.merge import merged
from promptlint.check.outcome import Outcome, Problem
from promptlint.check.suppress import suppress
from promptlint.check.templates import captured_template_findings
from promptlint.check.verdicts import verdicts
from promptlint.config import Config
from promptlint.finding import Finding
from promptlint.models.find import find_model
from promptlint.models.model import Model, ModelError
from promptlint.rule import Rule
from promptlint.severity import Options
from promptlint.templates import TemplateError


def check_captures(
    paths: Sequence[Path],
    config: Config,
    rules: Mapping[str, Rule[Any]],
    cache: str | None = None,
) -> Outcome:
    """Check captured requests. Broken lines are problems, and the rest is checked.

    `cache` names the policy of the cache that they met; without one, and without a
    configured model, both follow from the format of the bodies.
    """
    outcome = Outcome()
    try:
        captures = read_captures(paths)
        default, hosted = default_cache(captures.requests)
        model = find_model(config.model or hosted, tokenizer=config.tokenizer, base=config.base)
        rules_of_cache = policy(cache or default)
        found = captured_findings(captures.requests, model, rules_of_cache, rules, config.threshold)
        options = Options(threshold=config.threshold, cache=rules_of_cache.name)
        found += merged(captured_template_findings(captures.requests, model, rules, options))
    except (CaptureError, ModelError, PolicyError, TemplateError) as error:
        outcome.problems.append(Problem(str(error)))
        return outcome
    kept = suppress(found, (), config.base)
    outcome.findings, outcome.suppressed = kept.findings, kept.suppressed
    outcome.problems += map(Problem, captures.problems)
    mixed = () if cache else mixed_cache_notes(captures.requests, default)
    outcome.notes = (*capture_notes(captures.requests), *mixed)
    if not captures.requests and not captures.problems:
        outcome.problems.append(Problem(f"{', '.join(map(str, paths))}: no request"))
    outcome.prompts = len(conversations(captures.requests).conversations)
    return outcome


def captured_findings(
    captured: Sequence[CapturedRequest],
    model: Model,
    cache: Policy,
    rules: Mapping[str, Rule[Any]],
    threshold: int,
) -> tuple[Finding, ...]:
    """The findings of captured requests under a model and a cache's policy.

    Raises TemplateError where the model's template refuses a request.
    """
    heads = MovedHeads(model)
    turns = []
    for rendered_turn in read_turns(captured, model, Normaliser(cache)):
        heads.add(rendered_turn)
        turns.append(rendered_turn.turn)
    return judged_turns(turns, heads, cache, rules, threshold)


def judged_turns(
    turns: Iterable[Turn],
    heads: MovedHeads,
    cache: Policy,
    rules: Mapping[str, Rule[Any]],
    threshold: int,
) -> tuple[Finding, ...]:
    """The findings of turns that were read, and of the heads that moved in them."""
    options = Options(threshold=threshold, cache=cache.name)
    found: list[Finding] = []
    for group in by_conversation(turns):
        session = judged_session(group.name, group.turns, cache, heads.model)
        for rule in rules.values():
            if rule.reads is JudgedSession:
                found += rule.run(session, options)
    for layout in heads.layouts():
        found += verdicts(layout, rules, options)
    return merged(found)
