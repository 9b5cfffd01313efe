"""Digests of the prefixes of prompts, as in the providers' own hash chains.

The digest of a step of tokens goes into that of the next one. A prompt that goes on from an
earlier one takes over its chain, so a session is digested once.
"""

from array import array
from collections import deque
from hashlib import blake2b

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.tokens import Tokens

_STEP = 64
"""Tokens."""
_REMEMBERED = 8


class Prefixes:
    """The prefixes of one prompt: `chain` are the digests up to the end of each whole step."""

    def __init__(self, tokens: Tokens, chain: list[bytes]) -> None:
        self.tokens = tokens
        self.chain = chain

    def digest(self, end: int) -> bytes:
        """The same for equal first `end` tokens, and for them alone."""
        steps = end // _STEP
        return _next_digest(self.chain[steps], array("q", self.tokens[steps * _STEP : end]))


class PrefixDigests:
    """Digests prompts that go on from each other."""

    def __init__(self) -> None:
        self._known: deque[Prefixes] = deque(maxlen=_REMEMBERED)

    def of(self, tokens: Tokens) -> Prefixes:
        """The prefixes of a prompt."""
        shared, nearest = max(
            ((common_prefix(tokens, known.tokens), known) for known in self._known),
            key=lambda pair: pair[0],
            default=(0, None),
        )
        chain = nearest.chain[: shared // _STEP + 1] if nearest else [b""]
        new = array("q", tokens[(len(chain) - 1) * _STEP :])
        for start in range(0, len(new) - _STEP + 1, _STEP):
            chain.append(_next_digest(chain[-1], new[start : start + _STEP]))
        prefixes = Prefixes(tokens, chain)
        if nearest and shared // _STEP == len(nearest.chain) - 1:
            self._known.remove(nearest)
        self._known.append(prefixes)
        return prefixes


def _next_digest(before: bytes, tokens: "array[int]") -> bytes:
    return blake2b(before + tokens.tobytes(), digest_size=16).digest()
