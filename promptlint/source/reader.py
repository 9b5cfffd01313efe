"""Read the source of a tree into layouts, without running any of it."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from promptlint.config_tables import NO_ROWS, OwnRows
from promptlint.layout import Layout
from promptlint.location import Location
from promptlint.source.conversations import Entry, Kind, Prompt
from promptlint.source.disk import Disk
from promptlint.source.evaluation import evaluate
from promptlint.source.facts import completion_order
from promptlint.source.interpreter import Interpreter
from promptlint.source.layouts import layout
from promptlint.source.modules import Tree
from promptlint.source.pieces import Unresolved, marks, volatiles
from promptlint.source.reading import FactKind, SourceReading
from promptlint.source.scan import scan
from promptlint.source.tables import Tables, load_tables


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
        evaluate(interpreter, chosen)
        prompts = _selected(interpreter)
        for prompt in prompts:
            completion_order(interpreter, prompt.entries)
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
    errors = sorted(set(tree.errors), key=lambda error: (error.path, error.line or 0))
    ignoring = tuple(tree.shown(path) for path, text in mentions.items() if "promptlint:" in text)
    layouts, number = _distinct(found), len(tree.parsed)
    cut = tuple(sorted(interpreter.cut))
    return SourceReading(layouts, tuple(facts), tuple(errors), number, ignoring, cut)


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


def _selected(interpreter: Interpreter) -> list[Prompt]:
    """The prompts to judge: a builder alone only if no prompt carries its result.

    What is asked of people or makes an image is none at all. A sink met from a caller is
    judged as met there; a weaker prompt only for what no surer one shows.
    """
    carried = {mark for prompt in interpreter.prompts for mark in _marks([prompt]) - {prompt.mark}}
    carried |= interpreter.elsewhere
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
        mark.function
        for prompt in prompts
        for entry in prompt.entries
        for mark in marks(entry.pieces)
    }


def _is_one_shot(prompt: Prompt, tables: Tables) -> bool:
    """Whether a prompt serves one side request: a title, a summary, a judgement.

    With a history it is one only if the function that all begins with is named so.
    """
    has_history = any(_is_history(entry, tables) for entry in prompt.entries)
    names = (prompt.name, *prompt.callers)
    return any(tables.builders.one_shot.search(n) for n in (names[-1:] if has_history else names))


def _is_history(entry: Entry, tables: Tables) -> bool:
    """Whether an entry is a conversation; what a call adds is one only if its name says so."""
    if entry.role != "history":
        return False
    names = [piece.name for piece in entry.pieces if isinstance(piece, Unresolved)]
    return not names or any(
        not name.endswith("()") or tables.names["history"].search(name) for name in names
    )


def _distinct(layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
    """Layouts in order of place, each once."""
    ordered = sorted(layouts, key=lambda one: (one.location is None, one.location, one.prompt))
    return tuple(dict.fromkeys(ordered))
