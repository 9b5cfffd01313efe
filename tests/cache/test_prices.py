from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from promptlint.cache.policies import policy
from promptlint.cache.predict import Prediction, Written
from promptlint.cache.prices import NoPriceError, Prices, cost_of, prices_for, usd, write_price
from promptlint.cache.token_range import TokenRange

ZERO = TokenRange.of(0)


def own(**given: float | None) -> Prices:
    table: dict[str, float | None] = {"input": 1.0, "output": 1.0, "read": None, "write": None}
    return Prices(**(table | given), model="m", since=date(2026, 1, 1), source="a test")  # type: ignore[arg-type]


def test_prices_carry_their_day_and_source() -> None:
    opus = prices_for("claude-opus-5-5", datetime(2026, 11, 29, tzinfo=UTC))
    assert (opus.input, opus.read, opus.write, opus.output) == (4.0, 0.2, 5.0, 20.0)
    assert opus.since == date(2026, 9, 22)
    assert "model-prices" in opus.source


def test_an_unknown_model_has_no_price() -> None:
    with pytest.raises(NoPriceError, match="no price is known for the model `my-own-model`"):
        prices_for("my-own-model")


def test_a_model_whose_reads_have_no_price_has_no_cost() -> None:
    with pytest.raises(NoPriceError, match="cache read"):
        usd(own(), read=10)
    assert usd(own(), uncached=1_000_000) == 1.0


def test_a_gateway_that_counted_cached_tokens_twice() -> None:
    """A public bug: 172k tokens, 155k of them read and 3k written, were charged 0.86 USD."""
    prices = own(input=5.0, read=0.5, write=6.25)
    assert usd(prices, read=155_000, write=3_000, uncached=14_000) == pytest.approx(0.166250)


def test_a_gateway_that_left_out_the_writes() -> None:
    """A public bug: 3 plain, 12,304 written and 550 generated tokens."""
    prices = own(input=3.0, read=0.3, write=3.75, output=15.0)
    assert usd(prices, write=12_304, uncached=3, output=550) == pytest.approx(0.054399)


def test_a_long_prompt_pays_the_higher_price_for_every_token() -> None:
    haiku = prices_for("claude-haiku-5-5", datetime(2026, 11, 29, tzinfo=UTC))
    assert usd(haiku, uncached=100_000) == pytest.approx(0.01)
    assert usd(haiku, uncached=100_001) == pytest.approx(0.0500005)


def test_a_write_that_lives_an_hour_costs_twice_the_input() -> None:
    anthropic, opus = policy("anthropic/messages"), prices_for("claude-opus-5-5")
    assert write_price(anthropic, opus, "5m") == 5.0
    assert write_price(anthropic, opus, "1h") == 8.0
    assert write_price(anthropic, replace(opus, write=None), "5m") == 5.0


def test_each_write_pays_for_its_own_lifetime() -> None:
    writes = (Written(TokenRange.of(1000), "1h"), Written(TokenRange(0, 500), "5m"))
    prediction = Prediction(1500, TokenRange(0, 500), TokenRange(1000, 1500), ZERO, writes)
    opus = prices_for("claude-opus-5-5", datetime(2026, 11, 29, tzinfo=UTC))
    cost = cost_of(policy("anthropic/messages"), opus, prediction)
    assert cost.low == pytest.approx((1000 * 8.0 + 500 * 0.2) / 1e6)
    assert cost.high == pytest.approx((1000 * 8.0 + 500 * 5.0) / 1e6)


def test_the_cost_of_a_range_is_a_range() -> None:
    prediction = Prediction(1_000_000, TokenRange(0, 500_000), ZERO, TokenRange(500_000, 1_000_000))
    cost = cost_of(policy("zhipu/glm"), own(input=2.0, read=0.5), prediction)
    assert (cost.low, cost.high) == (1.25, 2.0)
    assert cost.as_json() == {
        "usd": [1.25, 2.0],
        "prices_since": "2026-01-01",
        "prices_from": "a test",
    }


def test_costs_add_up_and_keep_the_newest_day() -> None:
    prediction = Prediction(1_000_000, ZERO, ZERO, TokenRange.of(1_000_000))
    cost = cost_of(policy("zhipu/glm"), own(), prediction)
    newer = replace(cost, since=date(2026, 5, 5))
    assert (cost + newer).low == 2.0
    assert (cost + newer).since == date(2026, 5, 5)
    assert (newer + cost + cost).days == (date(2026, 1, 1), date(2026, 5, 5))
