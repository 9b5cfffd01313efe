"""The rules about what a model's template does to the requests of one session."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from promptlint.captures.conversations import conversations
from promptlint.captures.read import CapturedRequest
from promptlint.finding import Finding
from promptlint.location import Location
from promptlint.models.model import Model
from promptlint.probes.session_facts import SessionFacts, session_facts
from promptlint.request import Request
from promptlint.rule import Rule
from promptlint.severity import Options


def template_findings(
    requests: Sequence[Request],
    model: Model,
    prompt: str,
    rules: Mapping[str, Rule[Any]],
    options: Options,
    location: Location | None = None,
) -> Iterator[Finding]:
    """The findings for requests in time order; none under a model that publishes no template.

    Raises TemplateError where the template refuses one of the requests.
    """
    wanted = [rule for rule in rules.values() if rule.reads is SessionFacts]
    if not wanted or not requests or model.template is None:
        return
    facts = session_facts(requests, model, prompt, location)
    for rule in wanted:
        yield from rule.run(facts, options)


def captured_template_findings(
    captured: Sequence[CapturedRequest],
    model: Model,
    rules: Mapping[str, Rule[Any]],
    options: Options,
) -> Iterator[Finding]:
    """The findings for captured requests, conversation by conversation."""
    for found in conversations(captured).conversations:
        requests = found.session.requests
        place = found.turns[0].place
        yield from template_findings(requests, model, found.name, rules, options, place)
