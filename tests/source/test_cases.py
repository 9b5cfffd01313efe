"""Small programs, faulty and clean: each fault is found on its line, and nothing else is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from promptlint.layout import Confidence, Evidence, Layout, Scope, Span
from promptlint.source.reader import read_source

CASES = Path(__file__).parent / "cases"
MARKER = re.compile(r"\s*#([!?]) ([\w-]+)$")
FAULTY = ("clock", "files", "identity", "order", "retrieval", "sinks")
ENOUGH_TOKENS = 5


@dataclass(frozen=True)
class Case:
    """A tree of files; `faults` are (path, line, axis) that are followed, `guesses` by name."""

    name: str
    files: dict[str, str]
    faults: frozenset[tuple[str, int, str]]
    guesses: frozenset[tuple[str, int, str]]


def load(name: str) -> Iterator[Case]:
    text = (CASES / f"{name}.txt").read_text(encoding="utf-8")
    for block in re.split(r"^=== ", text, flags=re.M)[1:]:
        title, _, body = block.partition("\n")
        yield parse(title.strip(), body)


def parse(name: str, body: str) -> Case:
    files: dict[str, str] = {}
    marked: dict[str, set[tuple[str, int, str]]] = {"!": set(), "?": set()}
    parts = re.split(r"^--- (.+)\n", "--- app.py\n" + body, flags=re.M)
    for path, content in zip(parts[1::2], parts[2::2], strict=True):
        lines = []
        for number, line in enumerate(content.split("\n"), start=1):
            if match := MARKER.search(line):
                marked[match[1]].add((path, number, match[2]))
            lines.append(MARKER.sub("", line))
        if content.strip() or path != "app.py":
            files[path] = "\n".join(lines)
    return Case(name, files, frozenset(marked["!"]), frozenset(marked["?"]))


def judged(layout: Layout, span: Span) -> bool:
    """Whether moving this span loses something that could have been kept."""
    if span.part.value == "tools" and span.moves:
        return True
    return any(
        (move.scope is Scope.WITHIN and move.axis.value != "day")
        or move.lost_tokens >= ENOUGH_TOKENS
        for move in span.moves
    )


def found(layouts: tuple[Layout, ...], evidence: Evidence) -> set[tuple[str, int | None, str]]:
    return {
        (span.cause.location.path, span.cause.location.line, span.moves[0].axis.value)
        for layout in layouts
        for span in layout.spans
        if span.evidence is evidence and span.cause and span.cause.location
        and (evidence is Evidence.GUESSED or judged(layout, span)) and span.moves
    }  # fmt: skip


def read(case: Case, folder: Path) -> tuple[Layout, ...]:
    for path, content in case.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    reading = read_source([folder], root=folder)
    assert reading.errors == ()
    return reading.layouts


def cases(*names: str) -> list[Case]:
    return [case for name in names for case in load(name)]


@pytest.mark.parametrize("case", cases(*FAULTY), ids=lambda case: case.name)
def test_faults_are_found_on_their_line_and_nothing_else_is(case: Case, tmp_path: Path) -> None:
    layouts = read(case, tmp_path)
    assert found(layouts, Evidence.FOLLOWED) == case.faults
    assert case.guesses <= found(layouts, Evidence.GUESSED)


@pytest.mark.parametrize("case", cases("clean"), ids=lambda case: case.name)
def test_clean_programs_are_left_alone(case: Case, tmp_path: Path) -> None:
    assert found(read(case, tmp_path), Evidence.FOLLOWED) == set()


def test_the_corpus_is_large_enough() -> None:
    assert len(cases(*FAULTY)) >= 60
    assert len(cases("clean")) >= 40


def test_guesses_are_of_low_confidence(tmp_path: Path) -> None:
    for number, case in enumerate(cases(*FAULTY, "clean")):
        folder = tmp_path / str(number)
        for layout in read(case, folder):
            for span in layout.spans:
                if span.evidence is Evidence.GUESSED:
                    assert span.confidence is Confidence.LOW


def test_a_repeated_text_is_as_long_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "app.py"
    file.write_text('def system_prompt(role):\n    return role + "x" * 40 + 3 * "y" * 40\n')
    (layout,) = read_source([file], root=tmp_path).layouts
    assert layout.tokens == -(-40 // 4) + -(-120 // 4)
