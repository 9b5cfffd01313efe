"""Tokens that do not run across the ends of content blocks.

A hosted model puts tokens of its own between two blocks, which nobody sees. Where its
prompt is estimated as one text, the last token of a block would swallow the start of
what follows, and no prefix would end at a block.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from promptlint.models.model import Encoding

Pieces: TypeAlias = Sequence[tuple[int, str]]
"""Texts that stand one behind the other, each with the character at which it starts."""


def pieces_between(text: str, first: int, ends: Iterable[int]) -> Pieces:
    """The text from character `first` on in pieces, one of which ends at each of these places."""
    places = sorted({first, *ends, len(text)})
    return [(start, text[start:end]) for start, end in pairwise(places)]


class BlockTokens:
    """The tokens of pieces that are known: only new ones have to be tokenised."""

    def __init__(self) -> None:
        self._known: dict[str, Encoding] = {}

    def unknown(self, rows: Iterable[Pieces]) -> list[str]:
        """The texts in these rows that have to be tokenised, each once."""
        texts = dict.fromkeys(text for pieces in rows for _, text in pieces)
        return [text for text in texts if text not in self._known]

    def learn(self, texts: Sequence[str], encodings: Iterable[Encoding]) -> None:
        """Take the tokens of these texts."""
        self._known.update(zip(texts, encodings, strict=True))

    def put_together(self, pieces: Pieces) -> Encoding:
        """The tokens of a row of pieces, all of which are known."""
        ids: list[int] = []
        starts: list[int] = []
        for start, text in pieces:
            piece = self._known[text]
            ids += piece.ids
            starts += [start + offset for offset in piece.starts]
        return Encoding(tuple(ids), tuple(starts))
