"""Roots: the functions from which evaluation starts, callers before what they call."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from promptlint.request import SYSTEM_ROLES
from promptlint.source import classes
from promptlint.source.conversations import TOOL_KEYS, is_request
from promptlint.source.modules import Module
from promptlint.source.names import dotted
from promptlint.source.tables import Tables
from promptlint.source.values import ClassValue, FunctionValue, Imported

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

CALLER_LEVELS = 2
_CALLED = re.compile(r"\b(?:(?<=\.)\w+|\w++(?=\())")
_NO_TEXT = frozenset({"bool", "int", "float", "None", "bytes"})
_KEYWORDS = frozenset(
    {"messages", "system", "system_prompt", "system_message", "instructions"}
    | {"system_instruction", "instruction", "system_instructions", "backstory"}
)
_SENDING = ("system", "System", "instruction", "messages", "description", "developer")
_WHOLE = ("prompt=", "generate(", "backstory")


class Candidate(Struct, eq=False):
    """A function that builds a prompt (`builder`), sends one (`sends`), or calls one that does.

    `words` are the names that its text has in front of a call or behind a dot.
    """

    function: FunctionValue
    sends: bool
    builder: str
    words: frozenset[str]
    run: bool = False
    _uses: "Uses | None" = None

    @property
    def simple_name(self) -> str:
        """The function's own name."""
        return getattr(self.function.node, "name", "")

    @property
    def path(self) -> Path:
        """The function's file."""
        return self.function.module.path

    @property
    def uses(self) -> "Uses":
        """The names in the function's body, found when a caller is first looked for."""
        if self._uses is None:
            self._uses = _used(self.function.node)
        return self._uses


class Uses(Struct, frozen=True):
    """The bare names and the attributes that a function's body has."""

    names: frozenset[str]
    attributes: frozenset[str]


class Candidates(Struct):
    """Every function of some modules, and who calls whom by name."""

    everything: list[Candidate]
    named: Counter[str]
    written: dict[str, list[Candidate]]

    def first(self) -> list[Candidate]:
        """The functions that send or build a prompt themselves."""
        return [c for c in self.everything if c.sends or c.builder]

    def callers(self, target: Candidate) -> Iterator[Candidate]:
        """The functions that call this one, as far as names are sure enough."""
        name = target.simple_name
        for candidate in self.written.get(name, ()):
            if candidate is not target and _calls(
                candidate, target, name, unique=self.named[name] == 1
            ):
                yield candidate


def candidates(interpreter: "Interpreter", modules: Sequence[Module]) -> Candidates:
    """The functions of some modules."""
    everything: list[Candidate] = []
    for module in modules:
        lines = module.source.split("\n")
        for function in functions(interpreter, module):
            everything.append(_candidate(interpreter.tables, function, lines))
    written: dict[str, list[Candidate]] = {}
    for candidate in everything:
        for word in candidate.words:
            written.setdefault(word, []).append(candidate)
    return Candidates(everything, Counter(c.simple_name for c in everything), written)


def functions(interpreter: "Interpreter", module: Module) -> Iterator[FunctionValue]:
    """The functions and methods of a module."""
    frame = interpreter.module_frame(module.path)
    for value in list(frame.names.values()) if frame is not None else ():
        if isinstance(value, FunctionValue) and value.module is module:
            yield value
        elif isinstance(value, ClassValue) and value.module is module:
            for member in list(classes.members(interpreter, value).values()):
                if isinstance(member, FunctionValue) and member.owner is value:
                    yield member


def _candidate(tables: Tables, function: FunctionValue, lines: list[str]) -> Candidate:
    node = function.node
    source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    words = frozenset(_CALLED.findall(source))
    builder = builder_kind(tables, function)
    # A builder is a root whatever it sends: to look for that takes a walk through all of it.
    speaks = not builder and any(word in source for word in (*_SENDING, *_WHOLE, *_own(tables)))
    return Candidate(function, speaks and _sends(tables, node), builder, words)


