"""Approximate provenance for a template that traced text does not get through unchanged.

Marks are put around the inputs and looked for in the output. Where they change what the
template prints, the inputs are searched for instead. The rest is UNKNOWN.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from promptlint.templates.leaf import UNKNOWN, Leaf, Run
from promptlint.templates.traced_data import untrace
from promptlint.templates.traced_text import pieces_of, plain_text

_FIRST_MARK = 0x100000
"""Marks are of the last private-use plane; transformers itself uses U+F0000 and U+F0001."""
_LAST_MARK = 0x10FFFD
_SHORTEST = 8
"""A shorter input that is found in the output may be there by coincidence (characters)."""


class _Input(Struct, frozen=True):
    """The text of one leaf without its outer white space, which starts there at `offset`."""

    text: str
    leaf: Leaf
    offset: int | None


def approximate_runs(
    text: str, variables: dict[str, Any], render: Callable[[dict[str, Any]], str]
) -> tuple[Run, ...]:
    """The runs of `text`, which `render` printed for these traced variables."""
    marked, inputs = _marked(variables)
    try:
        output = render(marked)
    except Exception:  # noqa: BLE001 - a template is a program: marks may make it raise anything
        output = ""
    plain, found = _read_marks(output, inputs)
    return _tiled(text, found if plain == text else _search(text, inputs))


def _marked(variables: dict[str, Any]) -> tuple[dict[str, Any], list[_Input]]:
    """The variables as plain data with a mark at both ends of each input, and the inputs.

    Input number n has the marks 2n and 2n + 1, inside its outer white space.
    """
    inputs: list[_Input] = []

    def mark(value: Any) -> Any:
        if isinstance(value, str):
            return "".join(mark_piece(*piece) for piece in _leaf_texts(value))
        if isinstance(value, dict):
            return {untrace(key): mark(item) for key, item in value.items()}
        if isinstance(value, list):
            return [mark(item) for item in value]
        return untrace(value)

    def mark_piece(text: str, leaf: Leaf | None, offset: int | None) -> str:
        core = text.strip()
        number = _FIRST_MARK + 2 * len(inputs)
        if leaf is None or not core or number >= _LAST_MARK:
            return text
        start = text.index(core)
        inputs.append(_Input(core, leaf, None if offset is None else offset + start))
        return text.replace(core, f"{chr(number)}{core}{chr(number + 1)}", 1)

    return mark(variables), inputs


def _leaf_texts(text: str) -> Iterator[tuple[str, Leaf | None, int | None]]:
    start = 0
    for length, leaf, offset in pieces_of(text):
        yield plain_text(text)[start : start + length], leaf, offset
        start += length


def _read_marks(output: str, inputs: list[_Input]) -> tuple[str, list[Run]]:
    """The output without its marks, and what stood between two marks of one input."""
    text: list[str] = []
    found = []
    opened, start = None, 0
    for character in output:
        number = ord(character) - _FIRST_MARK
        if number < 0 or number >= 2 * len(inputs):
            text.append(character)
        elif number % 2 == 0:
            opened, start = number // 2, len(text)
        elif opened == number // 2:
            source = inputs[opened]
            same = "".join(text[start:]) == source.text
            found.append(Run(start, len(text), source.leaf, source.offset if same else None))
            opened = None
    return "".join(text), found


def _search(text: str, inputs: list[_Input]) -> list[Run]:
    """The long inputs that are unique and stand exactly once in the text, the longest first."""
    times = Counter(source.text for source in inputs)
    found: list[Run] = []
    for source in sorted(inputs, key=lambda source: -len(source.text)):
        start = text.find(source.text)
        end = start + len(source.text)
        repeated = text.count(source.text) > 1 or times[source.text] > 1
        taken = any(start < run.end and run.start < end for run in found)
        if len(source.text) >= _SHORTEST and start >= 0 and not repeated and not taken:
            found.append(Run(start, end, source.leaf, source.offset))
    return sorted(found, key=lambda run: run.start)


def _tiled(text: str, found: list[Run]) -> tuple[Run, ...]:
    """The found runs with UNKNOWN between them."""
    runs: list[Run] = []
    end = 0
    for run in [*found, Run(len(text), len(text), UNKNOWN, None)]:
        if end < run.start:
            runs.append(Run(end, run.start, UNKNOWN, None))
        if run.start < run.end:
            runs.append(run)
        end = run.end
    return tuple(runs)
