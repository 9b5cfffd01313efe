"""The tree of runs finds what a table of every prefix finds, with its times and repeats."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from promptlint.cache.policies import policy
from promptlint.cache.policy import Policy, TimeToLive
from promptlint.cache.stores.prefix_tree import PrefixTree
from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import TokenRequest

LIFETIMES = {
    "short": TimeToLive(seconds=5, at_most=9),
    "long": TimeToLive(seconds=8, at_most=20),
}
RULES = replace(
    policy("moonshot/kimi-coding-endpoint"),
    block=3,
    minimum=0,
    lifetimes=LIFETIMES,
    default_lifetime="short",
)
tokens = st.lists(st.integers(0, 1), max_size=12).map(tuple)
lifetimes = st.sampled_from([None, "long"])
requests = st.lists(st.tuples(tokens, st.integers(0, 4), st.booleans(), lifetimes), max_size=14)


class Table:
    """Each prefix that was seen, and how long it surely and possibly lives."""

    def __init__(self, rules: Policy) -> None:
        self.rules = rules
        self.until: dict[tuple[int, ...], tuple[float, float]] = {}
        self.requests: set[tuple[int, ...]] = set()

    def take(self, request: TokenRequest) -> TokenRange:
        ids = tuple(request.token_ids)
        sure = possible = 0
        for end in range(1, len(ids) + 1):
            surely, possibly = self.until.get(ids[:end], (-1, -1))
            sure = end if request.time <= surely else sure
            possible = end if request.time <= possibly else possible
        found = TokenRange(self.readable(ids, sure), self.readable(ids, possible))
        self.requests.add(ids)
        lifetime = LIFETIMES[request.lifetime or "short"]
        new = request.time + lifetime.seconds, request.time + lifetime.at_most
        for end in range(len(ids) + 1):
            surely, possibly = self.until.get(ids[:end], new)
            self.until[ids[:end]] = max(surely, new[0]), max(possibly, new[1])
        return found

    def readable(self, ids: tuple[int, ...], shared: int) -> int:
        if shared == len(ids) and ids in self.requests:
            return shared
        return min(shared, len(ids) - self.rules.keep_last) // 3 * 3


@settings(max_examples=400, deadline=None)
@given(requests)
def test_the_tree_finds_what_a_table_of_prefixes_finds(
    drawn: list[tuple[tuple[int, ...], int, bool, str | None]],
) -> None:
    tree, table = PrefixTree(RULES), Table(RULES)
    time = 0.0
    last: tuple[int, ...] = ()
    for ids, pause, goes_on, lifetime in drawn:
        time += pause
        last = (*last[:-1], *ids) if goes_on else ids
        request = TokenRequest(last, time=time, lifetime=lifetime)
        assert tree.take(request) == table.take(request)
