"""Values: what an expression can be. Texts are immutable, containers are shared and mutable."""

import ast
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.location import Location
from promptlint.source.pieces import Literal, Pieces, Stage, Volatile, frozen, literal_text

if TYPE_CHECKING:
    from promptlint.source.frames import Frame
    from promptlint.source.modules import Module

births = count(1)


class Text(Struct, frozen=True):
    """A text, or a value known only by the text it would print as.

    `form` is what it is before it is printed: `str`, `datetime`, `date`,
    `timedelta`, `number`, `path`, `process`, `bool`, `template`.
    """

    pieces: Pieces
    form: str = "str"


class Constant(Struct, frozen=True):
    """None, a bool, a number or bytes."""

    value: object


class External(Struct, frozen=True):
    """Something outside the linted tree, by its dotted name."""

    name: str


class Unknown(Struct, frozen=True):
    """An object nobody could follow, by the name it has in the source.

    `called` says that a call returned it, `user` that it holds the user's words, `counted`
    that it is a number that grows from one request to the next.
    """

    name: str
    place: Location | None = None
    user: bool = False
    called: bool = False
    counted: bool = False


class Choice(Struct, frozen=True):
    """One of these; which one is not known."""

    options: tuple["Value", ...]


class Arrival(Struct, frozen=True):
    """The unsettled order in which elements came into a list.

    `texts` says that what was walked were plain texts. `birth` is when the walk began.
    """

    order: Volatile
    texts: bool
    birth: int


class ListValue(Struct, eq=False):
    """A list, tuple, set or iterator. `items` stand for all elements in order.

    `order` is why the order is not settled (a set, a listing); it becomes text
    only where the container is walked. `open` says that there may be more items,
    `grows` that some are added from turn to turn.
    `arrival` says that a walk of something unordered filled the list.
    """

    items: list["Value"]
    order: Volatile | None = None
    form: str = "list"
    open: bool = False
    version: int = 0
    birth: int = field(default_factory=lambda: next(births))
    arrival: Arrival | None = None
    grows: bool = False


class DictValue(Struct, eq=False):
    """A mapping. Keys that are no plain text are numbered under `?`.

    `keys` are those numbered ones, as far as something is known of them.
    `factory` makes what is missing, as a defaultdict's does. `decoded`: its keys are in the
    order in which they arrived, from a text or from several mappings. `arrival` says that a
    walk of something unordered filled it.
    """

    entries: dict[str, "Value"]
    place: Location | None = None
    open: bool = False
    decoded: bool = False
    factory: "Value | None" = None
    keys: dict[str, "Value"] = field(default_factory=dict)
    arrival: Arrival | None = None
    version: int = 0
    birth: int = field(default_factory=lambda: next(births))


class ClassValue(Struct, eq=False):
    """A class of the linted tree."""

    node: ast.ClassDef
    module: "Module"
    scope: "Frame"
    members: dict[str, "Value"] | None = None
    lineage: "list[ClassValue] | None" = None
    assignments: "dict[str, list[tuple[FunctionValue, ast.expr]]] | None" = None
    annotations: dict[str, ast.expr] | None = None
    fields: list[str] | None = None

    @property
    def name(self) -> str:
        """The class's name in its file."""
        return self.node.name


class FunctionValue(Struct, eq=False):
    """A function of the linted tree. `receiver` is what `self` is bound to.

    `memoised`: its results are kept by what was made of it.
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: "Module"
    scope: "Frame"
    owner: ClassValue | None = None
    receiver: "Value | None" = None
    memoised: bool = False

    @property
    def name(self) -> str:
        """The function's name in its file, its class in front."""
        if isinstance(self.node, ast.Lambda):
            return "<lambda>"
        return f"{self.owner.name}.{self.node.name}" if self.owner else self.node.name


class Instance(Struct, eq=False):
    """An object of a class of the linted tree. `stage` says when it was made."""

    cls: ClassValue
    stage: Stage
    fields: dict[str, "Value"] = field(default_factory=dict)
    version: int = 0
    birth: int = field(default_factory=lambda: next(births))
    pending: set[str] = field(default_factory=set)


