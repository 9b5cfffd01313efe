"""What a cache does with a captured turn, and where it stops finding what was sent before."""

from msgspec import Struct

from promptlint.cache.policy import Policy
from promptlint.cache.predict import Prediction, predict
from promptlint.cache.stores.store import Store
from promptlint.cache.token_request import TokenRequest
from promptlint.cache.token_requests import (
    changed_parameters,
    named_values,
    token_request,
    with_parameters_of,
)
from promptlint.captures.causes import Cause, parameters_reason
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.divergence import Divergence
from promptlint.captures.read import CapturedRequest
from promptlint.captures.turns import RenderedTurn
from promptlint.layout import Part, Source
from promptlint.secrets import masked_part

_SHOWN = 80
_SHOWN_BEFORE = 40


class _Change(Struct, frozen=True):
    """Parameters that a cache keeps apart and that are not those of the earlier request.

    `start` is the token from which on they count. `kept` are the most tokens that would have
    been read, had they not changed.
    """

    names: tuple[str, ...]
    earlier: CapturedRequest
    start: int
    kept: int


def predict_turn(
    policy: Policy, store: Store | None, rendered_turn: RenderedTurn
) -> tuple[Prediction, Divergence | None]:
    """Predict one turn, remember it, and say where the cache stops finding what was sent before.

    That is where the text parts from the earlier request, or where a parameter that was another
    one counts into the prefix, if the cache would have read more without that: what comes first.
    """
    request = token_request(policy, rendered_turn)
    change = _change(policy, store, request, rendered_turn)
    prediction = predict(policy, store, request)
    broken = rendered_turn.turn.divergence
    read = prediction.read.high
    if change is None or read >= change.kept:
        return prediction, broken
    token = max(change.start, read)
    if broken is not None and broken.token <= token:
        return prediction, broken
    return prediction, _break(change, token, rendered_turn)


def _change(
    policy: Policy, store: Store | None, request: TokenRequest, rendered_turn: RenderedTurn
) -> _Change | None:
    """What changed since the earlier request; asked before this one is remembered."""
    if store is None or rendered_turn.earlier_turn is None:
        return None
    earlier = rendered_turn.earlier_turn.captured
    names = changed_parameters(policy, earlier, rendered_turn.turn.captured)
    if not names:
        return None
    kept = store.find(with_parameters_of(policy, request, earlier))
    return _Change(names, earlier, _start(policy, names, request), kept.high)


def _start(policy: Policy, names: tuple[str, ...], request: TokenRequest) -> int:
    """The token from which on some parameters count: the first, or where a part starts."""
    if not set(names).isdisjoint(policy.namespace):
        return 0
    parts = zip(policy.invalidates.values(), request.salts, strict=True)
    return min(salt.start for known, salt in parts if not set(names).isdisjoint(known))


def _break(change: _Change, token: int, rendered_turn: RenderedTurn) -> Divergence:
    turn, rendered = rendered_turn.turn, rendered_turn.rendered
    old = named_values(change.earlier, change.names)
    new = named_values(turn.captured, change.names)
    same = common_prefix(old, new)
    start, end = max(same - _SHOWN_BEFORE, 0), same + _SHOWN
    return Divergence(
        token=token,
        char=rendered.token_starts[token],
        part=_part_at(rendered_turn, token),
        message=None,
        source=Source.UNKNOWN,
        leaf=None,
        cause=Cause.PARAMETERS_CHANGED,
        reason=parameters_reason(change.names),
        by_template=False,
        lost_tokens=max(turn.common_prefix, change.kept) - token,
        was_last=False,
        before=masked_part(old, start, end),
        after=masked_part(new, start, end),
        parameters=change.names,
    )


def _part_at(rendered_turn: RenderedTurn, token: int) -> Part:
    """The part of the prompt that has begun at a token."""
    begun = {part: at for part, at in rendered_turn.blocks.starts.items() if at <= token}
    return max(begun, key=begun.__getitem__, default=Part.TEMPLATE)
