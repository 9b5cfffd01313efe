"""A builder that yields its turns: the requests of its session under the rules for sessions."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from promptlint.bodies import BodyFormat, body_from_request
from promptlint.cache.defaults import LONGEST_COMMON_PREFIX
from promptlint.cache.judged import JudgedSession, judged_session
from promptlint.cache.normalise import normalise
from promptlint.cache.policies import policy
from promptlint.captures.read import CapturedRequest
from promptlint.captures.turns import by_conversation, read_turns
from promptlint.finding import Finding
from promptlint.location import Location
from promptlint.models.model import Model
from promptlint.request import Request
from promptlint.rule import Rule
from promptlint.severity import Options


def yielded_findings(
    requests: Sequence[Request],
    place: Location,
    model: Model,
    rules: Mapping[str, Rule[Any]],
    options: Options,
) -> Iterator[Finding]:
    """What the rules for sessions say of the requests that one call yielded, in their order."""
    cache = policy(options.cache or LONGEST_COMMON_PREFIX)
    captured = [
        CapturedRequest(request, body_from_request(request, BodyFormat.CHAT), place, session="")
        for request in requests
    ]
    turns = (read.turn for read in read_turns(captured, model, partial(normalise, cache)))
    for group in by_conversation(turns):
        session = judged_session(group.name, group.turns, cache, model)
        for rule in rules.values():
            if rule.reads is JudgedSession:
                for finding in rule.run(session, options):
                    yield replace(finding, model=model.name)