class ModuleValue(Struct, frozen=True):
    """A module or package of the linted tree; it is parsed when a name of it is needed."""

    path: Path


class Imported(Struct, frozen=True):
    """A name imported from a module of the linted tree, looked up when it is needed."""

    path: Path
    name: str


class Method(Struct, frozen=True):
    """A method of a value that is no instance: `text.strip`, `parts.append`."""

    receiver: "Value"
    name: str


class Partial(Struct, frozen=True):
    """`functools.partial`: a callee with some of its arguments."""

    callee: "Value"
    positional: tuple["Value", ...]
    keywords: tuple[tuple[str, "Value"], ...]


Value: TypeAlias = (
    Text
    | Constant
    | External
    | Unknown
    | Choice
    | ListValue
    | DictValue
    | ClassValue
    | FunctionValue
    | Instance
    | ModuleValue
    | Imported
    | Method
    | Partial
)
Mutable: TypeAlias = ListValue | DictValue | Instance

NONE = Constant(None)


def text(words: str, place: Location | None = None) -> Text:
    """A literal text."""
    return Text((Literal(words, place),) if words else ())


def literal(value: Value) -> str | None:
    """The plain text of a value if it is known, else None."""
    if not isinstance(value, Text):
        return None
    return literal_text(value.pieces)


def truth(value: Value) -> bool | None:
    """Whether a value is true, where that is known."""
    match value:
        case Constant(value=content):
            return bool(content)
        case Text(pieces=pieces, form="str"):
            return True if any(isinstance(p, Literal) and p.text for p in pieces) else None
        case FunctionValue() | ClassValue() | ModuleValue():
            return True
        case _:
            return None


def stored(value: Value, stage: Stage, depth: int = 4) -> Value:
    """The value as it is once stored at `stage`; containers are changed in place."""
    match value:
        case Text():
            pieces = frozen(value.pieces, stage)
            return value if pieces is value.pieces else Text(pieces, value.form)
        case Choice():
            return Choice(tuple(stored(option, stage, depth) for option in value.options))
        case ListValue() if depth:
            value.items[:] = [stored(item, stage, depth - 1) for item in value.items]
            if value.order:
                value.order = _one_stored(value.order, stage)
        case DictValue() if depth:
            for table in (value.entries, value.keys):
                for key, item in table.items():
                    table[key] = stored(item, stage, depth - 1)
        case Instance() if depth:
            for key, item in value.fields.items():
                value.fields[key] = stored(item, stage, depth - 1)
        case _:
            pass
    return value


def _one_stored(piece: Volatile, stage: Stage) -> Volatile:
    (result,) = frozen((piece,), stage)
    assert isinstance(result, Volatile)
    return result


def mapped(value: Value, change: Callable[[Pieces], Pieces], depth: int = 3) -> Value:
    """A copy of a value with `change` applied to every text in it."""
    match value:
        case Text():
            pieces = change(value.pieces)
            return value if pieces is value.pieces else Text(pieces, value.form)
        case ListValue() if depth:
            items = [mapped(item, change, depth - 1) for item in value.items]
            return replace(value, items=items, version=0, birth=next(births))
        case DictValue() if depth:
            entries = {key: mapped(item, change, depth - 1) for key, item in value.entries.items()}
            keys = {key: mapped(item, change, depth - 1) for key, item in value.keys.items()}
            return replace(value, entries=entries, keys=keys, version=0, birth=next(births))
        case Choice():
            return Choice(tuple(mapped(option, change, depth) for option in value.options))
        case _:
            return value


def inner(value: Value) -> Iterator[Value]:
    """The values a container or a choice holds directly."""
    match value:
        case ListValue():
            yield from value.items
        case DictValue():
            yield from value.entries.values()
        case Choice():
            yield from value.options
        case _:
            return
