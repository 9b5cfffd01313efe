"""Evaluate a tree from its roots, and keep the prompts that are met on the way."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from promptlint.source import calls, conversations, roots
from promptlint.source.conversations import Entry, Kind, Prompt
from promptlint.source.disk import Question
from promptlint.source.forked import can_fork, meanwhile
from promptlint.source.frames import Frame
from promptlint.source.interpreter import ROOT_BUDGET, SYSTEM_BUDGET, Interpreter
from promptlint.source.modules import Module
from promptlint.source.pieces import Stage, Unresolved, Volatile, flat
from promptlint.source.reading import SourceError, SourceFact
from promptlint.source.values import Choice, DictValue, ListValue, Text, Value

CONSTRUCTORS = frozenset({"__init__", "__post_init__", "setup", "initialize", "model_post_init"})
MANY_ROOTS = 150


def evaluate(interpreter: Interpreter, chosen: Sequence[Module]) -> None:
    """Evaluate what sends or builds prompts in some modules.

    In a large tree another process takes half of the modules meanwhile. How the work is shared
    depends on the tree alone, so that every machine that can fork reads the same.
    """
    found = roots.candidates(interpreter, chosen)
    first = found.first()
    if len(first) < MANY_ROOTS or not can_fork():
        _evaluate(interpreter, found, first)
        return
    one, other = _halves(first)
    met = meanwhile(
        lambda: _met(interpreter, found, other), lambda: _evaluate(interpreter, found, one)
    )
    _take(interpreter, met)


class _Met(Struct, frozen=True):
    """What another process met."""

    prompts: list[Prompt]
    facts: list[SourceFact]
    errors: list[SourceError]
    parsed: set[Path]
    cut: set[str]
    answers: dict[Question, str]
    elsewhere: set[str]


def _halves(first: Sequence[roots.Candidate]) -> list[list[roots.Candidate]]:
    """The roots in two halves of about as much code, those of one module together."""
    modules: dict[Path, list[roots.Candidate]] = {}
    for candidate in first:
        modules.setdefault(candidate.path, []).append(candidate)
    halves: list[list[roots.Candidate]] = [[], []]
    sizes = [0, 0]
    for together in sorted(modules.values(), key=_lines, reverse=True):
        lighter = sizes.index(min(sizes))
        halves[lighter] += together
        sizes[lighter] += _lines(together)
    return halves


def _lines(candidates: Sequence[roots.Candidate]) -> int:
    nodes = (candidate.function.node for candidate in candidates)
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def _met(
    interpreter: Interpreter, found: roots.Candidates, first: Sequence[roots.Candidate]
) -> _Met:
    met = len(interpreter.prompts)
    _evaluate(interpreter, found, first)
    tree = interpreter.tree
    facts = list(interpreter.facts.values())
    return _Met(
        interpreter.prompts[met:],
        facts,
        tree.errors,
        tree.parsed,
        interpreter.cut,
        tree.disk.answers(),
        interpreter.elsewhere,
    )


def _take(interpreter: Interpreter, met: _Met) -> None:
    interpreter.prompts += met.prompts
    for fact in met.facts:
        interpreter.fact(fact)
    interpreter.tree.errors += met.errors
    interpreter.tree.parsed |= met.parsed
    interpreter.cut |= met.cut
    interpreter.elsewhere |= met.elsewhere
    interpreter.tree.disk.take(met.answers)


def _evaluate(
    interpreter: Interpreter, found: roots.Candidates, first: Sequence[roots.Candidate]
) -> None:
    """Evaluate some roots; their callers only where they can tell more."""
    waiting = list(first)
    for level in range(roots.CALLER_LEVELS + 1):
        callers: list[roots.Candidate] = []
        for candidate in waiting:
            candidate.run = True
            if _is_open(_run(interpreter, candidate), candidate) and level < roots.CALLER_LEVELS:
                callers.extend(c for c in found.callers(candidate) if not c.run)
        waiting = list(dict.fromkeys(callers))


def _run(interpreter: Interpreter, candidate: roots.Candidate) -> list[Prompt]:
    """Evaluate a function with no caller. The result of a builder is taken for a prompt."""
    function = candidate.function
    met = len(interpreter.prompts)
    once = candidate.simple_name in CONSTRUCTORS or roots.is_called_once(
        interpreter.tables, function
    )
    stage = Stage.OBJECT if once else Stage.CALL
    entries: tuple[Entry, ...] = ()
    budget = SYSTEM_BUDGET if candidate.builder == "system" else ROOT_BUDGET
    with interpreter.spending(budget), interpreter.bounded():
        frame = calls.root_frame(interpreter, function, stage=stage)
        interpreter.active = [calls.Activation(function.node, 0)]
        result = calls.run_body(interpreter, function, frame)
        entries = tuple(_result(interpreter, result, candidate, frame))
    interpreter.active = []
    own = interpreter.prompts[met:]
    if candidate.builder and entries:
        name = f"{function.module.name}:{function.name}"
        place = function.module.place(function.node)
        mark = calls.mark_of(function)
        guessed = candidate.builder == "vague"
        prompt = Prompt(name, place, Kind.BUILDER, entries, mark, guessed=guessed)
        interpreter.prompts.append(prompt)
        own = [*own, prompt]
    return own


def _is_open(prompts: list[Prompt], candidate: roots.Candidate) -> bool:
    """Whether callers can tell more: a parameter reached a prompt, or something moves in it."""
    signature = candidate.function.node.args
    names = {
        parameter.arg
        for parameter in (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)
    } - {"self", "cls"}
    for prompt in prompts:
        for entry in prompt.entries:
            for piece in flat(entry.pieces):
                if isinstance(piece, Volatile) and piece.stage is Stage.CALL:
                    return True
                if (
                    isinstance(piece, Unresolved)
                    and entry.role != "history"
                    and piece.name.partition(".")[0].removesuffix("()") in names
                ):
                    return True
    return False


def _result(
    interpreter: Interpreter, value: Value, candidate: roots.Candidate, frame: Frame
) -> Iterator[Entry]:
    node = candidate.function.node
    if _is_messages(value):
        yield from conversations.messages(interpreter, value, node, frame)
    elif isinstance(value, Text | ListValue | DictValue | Choice):
        yield from conversations.system(interpreter, value, node, frame)


def _is_messages(value: Value) -> bool:
    match value:
        case ListValue(items=items):
            return any(conversations.role_of(item) for item in items)
        case Choice(options=options):
            return any(map(_is_messages, options))
        case _:
            return conversations.role_of(value) is not None
