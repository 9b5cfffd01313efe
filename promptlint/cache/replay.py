"""What a cache did with captured requests: read, written, paid in full, and where it broke."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from promptlint.cache.agreement import disagreements
from promptlint.cache.normalise import Normaliser
from promptlint.cache.policy import Certainty, Generated, Policy
from promptlint.cache.predict import Prediction, new_store
from promptlint.cache.predict_turn import predict_turn
from promptlint.cache.prices import Cost, NoPriceError, cost_of, prices_for
from promptlint.cache.token_range import NOTHING, TokenRange
from promptlint.cache.token_requests import policy_for
from promptlint.cache.usage import Usage, UsageError, read_usage
from promptlint.captures.divergence import Divergence
from promptlint.captures.notes import capture_notes
from promptlint.captures.read import CapturedRequest
from promptlint.captures.turns import RenderedTurn, Turn, read_turns
from promptlint.models.model import Model

_ENGINE = "engine/"


class ReplayTurn(Struct, frozen=True):
    """One request in the replay.

    `broken` is where the cache stops finding what was sent before, by the text or by a parameter
    that it keeps apart. `cost` is None where no price is known. `measured` is what the answer's
    usage said, and `disagrees` names what of it (`tokens`, `read`, `write`) does not lie in the
    prediction: both None where the capture has none.
    """

    turn: Turn
    prediction: Prediction
    broken: Divergence | None
    cost: Cost | None
    measured: Usage | None
    disagrees: tuple[str, ...] | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether all that was measured lies in the prediction; None where nothing is known."""
        return None if self.disagrees is None else not self.disagrees

    def as_json(self) -> dict[str, Any]:
        """The turn as `promptlint replay` prints it."""
        prediction = self.prediction
        return {
            "index": self.turn.index,
            "conversation": self.turn.conversation,
            "path": self.turn.captured.place.path,
            "line": self.turn.captured.place.line,
            "tokens": prediction.tokens,
            "common_prefix": self.turn.common_prefix,
            "read": prediction.read.as_json(),
            "write": prediction.write.as_json(),
            "uncached": prediction.uncached.as_json(),
            "cost": self.cost.as_json() if self.cost else None,
            "measured": _usage_json(self.measured),
            "agrees": self.agrees,
            "disagrees": list(self.disagrees or ()),
            "break": _break_json(self.broken),
        }


class Total(Struct, frozen=True):
    """The sums over all turns of a replay."""

    tokens: int
    read: TokenRange
    write: TokenRange
    uncached: TokenRange
    cost: Cost | None
    breaks: int

    def as_json(self) -> dict[str, Any]:
        """The sums as `promptlint replay` prints them."""
        return {
            "tokens": self.tokens,
            "read": self.read.as_json(),
            "write": self.write.as_json(),
            "uncached": self.uncached.as_json(),
            "cost": self.cost.as_json() if self.cost else None,
            "price_dates": [day.isoformat() for day in self.cost.days] if self.cost else [],
            "breaks": self.breaks,
        }


class Replay(Struct, frozen=True):
    """The turns of some captures under one model and one policy.

    `model` is the name of the model whose template and tokenizer were used. `notes` say, in
    a sentence each, what is assumed or not known.
    """

    model: str
    policy: Policy
    turns: tuple[ReplayTurn, ...]
    notes: tuple[str, ...]

    @property
    def total(self) -> Total:
        """The sums over all turns; no cost if one turn has none."""
        costs = [turn.cost for turn in self.turns]
        known = [cost for cost in costs if cost is not None]
        predictions = [turn.prediction for turn in self.turns]
        return Total(
            tokens=sum(p.tokens for p in predictions),
            read=sum((p.read for p in predictions), NOTHING),
            write=sum((p.write for p in predictions), NOTHING),
            uncached=sum((p.uncached for p in predictions), NOTHING),
            cost=sum(known[1:], known[0]) if known and len(known) == len(costs) else None,
            breaks=sum(turn.broken is not None for turn in self.turns),
        )

    def as_json(self) -> dict[str, Any]:
        """The replay as `promptlint replay` prints it, without findings."""
        return {
            "version": 1,
            "model": self.model,
            "policy": self.policy.name,
            "notes": list(self.notes),
            "turns": [turn.as_json() for turn in self.turns],
            "total": self.total.as_json(),
        }


