"""Longest common prefix with anything seen before: a tree of token runs.

Every block cache (vLLM's hashed blocks, SGLang's radix tree) and every provider that
finds any common prefix behaves like this tree. It holds each shared run once, so a
long session takes memory only for its new text. Where two runs part, the longer one goes
on and the shorter one is the branch: a session is one run, however often it was cut back.
"""

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.cache.policy import Generated, Policy, TimeToLive
from promptlint.cache.token_range import NOTHING, TokenRange
from promptlint.cache.token_request import TokenRequest, shortest_prefix
from promptlint.captures.common_prefix import common_prefix
from promptlint.models.tokens import NO_TOKENS, Tokens


class _Use(Struct, frozen=True):
    """When the tokens up to `end` were last read or written, and how long they live then."""

    end: int
    time: float
    lifetime: TimeToLive | None

    def alive(self, time: float, *, surely: bool) -> bool:
        """Whether they are there at a time: surely, or possibly."""
        return time <= self._until(surely=surely)

    def outlives(self, other: "_Use") -> bool:
        """Whether they are there after another use has ended."""
        return any(self._until(surely=s) > other._until(surely=s) for s in (True, False))

    def _until(self, *, surely: bool) -> float:
        if self.lifetime is None:
            return float("inf")
        return self.time + (self.lifetime.seconds if surely else self.lifetime.at_most)


class _Run(Struct):
    """The tokens from `start` to the end of `tokens`, which has all that stands before as well.

    `uses` have rising ends; what ends no later and lives no longer than another is left out.
    `branches` are runs that part from this one, by the place and their first token.
    `requests` are the places where a whole request ends.
    """

    start: int
    tokens: Tokens
    uses: list[_Use] = field(default_factory=list)
    branches: dict[int, dict[int, "_Run"]] = field(default_factory=dict)
    requests: set[int] = field(default_factory=set)

    def shared(self, tokens: Tokens) -> int:
        """Up to where these tokens, which share what stands before the run, are in it."""
        return common_prefix(self.tokens, tokens, known=self.start)

    def branch(self, tokens: Tokens, place: int) -> "_Run | None":
        """The branch that goes on with these tokens from a place on."""
        found = self.branches.get(place) if place < len(tokens) else None
        return found.get(tokens[place]) if found else None

    def use(self, use: _Use) -> None:
        """Note that the tokens up to a place were read or written."""
        before = [known for known in self.uses if known.end <= use.end and known.outlives(use)]
        later = [known for known in self.uses if known.end > use.end]
        covered = not all(map(use.outlives, later))
        self.uses = [*before, *([] if covered or use.end <= self.start else [use]), *later]

    def go_on(self, tokens: Tokens, place: int, use: _Use) -> None:
        """Add what follows a place in these tokens, which is in no branch."""
        if place == len(tokens):
            return
        if len(tokens) < len(self.tokens):
            branch = _Run(place, tokens, [use])
            self.branches.setdefault(place, {})[tokens[place]] = branch
            return
        if place < len(self.tokens):
            self._part(place)
        self.tokens = tokens
        self.uses.append(use)

    def _part(self, place: int) -> None:
        """Make a branch of all that stands behind a place."""
        rest = _Run(
            place,
            self.tokens,
            [use for use in self.uses if use.end > place],
            {at: self.branches.pop(at) for at in [*self.branches] if at > place},
            {end for end in self.requests if end > place},
        )
        self.uses = [use for use in self.uses if use.end <= place]
        for use in rest.uses:
            self.use(replace(use, end=place))
        self.requests -= rest.requests
        self.branches.setdefault(place, {})[self.tokens[place]] = rest


class _Reach(Struct):
    """How far a request was found: surely, at most, and whether it is an exact repeat."""

    sure: int = 0
    possible: int = 0
    repeat: bool = False


class PrefixTree:
    """The store of policies that match any common prefix."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._roots: dict[tuple[str, ...], _Run] = {}

    def find(self, request: TokenRequest) -> TokenRange:
        """The common prefix by the policy's step and minimum."""
        reach = self._reach(request)
        if len(request) < shortest_prefix(self._policy, request):
            return NOTHING
        return TokenRange(
            self._readable(reach.sure, request, reach.repeat),
            self._readable(reach.possible, request, reach.repeat),
        )

    def take(self, request: TokenRequest) -> TokenRange:
        """The same; then the request is remembered."""
        found = self.find(request)
        self._insert(request)
        return found

    def _reach(self, request: TokenRequest) -> _Reach:
        """The longest common prefix with what is still alive."""
        tokens = Tokens.of(request.token_ids)
        run = self._roots.get(request.namespace)
        reach = _Reach()
        while run is not None:
            shared = run.shared(tokens)
            for use in run.uses:
                end = min(use.end, shared)
                if use.alive(request.time, surely=False):
                    reach.possible = max(reach.possible, end)
                if use.alive(request.time, surely=True):
                    reach.sure = max(reach.sure, end)
            if reach.possible < shared:
                break
            reach.repeat = shared == len(request) and shared in run.requests
            run = run.branch(tokens, shared)
        return reach

    def _readable(self, shared: int, request: TokenRequest, repeat: bool) -> int:
        policy = self._policy
        if policy.whole_repeat and repeat and shared == len(request):
            return shared
        step = policy.block or 1
        read = min(shared, len(request) - policy.keep_last) // step * step
        too_short = policy.minimum_of == "prefix" and read < shortest_prefix(policy, request)
        return 0 if too_short else read

    def _insert(self, request: TokenRequest) -> None:
        """Add the request and the stored part of its answer."""
        tokens = Tokens.of(request.token_ids)
        self._add(request, tokens).requests.add(len(tokens))
        answer = stored_answer(self._policy.generated, request)
        if answer:
            self._add(request, tokens + answer)

    def _add(self, request: TokenRequest, tokens: Tokens) -> _Run:
        """Add tokens; the run in which they end."""
        run = self._roots.setdefault(request.namespace, _Run(0, NO_TOKENS))
        lifetime = self._policy.lifetime(request.lifetime)
        while True:
            place = run.shared(tokens)
            run.use(_Use(place, request.time, lifetime))
            branch = run.branch(tokens, place)
            if branch is None:
                break
            run = branch
        run.go_on(tokens, place, _Use(len(tokens), request.time, lifetime))
        return run.branch(tokens, place) or run


def stored_answer(kept: Generated, request: TokenRequest) -> tuple[int, ...]:
    """The tokens of the answer that a cache keeps behind the prompt."""
    if kept is Generated.NONE:
        return ()
    return request.generated if kept is Generated.ALL else request.generated[:-1]
