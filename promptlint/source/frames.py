"""A frame: the names and the circumstances under which code is evaluated."""

import ast

from msgspec import Struct, field

from promptlint.location import Location
from promptlint.source.alternatives import either
from promptlint.source.modules import Module
from promptlint.source.pieces import Stage, Volatile
from promptlint.source.values import Arrival, FunctionValue, ListValue, Value


class Race(Struct, eq=False):
    """Functions that run side by side since `birth`. Until one is `suspended` they run in turn."""

    birth: int
    suspended: bool = False


class Frame(Struct, eq=False):
    """One evaluation of a module's, a class's or a function's body.

    `scope` is the frame whose names the code sees. `call` is the line that called
    it. `control` is what the branch being evaluated depends on (the user's text,
    chance, a counter). `turns` is when the loop over turns around the statement began,
    `rounds` says that each round of the innermost loop sends a request, `user_turn` that the
    root handles one message of the user, `arrival` that the loop around the statement walks
    something unordered. `several` says that what is called is called for several elements and
    not awaited, `race` that others run meanwhile.
    """

    module: Module
    scope: "Frame | None" = None
    function: FunctionValue | None = None
    caller: "Frame | None" = None
    call: Location | None = None
    stage: Stage = Stage.CALL
    names: dict[str, Value] = field(default_factory=dict)
    returns: list[Value] = field(default_factory=list)
    yields: ListValue | None = None
    control: Volatile | None = None
    turns: int | None = None
    rounds: bool = False
    outer_names: set[str] = field(default_factory=set)
    parameters: frozenset[str] = frozenset()
    user_turn: bool = False
    arrival: Arrival | None = None
    several: bool = False
    race: Race | None = None
    depth: int = 0

    @property
    def in_turns(self) -> bool:
        """Whether a loop over turns is around the statement."""
        return self.turns is not None

    @property
    def turns_began(self) -> int | None:
        """When the innermost loop over turns began, around the statement or around a call of it."""
        frame: Frame | None = self
        while frame is not None:
            if frame.turns is not None:
                return frame.turns
            frame = frame.caller
        return None

    def lookup(self, name: str) -> Value | None:
        """The value of a name, from the innermost scope that has it."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            frame = frame.scope
        return None

    def bind(self, name: str, value: Value) -> None:
        """Assign to a name; one declared `global` or `nonlocal` is assigned where it lives."""
        frame: Frame = self
        if name in self.outer_names:
            while frame.scope is not None and (frame is self or name not in frame.names):
                frame = frame.scope
        frame.names[name] = value

    def place(self, node: ast.AST) -> Location:
        """Where a node of this frame's code stands."""
        return self.module.place(node)

    @property
    def hints(self) -> str:
        """The names of the functions being evaluated, innermost first."""
        names: list[str] = []
        frame: Frame | None = self
        while frame is not None and len(names) < 2:
            if frame.function is not None:
                names.append(frame.function.name)
            frame = frame.caller
        return " ".join(names)


def merged(one: dict[str, Value], other: dict[str, Value]) -> dict[str, Value]:
    """The names after two branches."""
    names = dict(one)
    for name, value in other.items():
        known = names.setdefault(name, value)
        if known is not value:
            names[name] = either(known, value)
    return names
