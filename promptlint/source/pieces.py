"""Pieces: the atoms of a symbolic text, and the algebra over sequences of them."""

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind, Confidence
from promptlint.location import Location

MOST_PIECES = 400
MOST_ALTERNATIVES = 120
LONGEST_TRAIL = 8


class Stage(IntEnum):
    """Where an evaluation happens, and so how long its result lives: longest first."""

    IMPORT = 0
    OBJECT = 1
    MEMO = 2
    CALL = 3


class Literal(Struct, frozen=True):
    """Text that stands in the source. `place` is its string constant."""

    text: str
    place: Location | None = None


class Volatile(Struct, frozen=True):
    """Text handed out by a call that answers differently another time.

    `axis` is what moves the text when the call is made anew for every request.
    `order` says that only the order moves. `form` is the last known shape of the
    value (`datetime`, `path`, ...), `section` the name shown to people.
    """

    kind: CauseKind
    source: str
    axis: Axis
    detail: str = ""
    place: Location | None = None
    stage: Stage = Stage.CALL
    confidence: Confidence = Confidence.HIGH
    order: bool = False
    unsorted: bool = False
    guessed: bool = False
    section: str = ""
    text: str = ""
    trail: tuple[Location, ...] = ()


class Unresolved(Struct, frozen=True):
    """Text nobody could follow. `user` says that it is what the user wrote."""

    name: str
    place: Location | None = None
    user: bool = False


class Branch(Struct, frozen=True):
    """Alternatives: one of these stands in the text, and which one is not known.

    `size` counts the pieces of all options.
    """

    options: tuple["Pieces", ...]
    size: int


class Mark(Struct, frozen=True):
    """No text: says that the result of this function passed through here."""

    function: str


Piece: TypeAlias = Literal | Volatile | Unresolved | Branch | Mark
Pieces: TypeAlias = tuple[Piece, ...]


def counter(name: str, place: Location | None, stage: Stage) -> Volatile:
    """A number that grows from one turn to the next, where it is read."""
    kind, axis = CauseKind.COUNTER, Axis.TURN
    return Volatile(kind, "environment", axis, name, place, stage, Confidence.MEDIUM)


def concatenate(parts: Iterable[Pieces]) -> Pieces:
    """All parts one after the other; neighbouring literals of one place become one."""
    joined: list[Piece] = []
    for part in parts:
        for piece in part:
            last = joined[-1] if joined else None
            if (
                isinstance(piece, Literal)
                and isinstance(last, Literal)
                and (not piece.place or piece.place == last.place)
            ):
                joined[-1] = Literal(last.text + piece.text, last.place)
            elif not (isinstance(piece, Literal) and not piece.text):
                joined.append(piece)
    return _capped(tuple(joined))


def size(pieces: Pieces) -> int:
    """The number of pieces, those of all alternatives included."""
    return sum(piece.size if isinstance(piece, Branch) else 1 for piece in pieces)


