"""Hits only where a stored entry ends.

An entry is the digest of a whole prefix; the digests of all block ends of a prompt
come from one pass over its tokens, as in the providers' own hash chains.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b

from promptlint.cache.policy import Automatic, Certainty, Policy, TimeToLive
from promptlint.cache.stores.prefix_tree import PrefixTree, stored_answer
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import Mark, TokenRequest


@dataclass(slots=True)
class _Entry:
    """One stored prefix: its lifetime, and when it was last read or written."""

    lifetime: TimeToLive | None
    last_used: float


class Boundaries:
    """The store of policies that match at stored ends only."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._entries: dict[bytes, _Entry] = {}
        self._lengths: set[int] = set()
        self._tree = PrefixTree(policy)

    def take(self, request: TokenRequest) -> TokenRange:
        """The longest stored prefix near a breakpoint; then the breakpoints are stored."""
        marks = breakpoints(self._policy, request)
        candidates = {end for mark in marks for end in self._searched(request, mark)}
        digests = _digests(request, candidates | {mark.end for mark in marks})
        sure = max((self._hit(e, digests, request, sure=True) for e in candidates), default=0)
        possible = max((self._hit(e, digests, request, sure=False) for e in candidates), default=0)
        for mark in marks:
            if mark.end >= self._policy.minimum:
                self._store(digests[mark.end], mark, request.time)
        if possible:
            self._refresh(digests[possible], request.time)
        self._store_answer(request)
        if self._policy.certainty is Certainty.AT_LEAST and self._open_ended(request):
            possible = max(possible, self._tree.take(request).high)
        return TokenRange(sure, possible)

    def _searched(self, request: TokenRequest, mark: Mark) -> Iterable[int]:
        """The ends that are looked up for one breakpoint: some block ends back, or any entry's."""
        lookback = self._policy.lookback
        ends = {mark.end, *(request.block_ends if lookback else self._lengths)}
        before = sorted((end for end in ends if end <= mark.end), reverse=True)
        near = before[:lookback] if lookback else before
        return (end for end in near if end >= self._policy.minimum)

    def _open_ended(self, request: TokenRequest) -> bool:
        """Whether the provider may store at places of its own: not if only marks count."""
        return not (self._policy.automatic is Automatic.UNLESS_OFF and request.automatic is False)

    def _hit(
        self, end: int, digests: dict[int, bytes], request: TokenRequest, *, sure: bool
    ) -> int:
        """`end` if a living entry ends there, else 0."""
        entry = self._entries.get(digests[end])
        if entry is None:
            return 0
        bound = float("inf")
        if entry.lifetime:
            bound = entry.lifetime.seconds if sure else entry.lifetime.at_most
        return end if request.time - entry.last_used <= bound else 0

    def _store(self, digest: bytes, mark: Mark, time: float) -> None:
        self._entries[digest] = _Entry(self._policy.lifetime(mark.lifetime), time)
        self._lengths.add(mark.end)

    def _refresh(self, digest: bytes, time: float) -> None:
        self._entries[digest].last_used = time

    def _store_answer(self, request: TokenRequest) -> None:
        """Store the end of the answer, at providers that do."""
        answer = stored_answer(self._policy.generated, request)
        if answer:
            whole = replace(request, token_ids=request.token_ids + answer)
            end = len(whole)
            self._store(_digests(whole, {end})[end], Mark(end), request.time)


def breakpoints(policy: Policy, request: TokenRequest) -> tuple[Mark, ...]:
    """The breakpoints that count for a request, rising: its own, and the automatic one."""
    marks = {mark.end: mark for mark in request.marks} if policy.marks else {}
    asked = {
        Automatic.NEVER: False,
        Automatic.ON_REQUEST: request.automatic is True,
        Automatic.UNLESS_OFF: request.automatic is not False,
        Automatic.ALWAYS: True,
    }
    if asked[policy.automatic]:
        end = request.block_ends[-1] if request.block_ends else len(request)
        marks.setdefault(end, Mark(end))
    newest = sorted(marks.values(), key=lambda mark: mark.end)
    return tuple(newest[-policy.max_marks :]) if policy.max_marks else tuple(newest)


def _digests(request: TokenRequest, ends: set[int]) -> dict[int, bytes]:
    """The digest of the prefix up to each end, salts before it included."""
    running = blake2b("\0".join(request.namespace).encode(), digest_size=16)
    tokens = memoryview(array("q", request.token_ids)).cast("B")
    salts = sorted(request.salts, key=lambda salt: salt.start)
    digests: dict[int, bytes] = {}
    position = 0
    for end in sorted(ends):
        while salts and salts[0].start < end:
            salt = salts.pop(0)
            running.update(tokens[position * 8 : salt.start * 8])
            running.update(b"\0salt\0" + salt.text.encode() + b"\0")
            position = salt.start
        running.update(tokens[position * 8 : end * 8])
        position = end
        digests[end] = running.digest()
    return digests
