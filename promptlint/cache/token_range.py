"""A number of tokens, or the range in which it lies."""

from msgspec import Struct


class TokenRange(Struct, frozen=True):
    """From `low` to `high` tokens, both included. A known number has both equal."""

    low: int
    high: int

    @classmethod
    def of(cls, tokens: int) -> "TokenRange":
        """A known number."""
        return cls(tokens, tokens)

    @property
    def known(self) -> bool:
        """Whether this is one number."""
        return self.low == self.high

    def up_to(self, other: "TokenRange") -> "TokenRange":
        """The same number or more, up to the most of another one."""
        return TokenRange(self.low, max(self.high, other.high))

    def __contains__(self, tokens: int) -> bool:
        return self.low <= tokens <= self.high

    def __add__(self, other: "TokenRange") -> "TokenRange":
        return TokenRange(self.low + other.low, self.high + other.high)

    def __str__(self) -> str:
        return f"{self.low:,}" if self.known else f"{self.low:,} to {self.high:,}"

    def as_json(self) -> int | list[int]:
        """A number, or `[low, high]`."""
        return self.low if self.known else [self.low, self.high]


NOTHING = TokenRange(0, 0)
