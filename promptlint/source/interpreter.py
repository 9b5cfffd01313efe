"""The interpreter: evaluates code over symbolic values, with a budget and memoised calls."""

import ast
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from promptlint.location import Location
from promptlint.source import calls, classes, expressions, objects, statements, texts
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.modules import Module, Tree
from promptlint.source.names import dotted
from promptlint.source.pieces import Pieces, Stage
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source.tables import Tables
from promptlint.source.values import (
    ClassValue,
    FunctionValue,
    Imported,
    ModuleValue,
    Mutable,
    Unknown,
    Value,
    births,
)

if TYPE_CHECKING:
    from promptlint.source.conversations import Prompt

ROOT_BUDGET = 20_000
SYSTEM_BUDGET = 60_000
MODULE_BUDGET = 100_000


class Interpreter(Struct, eq=False):
    """Evaluates one tree. `prompts` and `facts` collect what was met on the way.

    `cut` are the files whose top level was not evaluated to its end;
    `elsewhere` the marks of functions whose result was given to people or made an image;
    `template_globals` what environments give to all of their templates.
    """

    tree: Tree
    tables: Tables
    prompts: list["Prompt"] = field(default_factory=list)
    facts: dict[tuple[FactKind, Location], SourceFact] = field(default_factory=dict)
    memo: dict[object, calls.Summary] = field(default_factory=dict)
    active: list[calls.Activation] = field(default_factory=list)
    budget: int = 0
    classes: dict[str, list[ClassValue]] = field(default_factory=dict)
    incremented: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    template_globals: dict[str, Value] = field(default_factory=dict)
    nesting: int = 0
    _loading: int = 0
    _imports: list[tuple[int, ...]] = field(default_factory=list)

    @contextmanager
    def spending(self, budget: int) -> Iterator[None]:
        """Evaluate with a budget of its own, in syntax nodes."""
        outer, self.budget = self.budget, budget
        try:
            yield
        finally:
            self.budget = outer

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Give up where expressions are nested deeper than Python's own stack: that is unknown."""
        nesting = self.nesting
        try:
            yield
        except RecursionError:
            self.nesting = nesting

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression; unknown once the budget is spent."""
        self.budget -= not isinstance(node, ast.Constant)  # a long table of texts costs nothing
        handler = expressions.HANDLERS.get(type(node))
        if handler is None or self.budget < 0:
            return Unknown(dotted(node) or "", frame.place(node))
        return handler(self, node, frame)

    def execute(self, body: Sequence[ast.stmt], frame: Frame) -> bool:
        """Run statements. True if control never reaches what follows them."""
        return statements.execute(self, body, frame)

    def call(self, callee: Value, arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
        """The result of a call."""
        return calls.call(self, callee, arguments, node, frame)

    def attribute(self, value: Value, name: str, node: ast.AST, frame: Frame) -> Value:
        """The value of `value.name`."""
        return objects.attribute(self, value, name, node, frame)

    def pieces(self, value: Value, node: ast.AST, frame: Frame) -> Pieces:
        """The text of a value when it is printed."""
        return texts.printed(self, value, node, frame)

    def resolve(self, value: Value) -> Value:
        """What an imported name stands for."""
        return self.member(value.path, value.name) if isinstance(value, Imported) else value

    def member(self, path: Path, name: str) -> Value:
        """A name of a module or a package of the tree."""
        if path.is_file():
            frame = self.module_frame(path)
            if frame is not None and name in frame.names:
                found = frame.names[name]
                same = isinstance(found, Imported) and (found.path, found.name) == (path, name)
                return Unknown(name) if same else self.resolve(found)
            if path.name != "__init__.py":
                return Unknown(name)
        package = path.parent if path.name == "__init__.py" else path
        file = self.tree.disk.member(package, name)
        return Unknown(name) if file is None else ModuleValue(file)

    def module_frame(self, path: Path) -> Frame | None:
        """The names of a module, its body evaluated at import."""
        module = self.tree.module(path)
        if module is None:
            return None
        if module.frame is None:
            module.frame = Frame(module, stage=Stage.IMPORT)
            self._run(module, module.frame)
        return module.frame

    def _run(self, module: Module, frame: Frame) -> None:
        self.incremented |= classes.incremented_attributes(module.source)
        outer, self.active = self.active, []
        start = next(births)
        self._loading += 1
        with self.spending(MODULE_BUDGET), self.bounded():
            self.execute(module.tree.body, frame)
            if self.budget < 0:
                self.cut.add(module.shown)
        self.active = outer
        self._loading -= 1
        if not self._loading:
            self._imports.append((start, next(births)))

    def touch(self, value: Mutable) -> None:
        """Note that a container was changed: calls that did not make it are no pure calls.

        What a module made is left out: registries and caches would make everything impure.
        """
        value.version += 1
        if self.is_made_at_import(value):
            return
        for activation in reversed(self.active):
            if activation.start < value.birth:
                break
            activation.pure = False

    def is_made_at_import(self, value: Mutable) -> bool:
        """Whether a module made a container when it was loaded."""
        at = bisect(self._imports, (value.birth,)) - 1
        return at >= 0 and value.birth < self._imports[at][1]

    def fact(self, fact: SourceFact) -> None:
        """Keep a fact, once for each call."""
        self.facts.setdefault((fact.kind, fact.location), fact)

    def register(self, cls: ClassValue) -> None:
        """Make a class known to its base classes, by name."""
        for base in cls.node.bases:
            name = dotted(base)
            if name:
                known = self.classes.setdefault(name.rpartition(".")[2], [])
                if all(other.node is not cls.node for other in known):
                    known.append(cls)

    def is_active(self, function: FunctionValue) -> bool:
        """Whether a function is being evaluated already."""
        return any(activation.node is function.node for activation in self.active)
