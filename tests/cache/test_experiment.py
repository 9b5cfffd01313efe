"""The numbers of the experiment that started this: a memory block rebuilt at turn 7.

Prompts are sequences of made-up tokens with the published lengths and shared parts.
"""

import itertools

import pytest

from promptlint.cache.policies import policy
from promptlint.cache.predict import Prediction, new_store, predict
from promptlint.cache.prices import cost_of, prices_for
from promptlint.cache.token_range import NOTHING, TokenRange
from promptlint.cache.token_request import Mark, TokenRequest

FRESH = itertools.count(1)

PROMPTS = [1152, 1199, 1642, 1806, 2073, 2220]
CACHED = [293, 1151, 1198, 1641, 1805, 2072]
TOOLS, STABLE, MEMORY_BEFORE, MEMORY_AFTER = 769, 287, 6, 27


def fresh(count: int) -> tuple[int, ...]:
    """Tokens that no other prompt has."""
    return tuple(itertools.islice(FRESH, count))


@pytest.mark.parametrize(("refreshed", "expected"), [(True, 294), (False, 2219)])
def test_mlx_reads_the_published_turns(refreshed: bool, expected: int) -> None:
    mlx = policy("engine/mlx_lm.server")
    store = new_store(mlx)
    head, dash = fresh(293), fresh(1)
    predict(mlx, store, TokenRequest(head + fresh(900)))
    predict(mlx, store, TokenRequest(head + dash + fresh(900)))

    history: tuple[int, ...] = head
    cached = []
    for length in PROMPTS:
        history = history + fresh(length - 1 - len(history))
        # The last token of the generation prompt merges into another one in the next turn.
        cached.append(predict(mlx, store, TokenRequest(history + fresh(1))).read)
        last_prompt = history
    assert cached == [TokenRange.of(n) for n in CACHED]

    rebuilt = head + dash + fresh(2300 - 294)
    kept = last_prompt + fresh(2300 - len(last_prompt))
    turn = predict(mlx, store, TokenRequest(rebuilt if refreshed else kept))
    assert turn.read == TokenRange.of(expected)
    assert turn.tokens == 2300
    assert turn.write == NOTHING


def anthropic_turn(model: str, *, refreshed: bool, marked: bool = False) -> Prediction:
    """Turn 6 at Anthropic with automatic caching, after turn 5 wrote its whole prompt."""
    rules = policy("anthropic/messages").for_model(model)
    store = new_store(rules)
    stable = TOOLS + STABLE
    head, memory = fresh(stable), fresh(MEMORY_BEFORE)
    history, new = fresh(2071 - stable - MEMORY_BEFORE), fresh(44)
    marks = (Mark(stable),) if marked else ()
    before = head + memory + history
    ends: tuple[int, ...] = (TOOLS, stable, stable + MEMORY_BEFORE, 2071)
    predict(rules, store, TokenRequest(before, ends, marks, automatic=True))
    if refreshed:
        after = head + fresh(MEMORY_AFTER) + history + new
        ends = (TOOLS, stable, stable + MEMORY_AFTER, 2092, 2136)
    else:
        after = before + new
        ends = (TOOLS, stable, stable + MEMORY_BEFORE, 2071, 2115)
    return predict(rules, store, TokenRequest(after, ends, marks, automatic=True))


@pytest.mark.parametrize(
    ("refreshed", "marked", "read", "write", "cost"),
    [
        (False, False, 2071, 44, "0.000634"),
        (True, False, 0, 2136, "0.010680"),
        (True, True, 1056, 1080, "0.005611"),
    ],
)
def test_anthropic_reads_writes_and_costs_the_published_amounts(
    refreshed: bool, marked: bool, read: int, write: int, cost: str
) -> None:
    turn = anthropic_turn("claude-opus-5-5", refreshed=refreshed, marked=marked)
    assert (turn.read, turn.write, turn.uncached) == (
        TokenRange.of(read),
        TokenRange.of(write),
        NOTHING,
    )
    amount = cost_of(policy("anthropic/messages"), prices_for("claude-opus-5-5"), turn)
    assert amount.low == amount.high
    assert f"{amount.low:.6f}" == cost


def test_the_refreshed_turn_is_sixteen_times_as_dear() -> None:
    rules, prices = policy("anthropic/messages"), prices_for("claude-opus-5-5")
    kept = cost_of(rules, prices, anthropic_turn("claude-opus-5-5", refreshed=False))
    refreshed = cost_of(rules, prices, anthropic_turn("claude-opus-5-5", refreshed=True))
    assert f"{refreshed.low / kept.low:.1f}" == "16.8"


def test_haiku_4_5_caches_nothing_below_its_minimum() -> None:
    turn = anthropic_turn("claude-haiku-4-5", refreshed=False)
    assert (turn.read, turn.write) == (NOTHING, NOTHING)
    assert turn.uncached == TokenRange.of(2115)