def replay(
    captured: Iterable[CapturedRequest],
    model: Model,
    policy: Policy,
    *,
    priced_as: str | None = None,
    answered_by: Policy | None = None,
    observe: Callable[[RenderedTurn], None] = lambda _: None,
) -> Replay:
    """Replay requests, given in time order, under a model's template and a cache's rules.

    `priced_as` is the model whose minimum and prices count; by default those of each request's
    own count, as they were at its time. Engines that one runs oneself have no prices.
    `answered_by` is the cache that was really asked, where that is another one or other
    requests were sent: the answers' tokens are paid, and what was read is not compared.
    `observe` sees each turn while its prompt is there.
    Raises TemplateError where the template refuses a request.
    """
    requests = list(captured)
    store = new_store(policy)
    replayed = []
    notes: list[str] = []
    for rendered_turn in read_turns(requests, model, Normaliser(policy)):
        observe(rendered_turn)
        turn = rendered_turn.turn
        rules = policy_for(policy, turn.captured, priced_as)
        prediction, broken = predict_turn(rules, store, rendered_turn)
        measured, problem = _measured(answered_by or policy, turn)
        output = measured.output if measured else 0
        if answered_by is not None:
            measured = problem = None
        cost, no_cost = _cost(policy, priced_as, turn, prediction, output)
        notes += [*rendered_turn.rendered.notes, *filter(None, (problem, no_cost))]
        wrong = disagreements(rules, rendered_turn, prediction, measured) if measured else None
        replayed.append(ReplayTurn(turn, prediction, broken, cost, measured, wrong))
    named = {priced_as or item.request.model for item in requests}
    notes += [*_caveats(policy, named, model), *capture_notes(requests)]
    return Replay(model.name, policy, tuple(replayed), tuple(dict.fromkeys(notes)))


def _cost(
    policy: Policy, priced_as: str | None, turn: Turn, prediction: Prediction, output: int
) -> tuple[Cost | None, str | None]:
    """What a request costs, or why that is not known."""
    if policy.name.startswith(_ENGINE):
        return None, None
    model, time = priced_as or turn.captured.request.model, turn.captured.time
    if model is None:
        return None, "no cost: a request names no model"
    try:
        prices = prices_for(model, None if time is None else datetime.fromtimestamp(time, UTC))
        return cost_of(policy, prices, prediction, output), None
    except NoPriceError as error:
        return None, f"no cost: {error}"


def _measured(policy: Policy, turn: Turn) -> tuple[Usage | None, str | None]:
    if turn.captured.usage is None:
        return None, None
    try:
        return read_usage(policy, turn.captured.usage), None
    except UsageError as error:
        return None, f"{turn.captured.place}: {error}"


def _caveats(policy: Policy, named: Iterable[str | None], model: Model) -> list[str]:
    """What a reader has to know about these numbers."""
    notes = []
    if model.estimated or model.template is None:
        notes.append("token counts are estimates: the model publishes no tokenizer or template")
    if policy.minimums and not all(name and policy.minimum_for(name) for name in named):
        notes.append(f"the shortest cached prefix is not known: {policy.minimum:,} tokens assumed")
    if policy.generated is not Generated.NONE:
        notes.append("the tokens of the answers are not captured: the cache may read those as well")
    if policy.certainty is Certainty.EXPECTED:
        notes.append("the provider promises no hit: reads are what its documentation describes")
    return notes


def _usage_json(usage: Usage | None) -> dict[str, int | None] | None:
    if usage is None:
        return None
    return {
        "tokens": usage.tokens,
        "read": usage.read,
        "write": usage.write,
        "uncached": usage.uncached,
    }


def _break_json(divergence: Divergence | None) -> dict[str, Any] | None:
    if divergence is None:
        return None
    return {
        "token": divergence.token,
        "message": divergence.message,
        "part": str(divergence.part),
        "source": divergence.source,
        "cause": str(divergence.cause),
        "reason": divergence.reason,
        "parameters": list(divergence.parameters),
        "by_template": divergence.by_template,
        "lost_tokens": divergence.lost_tokens,
        "before": divergence.before,
        "after": divergence.after,
    }
