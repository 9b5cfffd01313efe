"""A request as a prefix cache sees it: token ids, and where something may be stored."""

from msgspec import Struct

from promptlint.cache.policy import Policy
from promptlint.models.tokens import Row


class Mark(Struct, frozen=True):
    """A cache breakpoint that the request asks for, after `end` tokens.

    `lifetime` is the name that the policy gives to it (`5m`, `1h`); None is the policy's default.
    """

    end: int
    lifetime: str | None = None


class Salt(Struct, frozen=True):
    """A parameter that counts into the prefix from token `start` on, as if it stood there."""

    start: int
    text: str


class Segments(Struct, frozen=True):
    """Where an engine that keeps states at fixed places cuts the prompt, in tokens.

    `system_end` is the end of what every conversation with these system messages
    shares, 0 if there are none. `tail_start` is where the opened reasoning block of
    the generation prompt starts, None if there is none. `user_starts` are where the
    messages of the user role start, their role tokens included, rising. `user_last`
    says that the newest message is the user's.
    """

    system_end: int = 0
    tail_start: int | None = None
    user_starts: tuple[int, ...] = ()
    user_last: bool = False


class TokenRequest(Struct, frozen=True):
    """One rendered request.

    `block_ends` are the token offsets at which content blocks end, rising.
    `automatic` says that the request switches the automatic breakpoint on or off;
    None leaves it to the policy. `generated` are the tokens of the answer, empty
    where they are not known. `time` is in seconds; requests of unknown time all have 0.
    `lifetime` names that of what is stored without a breakpoint, None is the policy's default;
    `minimum` are the fewest tokens that are cached for its model, None is the policy's.
    `namespace` is what must be equal for an entry to be found at all.
    """

    token_ids: Row
    block_ends: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()
    automatic: bool | None = None
    lifetime: str | None = None
    minimum: int | None = None
    generated: tuple[int, ...] = ()
    segments: Segments = Segments()
    time: float = 0.0
    namespace: tuple[str, ...] = ()
    salts: tuple[Salt, ...] = ()

    def __len__(self) -> int:
        return len(self.token_ids)


def shortest_prefix(policy: Policy, request: TokenRequest) -> int:
    """The fewest tokens that are cached for a request."""
    return policy.minimum if request.minimum is None else request.minimum
