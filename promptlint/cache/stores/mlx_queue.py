"""The prompt cache of mlx_lm's server: a few whole sequences in three queues.

Source: mlx-lm 0.32.2, `LRUPromptCache` in models/cache.py, `_tokenize` and `_serve` in
server.py. A cache that can be cut back (`trimmable`) finds the longest common prefix
with any sequence; one that cannot (recurrent, rotating) only a sequence that is a whole
prefix of the prompt.
"""

from itertools import pairwise

from msgspec import Struct

from promptlint.cache.policy import Policy
from promptlint.cache.stores.prefix_tree import stored_answer
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import TokenRequest
from promptlint.captures.common_prefix import common_prefix
from promptlint.models.tokens import Tokens

_QUEUES = ("assistant", "user", "system")


class _Sequence(Struct, frozen=True):
    namespace: tuple[str, ...]
    tokens: Tokens


class MlxQueue:
    """The store of mlx_lm's server. A read does not refresh a sequence."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._capacity = int(policy.settings["capacity"])
        self._trimmable = bool(policy.settings["trimmable"])
        self._queues: dict[str, list[_Sequence]] = {queue: [] for queue in _QUEUES}

    def find(self, request: TokenRequest) -> TokenRange:
        """The tokens that the best sequence serves."""
        prompt = Tokens.of(request.token_ids)
        read = 0
        for sequence in reversed(self._sequences()):
            # A longer common prefix has one more token in common: most have not.
            if _same_token(sequence.tokens, prompt, read):
                read = max(read, self._usable(request, sequence))
        return TokenRange.of(read)

    def take(self, request: TokenRequest) -> TokenRange:
        """The tokens read; then the ends of the prompt's segments and the answer are stored."""
        prompt = Tokens.of(request.token_ids)
        found = self.find(request)
        for end, queue in _segment_ends(request):
            if end > found.high:
                self._insert(_Sequence(request.namespace, prompt[:end]), queue)
        answered = prompt + stored_answer(self._policy.generated, request)
        self._insert(_Sequence(request.namespace, answered), "assistant")
        return found

    def _sequences(self) -> list[_Sequence]:
        return [sequence for queue in self._queues.values() for sequence in queue]

    def _usable(self, request: TokenRequest, sequence: _Sequence) -> int:
        """How much of one sequence the request can go on from."""
        if sequence.namespace != request.namespace:
            return 0
        limit = len(request) - self._policy.keep_last
        shared = common_prefix(Tokens.of(request.token_ids), sequence.tokens)
        if self._trimmable:
            return min(shared, limit)
        whole = shared == len(sequence.tokens) <= limit
        return shared if whole else 0

    def _insert(self, sequence: _Sequence, queue: str) -> None:
        for others in self._queues.values():
            others[:] = [other for other in others if not self._replaces(sequence, other)]
        self._queues[queue].append(sequence)
        if len(self._sequences()) > self._capacity:
            self._evict()

    def _replaces(self, new: _Sequence, old: _Sequence) -> bool:
        """An equal sequence is stored once; where caches can be cut, its prefixes go as well."""
        if new.namespace != old.namespace:
            return False
        if not self._trimmable:
            return new.tokens == old.tokens
        end = len(old.tokens)
        same_end = end == 0 or _same_token(new.tokens, old.tokens, end - 1)
        return same_end and common_prefix(new.tokens, old.tokens) == end

    def _evict(self) -> None:
        """The oldest of the first queue that is as long as the next one."""
        for queue, following in pairwise(_QUEUES):
            if self._queues[queue] and len(self._queues[queue]) >= len(self._queues[following]):
                self._queues[queue].pop(0)
                return
        self._queues[_QUEUES[-1]].pop(0)


def _same_token(one: Tokens, other: Tokens, place: int) -> bool:
    return place < min(len(one), len(other)) and one[place] == other[place]


def _segment_ends(request: TokenRequest) -> list[tuple[int, str]]:
    """Where the server stores a state while it reads the prompt, and in which queue.

    The last token is always read apart, so that the state before it is stored too.
    """
    last = len(request) - 1
    segments = request.segments
    if not segments.user_last:
        return [(last, "assistant")]
    ends: list[tuple[int, str]] = []
    if segments.system_end:
        ends.append((segments.system_end, "system"))
    if segments.tail_start is None or segments.tail_start > last:
        return [*ends, (last, "user")]
    tail = segments.tail_start
    ends.append((tail, "user"))
    return [*ends, (last, "assistant")] if tail < last else ends
