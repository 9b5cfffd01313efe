"""Whether what an answer says of its tokens lies in the prediction."""

from collections.abc import Iterator

from msgspec import Struct

from promptlint.cache.policy import Generated, Policy
from promptlint.cache.predict import Prediction
from promptlint.cache.token_range import TokenRange
from promptlint.cache.usage import Usage, reports_writes
from promptlint.captures.turns import RenderedTurn

_SHARE = 0.05
"""How far an estimated share of a prompt may lie from the measured one."""
_COUNT = 1.5
"""How many times longer or shorter a prompt may be than estimated: tokenizers differ by less."""
_HIDDEN = 400
"""Tokens: what a hosted provider writes itself into a prompt that has tools."""


class _Scale(Struct, frozen=True):
    """How an estimated prompt is laid over the measured one; a known one is equal to it."""

    factor: float = 1.0
    slack: float = 0.0

    def holds(self, predicted: TokenRange, measured: int) -> bool:
        """Whether a count lies in a range. None at all is no estimate of some."""
        low, high = (end * self.factor for end in (predicted.low, predicted.high))
        near = low - self.slack <= measured <= high + self.slack
        return near and (measured > 0 or predicted.low == 0)


def disagreements(
    policy: Policy, rendered_turn: RenderedTurn, prediction: Prediction, measured: Usage
) -> tuple[str, ...] | None:
    """Which of `tokens`, `read` and `write` are not as predicted.

    None where the answer does not say what was read, and its prompt is as long as predicted.
    """
    found = tuple(_disagreements(policy, rendered_turn, prediction, measured))
    return None if measured.read is None and not found else found


def _disagreements(
    policy: Policy, rendered_turn: RenderedTurn, prediction: Prediction, measured: Usage
) -> Iterator[str]:
    # Nobody knows the tokens of what is no text.
    opaque = rendered_turn.request.has_opaque
    estimated = rendered_turn.rendered.estimated or opaque
    if not opaque and not _same_length(rendered_turn, prediction.tokens, measured.tokens):
        yield "tokens"
    factor = measured.tokens / max(prediction.tokens, 1)
    scale = _Scale(factor, _SHARE * measured.tokens) if estimated else _Scale()
    readable = _readable(policy, rendered_turn, prediction)
    if measured.read is not None and not scale.holds(readable, measured.read):
        yield "read"
    usage = rendered_turn.turn.captured.usage or {}
    compared = policy.writes_charged and reports_writes(policy, usage)
    if compared and not scale.holds(prediction.write, measured.write):
        yield "write"


def _same_length(rendered_turn: RenderedTurn, predicted: int, measured: int) -> bool:
    """Whether a prompt is as long as the answer says, or may be where its length is estimated."""
    if not rendered_turn.rendered.estimated:
        return predicted == measured
    hidden = _HIDDEN if rendered_turn.request.tools else 0
    return predicted / _COUNT <= measured <= predicted * _COUNT + hidden


def _readable(policy: Policy, rendered_turn: RenderedTurn, prediction: Prediction) -> TokenRange:
    """What may have been read. A cache that keeps answers, which no capture has, may have more.

    It has not where the prompt parts from the earlier ones: the answers stand behind that place.
    """
    turn = rendered_turn.turn
    broken = turn.divergence
    parts = broken is not None and turn.common_prefix <= broken.token
    if policy.generated is Generated.NONE or parts:
        return prediction.read
    return TokenRange(prediction.read.low, prediction.tokens)
