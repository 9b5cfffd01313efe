"""What tokens cost: USD per million, from the dated table of the package `model-prices`."""

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from promptlint.cache.model_names import plain_name
from promptlint.cache.policy import Policy
from promptlint.cache.predict import Prediction

if TYPE_CHECKING:
    from model_prices import Tier  # type: ignore[import-untyped]

MILLION = 1_000_000


class Prices(Struct, frozen=True):
    """One model's prices in USD per million tokens, in force since a day.

    `read` and `write` are None where no price is known. `tiers` are the prices of
    prompts longer than a number of tokens, which then hold for the whole request.
    """

    model: str
    input: float
    output: float
    read: float | None
    write: float | None
    since: date
    source: str
    tiers: tuple[tuple[int, "Prices"], ...] = ()

    def for_prompt(self, tokens: int) -> "Prices":
        """The prices for a prompt of that length."""
        return next((p for above, p in reversed(self.tiers) if tokens > above), self)


class Cost(Struct, frozen=True):
    """An amount in USD, from `low` to `high`, with the day and the source of its prices.

    A sum has the newest day; `older` are the other days of its prices, rising.
    """

    low: float
    high: float
    since: date
    source: str
    older: tuple[date, ...] = ()

    @property
    def days(self) -> tuple[date, ...]:
        """All days since which its prices hold, rising."""
        return (*self.older, self.since)

    @property
    def known(self) -> bool:
        """Whether this is one amount."""
        return self.low == self.high

    def __add__(self, other: "Cost") -> "Cost":
        *older, newest = sorted({*self.days, *other.days})
        source = max(self, other, key=lambda cost: cost.since).source
        return Cost(self.low + other.low, self.high + other.high, newest, source, tuple(older))

    def as_json(self) -> dict[str, object]:
        """The amount, a number or `[low, high]`, and the day since which its prices hold."""
        usd = self.low if self.known else [self.low, self.high]
        return {"usd": usd, "prices_since": self.since.isoformat(), "prices_from": self.source}


class NoPriceError(Exception):
    """An amount that cannot be given. The message is one line that says why."""


def prices_for(model: str, at: datetime | None = None) -> Prices:
    """The prices of a model at a time, today at noon (UTC) by default: some change by the hour.

    A name that the table does not have is looked up as the maker writes it.

    Raises:
        NoPriceError: the table does not know the model.
    """
    import model_prices

    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    found = (model_prices.rates(name, at or noon) for name in (model, plain_name(model)))
    rates = next(filter(None, found), None)
    if rates is None:
        raise NoPriceError(f"no price is known for the model `{model}`")
    base = Prices(
        model=rates.model,
        input=rates.input,
        output=rates.output,
        read=rates.cache_read,
        write=rates.cache_write,
        since=datetime.fromisoformat(rates.valid_from).date(),
        source=model_prices.pricing_basis(),
    )
    tiers = sorted(rates.tiers, key=lambda tier: tier.above)
    return replace(base, tiers=tuple((tier.above, _tier(base, tier)) for tier in tiers))


def cost_of(policy: Policy, prices: Prices, prediction: Prediction, output: int = 0) -> Cost:
    """What a predicted request costs, and `output` tokens of its answer.

    Raises:
        NoPriceError: tokens are read, and what a read costs is not known.
    """
    charged = prices.for_prompt(prediction.tokens)
    read, uncached = prediction.read, prediction.uncached
    parts = [(p.tokens, write_price(policy, charged, p.lifetime)) for p in prediction.writes]
    fewest = sum(tokens.low * price for tokens, price in parts)
    most = sum(tokens.high * price for tokens, price in parts)
    low, high = sorted(
        (
            _paid(charged, read.high, fewest, uncached.low, output),
            _paid(charged, read.low, most, uncached.high, output),
        )
    )
    return Cost(low, high, prices.since, prices.source)


def write_price(policy: Policy, prices: Prices, lifetime: str | None) -> float:
    """The price of a write: the table's for the default lifetime, else the policy's multiple."""
    if lifetime in (None, policy.default_lifetime) and prices.write is not None:
        return prices.write
    multiple = policy.lifetime(lifetime)
    return prices.input * (multiple.write_multiplier if multiple else 1.0)


def usd(
    prices: Prices, *, read: int = 0, write: int = 0, uncached: int = 0, output: int = 0
) -> float:
    """What these tokens cost in USD. Without a price of writes, they cost what input costs.

    Raises:
        NoPriceError: tokens are read, and what a read costs is not known.
    """
    charged = prices.for_prompt(read + write + uncached)
    written = write * (charged.input if charged.write is None else charged.write)
    return _paid(charged, read, written, uncached, output)


def _paid(prices: Prices, read: int, written: float, uncached: int, output: int) -> float:
    """What tokens cost in USD; `written` is what the writes cost, in millionths.

    Raises NoPriceError where tokens are read, and what a read costs is not known.
    """
    if read and prices.read is None:
        raise NoPriceError(f"no price of a cache read is known for the model `{prices.model}`")
    paid = read * (prices.read or 0.0) + written
    return (paid + uncached * prices.input + output * prices.output) / MILLION


def _tier(base: Prices, tier: "Tier") -> Prices:
    """The prices of one tier: what it leaves out stays."""
    return replace(
        base,
        input=base.input if tier.input is None else tier.input,
        output=base.output if tier.output is None else tier.output,
        read=base.read if tier.cache_read is None else tier.cache_read,
        write=base.write if tier.cache_write is None else tier.cache_write,
    )
