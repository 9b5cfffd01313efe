"""Hits only where a stored entry ends.

An entry is known by the digest of a whole prefix.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from promptlint.cache.policy import Automatic, Certainty, Policy, TimeToLive
from promptlint.cache.stores.digests import PrefixDigests, Prefixes
from promptlint.cache.stores.prefix_tree import PrefixTree, stored_answer
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import Mark, Salt, TokenRequest, shortest_prefix
from promptlint.models.tokens import Tokens

_Key: TypeAlias = tuple[tuple[str, ...], bytes, tuple[Salt, ...]]


class _Entry(Struct):
    """One stored prefix: its lifetime, and when it was last read or written."""

    lifetime: TimeToLive | None
    last_used: float


class Boundaries:
    """The store of policies that match at stored ends only."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._entries: dict[_Key, _Entry] = {}
        self._lengths: set[int] = set()
        self._digests = PrefixDigests()
        self._tree = PrefixTree(policy)

    def find(self, request: TokenRequest) -> TokenRange:
        """The longest stored prefix near a breakpoint, or what the provider may find besides."""
        stored = self._stored(request, self._keys(request))
        return stored.up_to(self._tree.find(request)) if self._open_ended(request) else stored

    def take(self, request: TokenRequest) -> TokenRange:
        """The same; then the breakpoints are stored."""
        keys = self._keys(request)
        stored = self._stored(request, keys)
        for mark in breakpoints(self._policy, request):
            if mark.end >= shortest_prefix(self._policy, request):
                self._store(keys.at(mark.end), mark, request.time)
        if stored.high:
            self._entries[keys.at(stored.high)].last_used = request.time
        self._store_answer(request)
        return stored.up_to(self._tree.take(request)) if self._open_ended(request) else stored

    def _keys(self, request: TokenRequest) -> "_Keys":
        return _Keys(request, self._digests.of(Tokens.of(request.token_ids)))

    def _stored(self, request: TokenRequest, keys: "_Keys") -> TokenRange:
        """The longest stored prefix near a breakpoint."""
        marks = breakpoints(self._policy, request)
        ends = sorted({e for mark in marks for e in self._searched(request, mark)}, reverse=True)
        return TokenRange(
            self._longest(ends, keys, request.time, sure=True),
            self._longest(ends, keys, request.time, sure=False),
        )

    def _searched(self, request: TokenRequest, mark: Mark) -> Iterable[int]:
        """The ends that are looked up for one breakpoint: some block ends back, or any entry's."""
        lookback = self._policy.lookback
        if lookback:
            before = bisect_left(request.block_ends, mark.end)
            first = max(before - lookback + 1, 0)
            near = (*request.block_ends[first:before], mark.end)
        else:
            near = (mark.end, *(end for end in self._lengths if end < mark.end))
        return (end for end in near if end >= shortest_prefix(self._policy, request))

    def _open_ended(self, request: TokenRequest) -> bool:
        """Whether the provider may store at places of its own: not if only marks count."""
        if self._policy.certainty is not Certainty.AT_LEAST:
            return False
        return not (self._policy.automatic is Automatic.UNLESS_OFF and request.automatic is False)

    def _longest(self, ends: Iterable[int], keys: "_Keys", time: float, *, sure: bool) -> int:
        """The first of these ends at which a living entry ends; 0 if there is none."""
        return next((end for end in ends if self._lives(keys.at(end), time, sure=sure)), 0)

    def _lives(self, key: _Key, time: float, *, sure: bool) -> bool:
        entry = self._entries.get(key)
        if entry is None:
            return False
        bound = float("inf")
        if entry.lifetime:
            bound = entry.lifetime.seconds if sure else entry.lifetime.at_most
        return time - entry.last_used <= bound

    def _store(self, key: _Key, mark: Mark, time: float) -> None:
        self._entries[key] = _Entry(self._policy.lifetime(mark.lifetime), time)
        self._lengths.add(mark.end)

    def _store_answer(self, request: TokenRequest) -> None:
        """Store the end of the answer, at providers that do."""
        answer = stored_answer(self._policy.generated, request)
        if answer:
            whole = Tokens.of(request.token_ids) + answer
            keys = _Keys(request, self._digests.of(whole))
            self._store(keys.at(len(whole)), Mark(len(whole)), request.time)


class _Keys:
    """The keys of a request's prefixes: equal where the tokens and the salts in them are."""

    def __init__(self, request: TokenRequest, prefixes: Prefixes) -> None:
        self._request = request
        self._prefixes = prefixes
        self._salts = sorted(request.salts, key=lambda salt: salt.start)

    def at(self, end: int) -> _Key:
        salts = tuple(salt for salt in self._salts if salt.start < end)
        return self._request.namespace, self._prefixes.digest(end), salts


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
        marks.setdefault(end, Mark(end, request.lifetime))
    newest = sorted(marks.values(), key=lambda mark: mark.end)
    return tuple(newest[-policy.max_marks :]) if policy.max_marks else tuple(newest)
