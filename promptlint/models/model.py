"""A model as the renderer needs it: a chat template or a part order, and a tokenizer."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from promptlint.layout import Part
from promptlint.models.tokens import Row


class Encoding(Struct, frozen=True):
    """The tokens of one text.

    `starts` are the character offsets at which the tokens start; they never
    decrease, may repeat (a character in several byte-level tokens) and may leave
    gaps (normalisers). Map by start offset, never by equality.
    """

    ids: Row
    starts: Row


class Tokenizer(Protocol):
    """Anything that cuts a text into tokens. Special tokens in the text are recognised."""

    def encode(self, text: str) -> Encoding:
        """The tokens of `text`, with no token added at either end."""


@runtime_checkable
class BatchTokenizer(Protocol):
    """A tokenizer that cuts several texts in less time than one after the other.

    It works outside of Python's lock, and may be called from several threads.
    """

    def encode(self, text: str) -> Encoding:
        """The tokens of `text`, with no token added at either end."""

    def encode_all(self, texts: Sequence[str]) -> Iterator[Encoding]:
        """The tokens of each text, as `encode` gives them. All are cut before it returns."""


@runtime_checkable
class TokenizerWithBarriers(Protocol):
    """A tokenizer that finds some tokens first, and cuts the texts between them apart."""

    @property
    def barriers(self) -> Collection[str]:
        """The texts of these tokens.

        A barrier is one wherever its text stands, and the tokens behind its start are those
        of the text from there on.
        """

    def encode(self, text: str) -> Encoding:
        """The tokens of `text`, with no token added at either end."""


class Model(Struct, frozen=True):
    """A model under which a prompt is rendered.

    Exactly one of `template` (jinja source) and `part_order` (a hosted model that
    publishes no template) is set. `estimated` says that the tokenizer is not the
    model's own. `special_tokens` are the variables such as `bos_token` that a
    tokenizer hands to its template. `origin` is where the template was found. `appends`
    says that every message is printed by itself: a longer conversation's text goes on from
    a shorter one's.
    """

    name: str
    tokenizer: Tokenizer
    template: str | None = None
    part_order: tuple[Part, ...] | None = None
    estimated: bool = False
    special_tokens: Mapping[str, str] = field(default_factory=dict)
    origin: str = ""
    appends: bool = False


class ModelError(Exception):
    """A model that cannot be used. The message is one line: the model, then the cause."""
