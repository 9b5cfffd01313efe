"""Tokens that do not run across the ends of content blocks.

A hosted model puts tokens of its own between two blocks, which nobody sees. Where its
prompt is estimated as one text, the last token of a block would swallow the start of
what follows, and no prefix would end at a block.
"""

from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

from promptlint.models.model import Encoding, Tokenizer
from promptlint.render import Rendered


class BlockTokens:
    """Cuts prompts at given places and remembers the pieces: only new ones are tokenised."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._pieces: dict[str, Encoding] = {}

    def cut(self, rendered: Rendered, ends: Iterable[int]) -> Rendered:
        """The same prompt with tokens that end at these characters."""
        encoding = self.cut_from(rendered.text, 0, ends)
        return replace(rendered, token_ids=encoding.ids, token_starts=encoding.starts)

    def cut_from(self, text: str, first: int, ends: Iterable[int]) -> Encoding:
        """The tokens from character `first` on, where one ends at each of these characters."""
        places = sorted({first, *ends, len(text)})
        ids: list[int] = []
        starts: list[int] = []
        for start, end in pairwise(places):
            piece = self._encode(text[start:end])
            ids += piece.ids
            starts += (start + offset for offset in piece.starts)
        return Encoding(tuple(ids), tuple(starts))

    def _encode(self, text: str) -> Encoding:
        if text not in self._pieces:
            self._pieces[text] = self._tokenizer.encode(text)
        return self._pieces[text]
