"""One conversation under the rules of the cache that it meets: what session rules look at."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from promptlint.cache.policy import Policy
from promptlint.cache.stores.boundaries import breakpoints
from promptlint.cache.token_request import Mark, TokenRequest
from promptlint.cache.token_requests import automatic_mark
from promptlint.captures.turns import Turn
from promptlint.models.model import Model


class JudgedSession(Struct, frozen=True):
    """The turns of one conversation in time order, and the policy of their cache.

    `policy` carries the model's own minimum; `minimum_known` says that it was published.
    `model` is the name of the model whose template and tokenizer were used, `estimated`
    that these are not the real ones.
    """

    name: str
    turns: tuple[Turn, ...]
    policy: Policy
    model: str
    minimum_known: bool = True
    estimated: bool = False

    def pairs(self) -> Iterator[tuple[Turn, Turn]]:
        """Each turn with the one before it."""
        return pairwise(self.turns)

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
        invalidating = (name for names in self.policy.invalidates.values() for name in names)
        named = dict.fromkeys((*self.policy.namespace, *invalidating))
        old, new = earlier.captured.body, later.captured.body
        return tuple(name for name in named if old.get(name) != new.get(name))

    def __str__(self) -> str:
        return "; ".join([f"cache {self.policy.name}", *map(_shown, self.turns)])


def judged_session(name: str, turns: Iterable[Turn], policy: Policy, model: Model) -> JudgedSession:
    """A conversation under a policy, which takes the minimum of the first turn's model."""
    turns = tuple(turns)
    named = next((t.captured.request.model for t in turns if t.captured.request.model), None)
    minimum = policy.minimum_for(named) if named else None
    return JudgedSession(
        name,
        turns,
        policy.for_model(named) if named else policy,
        model.name,
        minimum_known=minimum is not None or not policy.minimums,
        estimated=model.estimated or model.template is None,
    )


def _shown(turn: Turn) -> str:
    """`request 2: 320 tokens, marked at 200, parts at 120 (messages: history-rewritten)`."""
    text = f"request {turn.index}: {turn.tokens:,} tokens"
    if turn.marks:
        text += f", marked at {', '.join(f'{block.end:,}' for block in turn.marks)}"
    broken = turn.divergence
    if broken is not None:
        text += f", parts at {broken.token:,} ({broken.part}: {broken.cause})"
    return text
