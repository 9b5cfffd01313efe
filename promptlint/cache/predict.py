"""What a cache will read, write and compute of a request: one rule over the policy data."""

from msgspec import Struct

from promptlint.cache.policy import Certainty, Match, Policy, StoreKind
from promptlint.cache.stores.boundaries import Boundaries, breakpoints
from promptlint.cache.stores.llama_slots import LlamaSlots
from promptlint.cache.stores.mlx_queue import MlxQueue
from promptlint.cache.stores.prefix_tree import PrefixTree
from promptlint.cache.stores.store import Store
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import Mark, TokenRequest, shortest_prefix


class Written(Struct, frozen=True):
    """Tokens that are written and live for as long as the lifetime of that name says."""

    tokens: TokenRange
    lifetime: str | None


class Prediction(Struct, frozen=True):
    """The tokens of one request by what is paid for them.

    `read` from the cache, `write` into it at a price of its own, `uncached` at the input
    price. For some point in the three ranges they add up to `tokens`. `writes` are the
    parts of `write`: each lifetime has its own price.
    """

    tokens: int
    read: TokenRange
    write: TokenRange
    uncached: TokenRange
    writes: tuple[Written, ...] = ()


def new_store(policy: Policy) -> Store | None:
    """An empty store for a policy; None where nothing can be remembered."""
    match policy.store:
        case StoreKind.PREFIX_TREE:
            return PrefixTree(policy)
        case StoreKind.BOUNDARIES:
            return Boundaries(policy)
        case StoreKind.MLX_QUEUE:
            return MlxQueue(policy)
        case StoreKind.LLAMA_SLOTS:
            return LlamaSlots(policy)
        case StoreKind.NONE:
            return None


def predict(policy: Policy, store: Store | None, request: TokenRequest) -> Prediction:
    """Predict one request and remember it: requests must come in time order.

    The store must have been made for the policy (`new_store`). The minimum is the request's,
    else the policy's (`Policy.for_model`).
    """
    tokens = len(request)
    found = store.take(request) if store else TokenRange(0, tokens)
    read = TokenRange(0, found.high) if policy.certainty is Certainty.AT_MOST else found
    stored = _charged(policy, request)
    covered = stored[-1].end if stored else 0
    return Prediction(
        tokens=tokens,
        read=read,
        write=_behind(read, covered),
        uncached=TokenRange(tokens - max(read.high, covered), tokens - max(read.low, covered)),
        writes=_writes(policy, stored, read),
    )


def _charged(policy: Policy, request: TokenRequest) -> tuple[Mark, ...]:
    """The places, rising, at which the provider stores, and charges for it."""
    if not policy.writes_charged:
        return ()
    if policy.match is Match.BOUNDARY:
        ends = breakpoints(policy, request)
    else:
        step = policy.block or 1
        ends = (Mark(len(request) // step * step, request.lifetime),)
    return tuple(mark for mark in ends if mark.end >= shortest_prefix(policy, request))


def _writes(policy: Policy, stored: tuple[Mark, ...], read: TokenRange) -> tuple[Written, ...]:
    """What is written up to each place, from what is read or from the place before it."""
    writes = []
    before = 0
    for mark in stored:
        known = TokenRange(max(read.low, before), max(read.high, before))
        lifetime = mark.lifetime or policy.default_lifetime
        writes.append(Written(_behind(known, mark.end), lifetime))
        before = mark.end
    return tuple(part for part in writes if part.tokens.high)


def _behind(known: TokenRange, end: int) -> TokenRange:
    """The tokens between what is known and a place."""
    return TokenRange(max(0, end - known.high), max(0, end - known.low))
