"""Read the source of a tree into layouts, without running any of it."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from promptlint.config_tables import NO_ROWS, OwnRows
from promptlint.layout import Layout
from promptlint.location import Location
from promptlint.source import calls, conversations, roots
from promptlint.source.conversations import Entry, Kind, Prompt
from promptlint.source.disk import Disk
from promptlint.source.frames import Frame
from promptlint.source.interpreter import ROOT_BUDGET, SYSTEM_BUDGET, Interpreter
from promptlint.source.layouts import layout
from promptlint.source.modules import Module, Tree
from promptlint.source.pieces import Mark, Stage, Unresolved, Volatile, flat, volatiles
from promptlint.source.reading import FactKind, SourceReading
from promptlint.source.scan import scan
from promptlint.source.tables import Tables, load_tables
from promptlint.source.values import Choice, DictValue, ListValue, Text, Value

CONSTRUCTORS = frozenset({"__init__", "__post_init__", "setup", "initialize", "model_post_init"})


def read_source(
    paths: Sequence[Path],
    *,
    root: Path,
    own: OwnRows = NO_ROWS,
    sources: Mapping[Path, str] | None = None,
) -> SourceReading:
    """The layouts of the prompts that the files under `paths` build or send.

    Modules are followed within `root`, `own` is what a project adds to the tables of names,
    and `sources` are texts that stand for files.
    Nothing is imported or run. Lengths are estimates: four characters a token.
    """
    texts = {path.resolve(): text for path, text in (sources or {}).items()}
    tree = Tree(Disk(root.resolve()), texts)
    return read_mentions(tree, scan(tree, paths, own), own)


def read_mentions(tree: Tree, mentions: Mapping[Path, str], own: OwnRows) -> SourceReading:
    """The layouts of the prompts in these files of a tree."""
    if not mentions:
        return SourceReading((), (), tuple(tree.errors), 0)
    with _collector_off():
        parsed = (tree.module(path, text) for path, text in mentions.items())
        chosen = [module for module in parsed if module is not None]
        interpreter = Interpreter(tree, load_tables(own))
        _evaluate(interpreter, chosen)
        prompts = _selected(interpreter)
        found = tuple(layout(prompt, interpreter.tables) for prompt in prompts)
    marks = _marks(prompts)
    facts = sorted(
        (
            fact
            for fact in interpreter.facts.values()
            if fact.kind is not FactKind.UNSORTED_JSON or str(fact.location) in marks
        ),
        key=lambda fact: (fact.location, fact.kind),
    )
    errors = sorted(tree.errors, key=lambda error: (error.path, error.line or 0))
    read = sum(1 for module in tree.modules.values() if module is not None)
    return SourceReading(_distinct(found), tuple(facts), tuple(errors), read)


@contextmanager
def _collector_off() -> Iterator[None]:
    """Syntax trees are many objects without cycles: collecting them costs half of parsing.

    What was made meanwhile is left out of later collections, the first of which would walk it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()


def _evaluate(interpreter: Interpreter, chosen: list[Module]) -> None:
    """Evaluate what sends or builds prompts; callers only where they can tell more."""
    found = roots.candidates(interpreter, chosen)
    waiting = found.first()
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
    match value:
        case ListValue(items=items) if any(conversations.role_of(i) for i in items):
            yield from conversations.messages(interpreter, value, node, frame)
        case DictValue() if conversations.role_of(value):
            yield from conversations.messages(interpreter, value, node, frame)
        case Text() | ListValue() | DictValue() | Choice():
            yield from conversations.system(interpreter, value, node, frame)
        case _:
            return


def _selected(interpreter: Interpreter) -> list[Prompt]:
    """The prompts to judge: a builder alone only if no prompt carries its result.

    A sink met from a caller is judged as met there; a weaker prompt only for what no
    surer one shows.
    """
    carried = {mark for prompt in interpreter.prompts for mark in _marks([prompt]) - {prompt.mark}}
    called = {prompt.place for prompt in interpreter.prompts if prompt.callers}
    chosen: list[Prompt] = []
    seen: set[Location | None] = set()
    for prompt in sorted(interpreter.prompts, key=lambda prompt: (prompt.kind, prompt.guessed)):
        if prompt.mark in carried or (prompt.place in called and not prompt.callers):
            continue
        if _is_one_shot(prompt, interpreter.tables):
            continue
        pieces = [piece for entry in prompt.entries for piece in volatiles(entry.pieces)]
        places = {piece.place for piece in pieces}
        if prompt.kind is not Kind.SINK and places and places <= seen:
            continue
        chosen.append(prompt)
        seen |= places
    return chosen


def _marks(prompts: Sequence[Prompt]) -> set[str]:
    """The functions and calls whose result reached some prompts."""
    return {
        piece.function
        for prompt in prompts
        for entry in prompt.entries
        for piece in flat(entry.pieces)
        if isinstance(piece, Mark)
    }


def _is_one_shot(prompt: Prompt, tables: Tables) -> bool:
    """Whether a prompt serves one side request: a title, a summary, a judgement."""
    has_history = any(entry.role == "history" for entry in prompt.entries)
    one_shot = tables.builders.one_shot
    return not has_history and any(one_shot.search(n) for n in (prompt.name, *prompt.callers))


def _distinct(layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
    """Layouts in order of place, each once."""
    ordered = sorted(layouts, key=lambda one: (one.location is None, one.location, one.prompt))
    return tuple(dict.fromkeys(ordered))