def _own(tables: Tables) -> frozenset[str]:
    """The keywords of a project's own sinks, and those that switch something volatile on."""
    return tables.own_keywords | tables.switch_keywords


def _sends(tables: Tables, node: ast.AST) -> bool:
    """Whether something below a node makes or sends system text, or defines a tool."""
    keywords = _KEYWORDS | _own(tables)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            last = dotted(inner.func).rpartition(".")[2]
            if tables.constructors.get(last) == "system" or last == "from_messages":
                return True
            given = {keyword.arg for keyword in inner.keywords}
            if given & keywords or _sends_whole(tables, inner, given):
                return True
        elif isinstance(inner, ast.Dict) and _is_prompt(inner.keys, inner.values):
            return True
    return False


def _sends_whole(tables: Tables, call: ast.Call, given: set[str | None]) -> bool:
    """Whether a call takes a whole prompt as one text."""
    sink = tables.sink(dotted(call.func)) if call.args or "prompt" in given else None
    return sink is not None and bool(sink.prompt) and bool(call.args or given & sink.prompt)


def _is_prompt(keys: list[ast.expr | None], values: list[ast.expr]) -> bool:
    """Whether a dictionary is a system message, the body of a request or a tool definition."""
    names = {key.value for key in keys if isinstance(key, ast.Constant)}
    if is_request(names):
        return True
    if {"name", "description"} <= names and names & TOOL_KEYS:
        return True
    return any(
        isinstance(key, ast.Constant)
        and key.value == "role"
        and isinstance(value, ast.Constant)
        and value.value in SYSTEM_ROLES
        for key, value in zip(keys, values, strict=True)
    )


def builder_kind(tables: Tables, function: FunctionValue) -> str:
    """`system` or `prompt` for a function named like a builder of one, else empty."""
    node = function.node
    if isinstance(node, ast.Lambda) or _returns_no_text(node.returns):
        return ""
    name = node.name
    if classes.decorators(function) & tables.decorators:
        return "system"
    builders = tables.builders
    owner = function.owner.name if function.owner is not None else ""
    if builders.side.search(name) or builders.side.search(_snake(owner)):
        return ""
    if builders.system.search(name):
        return "system"
    if builders.prompt.search(name):
        return "vague" if builders.vague.search(name) else "prompt"
    if builders.classes.search(owner) and builders.methods.search(name):
        return "system"
    return ""


def is_called_once(tables: Tables, function: FunctionValue) -> bool:
    """Whether a decorator says that the function is called once for a session."""
    if isinstance(function.node, ast.Lambda) or not classes.decorators(function) & tables.once:
        return False
    return not any("dynamic=True" in ast.unparse(d) for d in function.node.decorator_list)


def _snake(name: str) -> str:
    """A class's name in the words of a function's."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _returns_no_text(annotation: ast.expr | None) -> bool:
    if annotation is None:
        return False
    written = ast.unparse(annotation)
    return written in _NO_TEXT or written.lower().startswith(("set[", "frozenset["))


def _calls(caller: Candidate, target: Candidate, name: str, *, unique: bool) -> bool:
    """Whether one function calls another: by a name it sees, on its own class, or a unique name."""
    if name in caller.uses.names and target.function.owner is None and _sees(caller, target, name):
        return True
    same_class = target.function.owner is caller.function.owner is not None
    return (same_class or unique) and name in caller.uses.attributes


def _used(node: ast.AST) -> Uses:
    names: set[str] = set()
    attributes: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            names.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            attributes.add(inner.attr)
    return Uses(frozenset(names), frozenset(attributes))


def _sees(caller: Candidate, target: Candidate, name: str) -> bool:
    """Whether a bare name of the caller's module is the target."""
    module = caller.function.module
    if module is target.function.module:
        return True
    value = module.frame.names.get(name) if module.frame is not None else None
    if isinstance(value, Imported):
        return value.name == target.simple_name
    return name in module.source and value is None
