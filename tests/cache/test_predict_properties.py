"""What must hold for every policy and every chain of requests."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from promptlint.cache.policies import policies, policy
from promptlint.cache.policy import Policy
from promptlint.cache.predict import Prediction, new_store, predict
from promptlint.cache.stores.prefix_tree import PrefixTree
from promptlint.cache.token_request import Mark, Salt, Segments, TokenRequest
from promptlint.captures.common_prefix import common_prefix

Draw = Callable[[st.SearchStrategy[Any]], Any]
TOKENS = st.lists(st.integers(0, 2), min_size=1, max_size=60).map(tuple)
NAMES = st.sampled_from(sorted(policies()))


@st.composite
def requests(draw: Draw, ages: bool = False) -> TokenRequest:
    """Short prompts over three tokens, so that prefixes are shared in every way."""
    tokens: tuple[int, ...] = draw(TOKENS)
    size = len(tokens)
    ends: set[int] = draw(st.sets(st.integers(1, size), max_size=6))
    marked = draw(st.lists(st.sampled_from(sorted(ends | {size})), max_size=3, unique=True))
    system_end, tail = sorted(draw(st.tuples(st.integers(0, size - 1), st.integers(1, size))))
    return TokenRequest(
        tokens,
        block_ends=tuple(sorted(ends | {size})),
        marks=tuple(Mark(end) for end in sorted(marked)),
        automatic=draw(st.sampled_from([None, True, False])),
        generated=draw(st.lists(st.integers(0, 2), max_size=5).map(tuple)),
        segments=Segments(system_end, tail, (min(system_end, size - 1),), draw(st.booleans())),
        time=draw(st.floats(0, 5000)) if ages else 0.0,
        salts=(Salt(draw(st.integers(0, size)), draw(st.sampled_from(["", "on"]))),),
    )


def small(name: str) -> Policy:
    """A policy with its lengths cut down to the size of the drawn prompts."""
    rules = policy(name)
    lookback = rules.lookback and 2
    cut = replace(rules, minimum=min(rules.minimum, 3), block=rules.block and min(rules.block, 4))
    cut = replace(cut, lookback=lookback)
    if rules.settings.get("window"):
        cut = cut.with_settings(window=8, batch=16, micro_batch=8, context=4096)
    return cut


def adds_up(prediction: Prediction) -> bool:
    """Some point in the three ranges is the prompt: reads and writes exclude each other."""
    p = prediction
    low = p.read.low + p.write.high + p.uncached.high
    high = p.read.high + p.write.low + p.uncached.low
    return low == high == p.tokens


@settings(max_examples=300, deadline=None)
@given(name=NAMES, chain=st.lists(requests(), min_size=1, max_size=8))
def test_read_write_and_uncached_are_the_whole_prompt(name: str, chain: list[TokenRequest]) -> None:
    rules = small(name)
    store = new_store(rules)
    for request in chain:
        turn = predict(rules, store, request)
        assert adds_up(turn)
        for tokens in (turn.read, turn.write, turn.uncached):
            assert 0 <= tokens.low <= tokens.high <= turn.tokens


@settings(max_examples=300, deadline=None)
@given(
    name=NAMES.filter(lambda name: not policy(name).settings.get("window")),
    chain=st.lists(requests(), max_size=6),
    request=requests(),
)
def test_an_identical_request_never_reads_less(
    name: str, chain: list[TokenRequest], request: TokenRequest
) -> None:
    """Not so where a window slides: rewinding it gives up the checkpoints behind."""
    rules = small(name)
    store = new_store(rules)
    for earlier in chain:
        predict(rules, store, earlier)
    first = predict(rules, store, request).read
    again = predict(rules, store, request).read
    assert again.low >= first.low
    assert again.high >= first.high


@settings(max_examples=300, deadline=None)
@given(name=NAMES, chain=st.lists(requests(ages=True), min_size=1, max_size=8))
def test_what_is_found_is_what_is_taken_and_asking_changes_nothing(
    name: str, chain: list[TokenRequest]
) -> None:
    rules = small(name)
    asked, taken = new_store(rules), new_store(rules)
    if asked is None or taken is None:
        return
    for request in sorted(chain, key=lambda r: r.time):
        for other in chain:
            asked.find(other)
        assert asked.find(request) == asked.take(request) == taken.take(request)


@pytest.mark.parametrize("name", ["anthropic/messages", "openai/pre-5.6", "openai/5.6+"])
@settings(max_examples=60, deadline=None)
@given(chain=st.lists(requests(ages=True), min_size=1, max_size=8))
def test_no_read_is_longer_than_the_common_prefix(name: str, chain: list[TokenRequest]) -> None:
    rules = small(name)
    store = new_store(rules)
    for index, request in enumerate(sorted(chain, key=lambda r: r.time)):
        turn = predict(rules, store, request)
        earlier = sorted(chain, key=lambda r: r.time)[:index]
        seen = [common_prefix(request.token_ids, e.token_ids) for e in earlier]
        assert turn.read.high <= max(seen, default=0)


@given(chain=st.lists(TOKENS, min_size=1, max_size=12))
def test_the_tree_finds_what_comparing_with_everything_finds(chain: list[tuple[int, ...]]) -> None:
    tree = PrefixTree(replace(policy("fireworks"), minimum=0))
    for index, tokens in enumerate(chain):
        found = tree.take(TokenRequest(tokens))
        seen = [common_prefix(tokens, earlier) for earlier in chain[:index]]
        assert found.low == found.high == max(seen, default=0)


@given(first=TOKENS, second=TOKENS)
def test_common_prefix_is_the_first_difference(
    first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    shared = common_prefix(first, second)
    assert first[:shared] == second[:shared]
    assert first[shared : shared + 1] != second[shared : shared + 1] or shared == len(first)
