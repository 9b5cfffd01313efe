"""What a cache will read, write and compute of a request: one rule over the policy data."""

from msgspec import Struct

from promptlint.cache.policy import Certainty, Match, Policy, StoreKind
from promptlint.cache.stores.boundaries import Boundaries, breakpoints
from promptlint.cache.stores.llama_slots import LlamaSlots
from promptlint.cache.stores.mlx_queue import MlxQueue
from promptlint.cache.stores.prefix_tree import PrefixTree
from promptlint.cache.stores.store import Store
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import Mark, TokenRequest


class Prediction(Struct, frozen=True):
    """The tokens of one request by what is paid for them.

    `read` from the cache, `write` into it at a price of its own, `uncached` at the input
    price. For some point in the three ranges they add up to `tokens`. `write_lifetime`
    names the lifetime at which writes are charged.
    """

    tokens: int
    read: TokenRange
    write: TokenRange
    uncached: TokenRange
    write_lifetime: str | None = None


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

    The policy must carry the model's minimum (`Policy.for_model`), and the store must
    have been made for it (`new_store`).
    """
    tokens = len(request)
    found = store.take(request) if store else TokenRange(0, tokens)
    read = TokenRange(0, found.high) if policy.certainty is Certainty.AT_MOST else found
    written = _written(policy, request)
    covered = written.end if written else 0
    return Prediction(
        tokens=tokens,
        read=read,
        write=TokenRange(max(0, covered - read.high), max(0, covered - read.low)),
        uncached=TokenRange(tokens - max(read.high, covered), tokens - max(read.low, covered)),
        write_lifetime=(written.lifetime or policy.default_lifetime) if written else None,
    )


def _written(policy: Policy, request: TokenRequest) -> Mark | None:
    """The last place at which the provider stores, and charges for it."""
    if not policy.writes_charged:
        return None
    if policy.match is Match.BOUNDARY:
        stored = [m for m in breakpoints(policy, request) if m.end >= policy.minimum]
        return stored[-1] if stored else None
    step = policy.block or 1
    end = len(request) // step * step
    return Mark(end) if end >= policy.minimum else None