def branch(options: Iterable[Pieces]) -> Pieces:
    """Alternatives as one piece. Too many of them become one run: what stays, then what moves."""
    distinct = tuple(dict.fromkeys(option for option in options if option))
    if len(distinct) < 2:
        return distinct[0] if distinct else ()
    total = sum(size(option) for option in distinct)
    if total <= MOST_ALTERNATIVES:
        return (Branch(distinct, total),)
    leaves = dict.fromkeys(leaf for option in distinct for leaf in flat(option))
    still = [leaf for leaf in leaves if not isinstance(leaf, Volatile | Mark)]
    moving = [leaf for leaf in leaves if isinstance(leaf, Volatile | Mark)]
    return (*still[: MOST_ALTERNATIVES // 2], *moving[: MOST_ALTERNATIVES // 2])


def _capped(pieces: Pieces) -> Pieces:
    """At most `MOST_PIECES`: what moves is kept, the rest of an endless text is dropped."""
    if size(pieces) <= MOST_PIECES:
        return pieces
    leaves = list(flat(pieces))
    rest = dict.fromkeys(p for p in leaves[MOST_PIECES:] if isinstance(p, Volatile | Mark))
    return (*leaves[:MOST_PIECES], *list(rest)[: MOST_PIECES // 4])


def merge(one: Pieces, other: Pieces) -> Pieces:
    """Both alternatives of a text. An optional tail is kept as if it were always there."""
    if one == other or not other:
        return one
    if not one:
        return other
    head = 0
    while head < min(len(one), len(other)) and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(other)) - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    middle_one, middle_other = one[head : len(one) - tail], other[head : len(other) - tail]
    if not middle_one or not middle_other:
        return one if middle_one else other
    options: list[Pieces] = []
    for middle in (middle_one, middle_other):
        nested = middle[0].options if len(middle) == 1 and isinstance(middle[0], Branch) else ()
        options.extend(nested or (middle,))
    return _capped(one[:head] + branch(options) + one[len(one) - tail :])


def transform(pieces: Pieces, change: Callable[[Volatile], Volatile]) -> Pieces:
    """Apply `change` to everything volatile, alternatives included."""
    return tuple(
        change(piece)
        if isinstance(piece, Volatile)
        else Branch(tuple(transform(o, change) for o in piece.options), piece.size)
        if isinstance(piece, Branch)
        else piece
        for piece in pieces
    )


def frozen(pieces: Pieces, stage: Stage) -> Pieces:
    """The pieces as they are once stored: nothing lives shorter than `stage`."""
    if not has_volatile(pieces):
        return pieces
    return transform(pieces, lambda p: replace(p, stage=stage) if p.stage > stage else p)


def through(pieces: Pieces, call: Location | None) -> Pieces:
    """The pieces after they were handed back to the line `call`."""
    if call is None or not has_volatile(pieces):
        return pieces
    return transform(pieces, lambda p: _longer_trail(p, call))


def _longer_trail(piece: Volatile, call: Location) -> Volatile:
    if len(piece.trail) >= LONGEST_TRAIL or call == piece.place or call in piece.trail:
        return piece
    return replace(piece, trail=(*piece.trail, call))


def flat(pieces: Pieces) -> Iterator[Piece]:
    """Every piece, with alternatives unfolded one after the other."""
    for piece in pieces:
        if isinstance(piece, Branch):
            for option in piece.options:
                yield from flat(option)
        else:
            yield piece


def volatiles(pieces: Pieces) -> Iterator[Volatile]:
    """Everything that moves."""
    return (piece for piece in flat(pieces) if isinstance(piece, Volatile))


def marks(pieces: Pieces) -> Iterator[Mark]:
    """The functions whose result passed through."""
    return (piece for piece in flat(pieces) if isinstance(piece, Mark))


def has_volatile(pieces: Pieces) -> bool:
    """Whether anything moves."""
    return any(
        isinstance(piece, Volatile)
        or (isinstance(piece, Branch) and any(has_volatile(option) for option in piece.options))
        for piece in pieces
    )


def has_user_text(pieces: Pieces) -> bool:
    """Whether the user's own words are among the pieces."""
    return any(isinstance(p, Unresolved) and p.user for p in flat(pieces))


def literal_text(pieces: Pieces) -> str | None:
    """The text if all of it is literal, else None."""
    parts: list[str] = []
    for piece in pieces:
        if isinstance(piece, Literal):
            parts.append(piece.text)
        elif not isinstance(piece, Mark):
            return None
    return "".join(parts)


def one_way(pieces: Pieces) -> Pieces:
    """The pieces with one alternative of each choice: the one that says most in literal text."""
    return concatenate(
        one_way(max(piece.options, key=_literal_length)) if isinstance(piece, Branch) else (piece,)
        for piece in pieces
    )


def _literal_length(pieces: Pieces) -> int:
    names = sum(1 for piece in flat(pieces) if isinstance(piece, Unresolved))
    return -names if names else len(literals(pieces))


def literals(pieces: Pieces) -> str:
    """What of a text is literal."""
    return "".join(piece.text for piece in flat(pieces) if isinstance(piece, Literal))


def words(pieces: Pieces) -> str:
    """Literals and names in one text, to recognise a file or a command by."""
    parts = (
        p.text if isinstance(p, Literal) else p.name if isinstance(p, Unresolved) else ""
        for p in flat(pieces)
    )
    return " ".join(part for part in parts if part)
