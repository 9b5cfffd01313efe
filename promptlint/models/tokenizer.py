"""Cut a text into tokens with a `tokenizer.json`."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from promptlint.models.model import Encoding, ModelError

if TYPE_CHECKING:
    import tokenizers

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class FastTokenizer:
    """A tokenizer of the `tokenizers` library, without truncation and padding."""

    def __init__(self, backend: "tokenizers.Tokenizer") -> None:
        backend.no_truncation()
        backend.no_padding()
        self._backend = backend

    def encode(self, text: str) -> Encoding:
        """The tokens of `text`; a lone surrogate counts as U+FFFD, as in UTF-8 output."""
        return _encoding(self._backend.encode(_utf8_text(text), add_special_tokens=False))

    def encode_all(self, texts: Sequence[str]) -> Iterator[Encoding]:
        """The tokens of each text; all processors take part."""
        batch = [_utf8_text(text) for text in texts]
        return map(_encoding, self._backend.encode_batch(batch, add_special_tokens=False))

    @cached_property
    def barriers(self) -> frozenset[str]:
        """The texts of the special tokens that nothing around them can take back."""
        raw = [t for t in self._backend.get_added_tokens_decoder().values() if not t.normalized]
        texts = sorted(token.content for token in raw)
        inside = {character for text in texts for character in text[1:]}
        extended = {text for text, longer in pairwise(texts) if longer.startswith(text)}
        return frozenset(
            token.content
            for token in raw
            if not (token.single_word or token.lstrip or token.rstrip)
            and not token.content[0].isspace()
            and token.content[0] not in inside
            and token.content not in extended
        )


def _utf8_text(text: str) -> str:
    return _LONE_SURROGATE.sub("\ufffd", text)


def _encoding(encoding: "tokenizers.Encoding") -> Encoding:
    starts = [start for start, _ in encoding.offsets]
    if starts != sorted(starts):
        starts = list(accumulate(starts, max))
    return Encoding(ids=tuple(encoding.ids), starts=tuple(starts))


def tokenizer_from_file(path: Path, model: str, added: tuple[str, ...] = ()) -> FastTokenizer:
    """The tokenizer in a `tokenizer.json`, which also knows the `added` special tokens.

    Raises ModelError, naming `model`, where the file cannot be read.
    """
    import tokenizers

    try:
        backend = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises plain Exception for every fault of the file
        raise ModelError(f"{model}: {path.name} cannot be read: {error}") from error
    backend.add_special_tokens(list(added))
    return FastTokenizer(backend)
