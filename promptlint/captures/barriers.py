"""Where the tokens of a text do not depend on what stands before."""

import re
from collections.abc import Iterable

_LOOKED_BACK = 1024
"""Characters: a barrier further back saves less than it costs to cut again from there."""


class Barriers:
    """Finds the special tokens that a tokenizer cuts out of a text before all others."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = frozenset(texts)
        self._lengths = sorted(set(map(len, self._texts)))
        first = "".join(re.escape(character) for character in sorted({t[0] for t in self._texts}))
        self._opening = re.compile(f"[{first}]") if first else None

    def last(self, text: str, end: int) -> int | None:
        """Where the last barrier starts that ends before or at character `end`; None without one.

        Only shortly before it is looked for.
        """
        if self._opening is None:
            return None
        window = max(end - _LOOKED_BACK, 0)
        found = [match.start() for match in self._opening.finditer(text, window, end)]
        return next((start for start in reversed(found) if self._is_at(text, start, end)), None)

    def _is_at(self, text: str, start: int, end: int) -> bool:
        ends = (start + length for length in self._lengths if start + length <= end)
        return any(text[start:stop] in self._texts for stop in ends)
