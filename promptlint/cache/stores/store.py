"""What every store can do."""

from typing import Protocol

from promptlint.cache.token_range import TokenRange
from promptlint.cache.token_request import TokenRequest


class Store(Protocol):
    """The requests that a cache remembers, by the rules of one policy."""

    def find(self, request: TokenRequest) -> TokenRange:
        """How many of the request's first tokens would be read; nothing is remembered."""

    def take(self, request: TokenRequest) -> TokenRange:
        """How many of the request's first tokens are read; the request is remembered afterwards."""
