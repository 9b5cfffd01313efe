"""Cut a text into tokens with a `tokenizer.json`."""

import re
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
        encoding = self._backend.encode(
            _LONE_SURROGATE.sub("\ufffd", text), add_special_tokens=False
        )
        starts = accumulate((start for start, _ in encoding.offsets), max)
        return Encoding(ids=tuple(encoding.ids), starts=tuple(starts))

    @cached_property
    def barriers(self) -> dict[int, int]:
        """The special tokens that nothing around them can take back, and their characters."""
        raw = {
            number: token
            for number, token in self._backend.get_added_tokens_decoder().items()
            if not token.normalized
        }
        texts = sorted(token.content for token in raw.values())
        inside = {character for text in texts for character in text[1:]}
        extended = {text for text, longer in pairwise(texts) if longer.startswith(text)}
        return {
            number: len(token.content)
            for number, token in raw.items()
            if not (token.single_word or token.lstrip or token.rstrip)
            and not token.content[0].isspace()
            and token.content[0] not in inside
            and token.content not in extended
        }


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
