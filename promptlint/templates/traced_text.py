"""Text that knows where each of its characters came from.

Every method takes its text from `str` itself; only the pieces are computed here. Where
positions cannot be known the result has the common leaf of what went in (`derived`).
`%`, `format`, `encode` and `maketrans` are followed by the environment, which calls them.
"""

# ruff: noqa: D102 - the public methods are those of `str`, and mean the same.

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, SupportsIndex

from promptlint.templates.leaf import UNKNOWN, Leaf, common_leaf
from promptlint.templates.pieces import Piece, Pieces, cut
from promptlint.templates.traced_number import traced_number


class TracedText(str):
    """A `str` with the pieces that tile it."""

    __slots__ = ("_pieces",)
    _pieces: Pieces

    def __new__(cls, text: str, pieces: Pieces) -> "TracedText":
        """The text `text`, made of `pieces`, whose lengths add up to its length."""
        traced = super().__new__(cls, text)
        traced._pieces = pieces
        return traced

    def __str__(self) -> str:
        return self

    def _cut(self, start: int, end: int) -> "TracedText":
        text = str.__getitem__(self, slice(start, end))
        return type(self)(text, cut(self._pieces, start, end))

    def _made_of(self, text: str, parts: Iterable[str]) -> "TracedText":
        """`text`, which is the parts put together."""
        return type(self)(text, pieces_of_all(parts))

    def _like(self, text: str) -> "TracedText":
        """`text` with its own pieces, of the class of this text."""
        return type(self)(text, pieces_of(text))

    # Parts of the text.

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        if not isinstance(key, slice):
            index = range(len(self))[key]
            return self._cut(index, index + 1)
        start, stop, step = key.indices(len(self))
        if step == 1:
            return self._cut(start, max(start, stop))
        characters = (self._cut(i, i + 1) for i in range(start, stop, step))
        return self._made_of(str.__getitem__(self, key), characters)

    def __iter__(self) -> Iterator[str]:
        return (self._cut(index, index + 1) for index in range(len(self)))

    def strip(self, chars: str | None = None, /) -> str:
        start = len(self) - len(str.lstrip(self, chars))
        return self._cut(start, max(start, len(str.rstrip(self, chars))))

    def lstrip(self, chars: str | None = None, /) -> str:
        return self._cut(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars: str | None = None, /) -> str:
        return self._cut(0, len(str.rstrip(self, chars)))

    def removeprefix(self, prefix: str, /) -> str:
        return self._cut(len(self) - len(str.removeprefix(self, prefix)), len(self))

    def removesuffix(self, suffix: str, /) -> str:
        return self._cut(0, len(str.removesuffix(self, suffix)))

    def _parts(self, parts: Iterable[str]) -> Iterator[str]:
        """These parts of the text, which stand in it in this order."""
        end = 0
        for part in parts:
            start = str.index(self, part, end)
            end = start + len(part)
            yield self._cut(start, end)

    def _fields(self, fields: list[str], separator: str | None) -> list[str]:
        """The parts of the text between separators; None is any white space."""
        if separator is None:
            return list(self._parts(fields))
        start = 0
        result: list[str] = []
        for field in fields:
            result.append(self._cut(start, start + len(field)))
            start += len(field) + len(separator)
        return result

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._fields(str.split(self, sep, maxsplit), sep)

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._fields(str.rsplit(self, sep, maxsplit), sep)

    def splitlines(self, keepends: bool = False) -> list[str]:
        lines = self._fields(str.splitlines(self, keepends=True), "")
        texts = str.splitlines(self, keepends)
        return [line[: len(text)] for line, text in zip(lines, texts, strict=True)]

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        before, middle, after = self._fields(list(str.partition(self, sep)), "")
        return before, middle, after

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        before, middle, after = self._fields(list(str.rpartition(self, sep)), "")
        return before, middle, after

    # Texts put together.

    def __add__(self, other: str, /) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return self._made_of(str.__add__(self, other), (self, other))

    def __radd__(self, other: str, /) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return self._made_of(str.__add__(other, self), (other, self))

    def __mul__(self, count: SupportsIndex, /) -> str:
        text = str.__mul__(self, count)
        return self._made_of(text, [self] * count.__index__())

    def __rmul__(self, count: SupportsIndex, /) -> str:
        return self * count

    def join(self, iterable: Iterable[str], /) -> str:
        items = list(iterable)
        text = str.join(self, items)
        return self._made_of(text, interleaved(self, items))

    def replace(self, old: str, new: str, /, count: SupportsIndex = -1) -> str:
        text = str.replace(self, old, new, count)
        parts: list[str] = []
        end = 0
        for start in _occurrences(self, old, count.__index__()):
            parts += [self._cut(end, start), new]
            end = start + len(old)
        return self._made_of(text, [*parts, self._cut(end, len(self))])

    def _padded(self, text: str, fill: str, left: int) -> str:
        """`text`, which is this text with `left` fill characters before and others after it."""
        right = len(text) - len(self) - left
        return self._made_of(text, (fill * left, self, fill * right))

    def center(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        text = str.center(self, width, fillchar)
        padding = len(text) - len(self)
        return self._padded(text, fillchar, padding // 2 + (padding & len(text) & 1))

    def ljust(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        return self._padded(str.ljust(self, width, fillchar), fillchar, 0)

    def rjust(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        text = str.rjust(self, width, fillchar)
        return self._padded(text, fillchar, len(text) - len(self))

    # Texts of which only the origin is known.

    def translate(self, table: Any, /) -> str:
        return self._like(text_from(str.translate(self, table), UNKNOWN))

    def __format__(self, spec: str, /) -> str:
        return derived(str.__format__(self, spec), [self]) if spec else self


def pieces_of(text: str) -> Pieces:
    """The pieces of any text; a plain one is the template's own."""
    if isinstance(text, TracedText):
        return text._pieces
    return (Piece(len(text), None, None),) if text else ()


def pieces_of_all(parts: Iterable[str]) -> Pieces:
    """The pieces of texts that are put together."""
    return [piece for part in parts for piece in pieces_of(part)]


def traced(text: str) -> TracedText:
    """Any text as a TracedText."""
    return TracedText(text, pieces_of(text))


def plain_text(text: str) -> str:
    """The same characters as an exact `str`."""
    return str.__str__(text)


def concatenated(parts: Iterable[str]) -> str:
    """The parts as one text."""
    parts = list(parts)
    return TracedText("".join(parts), pieces_of_all(parts))


def text_from(text: str, leaf: Leaf | None, offset: int | None = None) -> TracedText:
    """The whole of `text` as one piece."""
    return TracedText(text, (Piece(len(text), leaf, offset),))


def derived(text: str, sources: Iterable[str]) -> str:
    """`text`, of which is only known that it was made from these texts."""
    leaves = (piece.leaf for source in sources for piece in pieces_of(source))
    return text_from(text, common_leaf(leaves))


def mapped(source: str, method: Callable[[str], str]) -> str:
    """The text that `method` makes of `source`, character by character.

    Where characters became longer (escapes), their pieces lose their offsets.
    """
    text = method(plain_text(source))
    pieces = pieces_of(source)
    if len(text) == len(source):
        return TracedText(text, pieces)
    result = []
    made = []
    start = 0
    for length, leaf, offset in pieces:
        part = method(str.__getitem__(source, slice(start, start + length)))
        result.append(Piece(len(part), leaf, offset if len(part) == length else None))
        made.append(part)
        start += length
    return TracedText(text, result) if "".join(made) == text else derived(text, [source])


def interleaved(separator: str, items: Sequence[str]) -> Iterator[str]:
    """The items with the separator between them."""
    for index, item in enumerate(items):
        if index:
            yield separator
        yield item


def _occurrences(text: str, old: str, count: int) -> Iterator[int]:
    """Where `str.replace` finds `old`; an empty one stands before each character and at the end."""
    start = 0
    while count != 0 and (found := text.find(old, start)) >= 0:
        yield found
        start = found + max(len(old), 1)
        count -= 1


def _mapping(method: Callable[[str], str]) -> Callable[[TracedText], str]:
    return lambda self: self._like(mapped(self, method))


def _counting(method: Callable[..., int]) -> Callable[..., int]:
    def traced_method(self: TracedText, *args: Any) -> int:
        number: int = traced_number(method(self, *args), common_leaf(p.leaf for p in self._pieces))
        return number

    return traced_method


def _deriving(method: Callable[..., str]) -> Callable[..., str]:
    return lambda self, *args: self._like(derived(method(self, *args), [self]))


for _name in ("capitalize", "casefold", "lower", "swapcase", "title", "upper"):
    setattr(TracedText, _name, _mapping(getattr(str, _name)))
for _name in ("count", "find", "index", "rfind", "rindex"):
    setattr(TracedText, _name, _counting(getattr(str, _name)))
for _name in ("expandtabs", "zfill"):
    setattr(TracedText, _name, _deriving(getattr(str, _name)))
