"""One conversation under the rules of the cache that it meets: what session rules look at."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from promptlint.cache.policy import Policy
from promptlint.cache.stores.boundaries import breakpoints
from promptlint.cache.token_request import Mark, TokenRequest
from promptlint.cache.token_requests import automatic_mark, changed_parameters, policy_for
from promptlint.captures.turns import Turn
from promptlint.models.model import Model


class JudgedSession(Struct, frozen=True):
    """The turns of one conversation in time order, and the policy of their cache.

    `model` is the name of the model whose template and tokenizer were used, `estimated`
    that these are not the real ones.
    """

    name: str
    turns: tuple[Turn, ...]
    policy: Policy
    model: str
    estimated: bool = False

    def pairs(self) -> Iterator[tuple[Turn, Turn]]:
        """Each turn with the one before it."""
        return pairwise(self.turns)

    def by_model(self) -> Iterator[tuple[Turn, ...]]:
        """The turns of each model that the requests name."""
        models = dict.fromkeys(turn.captured.request.model for turn in self.turns)
        for model in models:
            yield tuple(turn for turn in self.turns if turn.captured.request.model == model)

    def minimum(self, turn: Turn) -> int:
        """The fewest tokens that were cached for the turn's own model on its day."""
        return policy_for(self.policy, turn.captured).minimum

    def minimum_known(self, turn: Turn) -> bool:
        """Whether the minimum of the turn's own model was published, where there are several."""
        model = turn.captured.request.model
        known = None if model is None else self.policy.minimum_for(model, turn.captured.day)
        return known is not None or not self.policy.minimums

    def breakpoints(self, turn: Turn) -> tuple[int, ...]:
        """The ends in tokens, rising, at which an entry is stored: marked and automatic ones."""
        request = TokenRequest(
            (),
            block_ends=turn.block_ends,
            marks=tuple(Mark(block.end) for block in turn.marks),
            automatic=automatic_mark(self.policy, turn.captured.body),
        )
        return tuple(mark.end for mark in breakpoints(self.policy, request))

    def changed_parameters(self, earlier: Turn, later: Turn) -> tuple[str, ...]:
        """The parameters that this cache keeps apart and that differ between two requests."""
        return changed_parameters(self.policy, earlier.captured, later.captured)

    def __str__(self) -> str:
        return "; ".join([f"cache {self.policy.name}", *map(_shown, self.turns)])


def judged_session(name: str, turns: Iterable[Turn], policy: Policy, model: Model) -> JudgedSession:
    """A conversation under a policy, read with a model's template and tokenizer."""
    estimated = model.estimated or model.template is None
    return JudgedSession(name, tuple(turns), policy, model.name, estimated)


def _shown(turn: Turn) -> str:
    """`request 2: 320 tokens, marked at 200, parts at 120 (messages: history-rewritten)`."""
    text = f"request {turn.index}: {turn.tokens:,} tokens"
    if turn.marks:
        text += f", marked at {', '.join(f'{block.end:,}' for block in turn.marks)}"
    broken = turn.divergence
    if broken is not None:
        text += f", parts at {broken.token:,} ({broken.part}: {broken.cause})"
    return text
