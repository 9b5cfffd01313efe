"""Cut a text into tokens with a `tokenizer.json`."""

import re
from itertools import accumulate
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
