"""Where a text came from: up to its last messages as in an earlier prompt with the same start.

The text is known, from a plain rendering of the whole. Its last messages are rendered by
themselves, with their provenance, and must end as the whole text does. What a template prints
of a message depends on the one before it, or on the question: these are rendered with them.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.model import Model
from promptlint.render import Rendered, render
from promptlint.request import SYSTEM_ROLES, Message, Request
from promptlint.templates import Leaf, Run, TemplateError


class Splice(Struct, frozen=True):
    """The runs of a text: the first `kept` are those of the earlier prompt.

    They hold the messages before message `first`; those behind them hold all others.
    """

    runs: tuple[Run, ...]
    kept: int
    first: int


def spliced(
    text: str, request: Request, earlier: Rendered, same: int, model: Model, now: datetime
) -> Splice | None:
    """The runs of the text of a request; None where they cannot be told from `earlier`.

    Both requests have the same system text, tools, parameters, and the first `same` messages.
    """
    shared = common_prefix(text, earlier.text)
    whole = bisect_right(earlier.runs, shared, key=lambda run: run.end)
    changed = next((message_of(run) for run in earlier.runs[whole:] if is_content(run)), same)
    first = min(changed, same, len(request.messages) - 1)
    if first < 0:
        return None
    kept = _before_repeats(earlier.runs, content_before(earlier.runs, whole, first))
    start = earlier.runs[kept - 1].end if kept else 0
    for context in _contexts(request.messages, first):
        try:
            tail = tail_of(request, context, model, now)
        except TemplateError:
            continue
        cut = len(tail.text) - (len(text) - start)
        if tail.exact and cut >= 0 and tail.text.endswith(text[start:]):
            behind = moved_runs(tail.runs, cut, start, context)
            return Splice(earlier.runs[:kept] + behind, kept, first)
    return None


def content_before(runs: Sequence[Run], end: int, first: int) -> int:
    """How many of the first `end` runs reach up to the last text before message `first`."""
    while end and not (is_content(runs[end - 1]) and message_of(runs[end - 1]) < first):
        end -= 1
    return end


def _before_repeats(runs: Sequence[Run], end: int) -> int:
    """How many of the first `end` runs stand before what was printed again behind all messages.

    In the longer conversation it may stand elsewhere, and a new message in its place.
    """
    before = content_before(runs, end - 1, sys.maxsize) if end else 0
    while before and message_of(runs[end - 1]) < message_of(runs[before - 1]):
        end, before = before, content_before(runs, before - 1, sys.maxsize)
    return end


def is_content(run: Run) -> bool:
    """Whether a run is text of the request itself."""
    return run.leaf is not None and run.leaf[0] in ("tools", "system", "messages")


def message_of(run: Run) -> int:
    """The message that a run of the request's text belongs to; -1 for the system and the tools."""
    match run.leaf:
        case ("messages", int() as index, *_):
            return index
        case _:
            return -1


def tail_of(request: Request, first: int, model: Model, now: datetime) -> Rendered:
    """The messages from one on, rendered as if they were all. Raises TemplateError.

    The text is compared with the whole one, or that of a template which traces as it prints.
    """
    tail = replace(request, system=(), tools=(), messages=request.messages[first:])
    return render(tail, model, now, count_tokens=False, compared=False)


def runs_before(runs: tuple[Run, ...], end: int) -> tuple[Run, ...]:
    """The runs of the first `end` characters; what a run loses its end of is the template's."""
    kept = bisect_right(runs, end, key=lambda run: run.end)
    gap = runs[kept - 1].end if kept else 0
    filling = (Run(gap, end, None, None),) if gap < end else ()
    return runs[:kept] + filling


def moved_runs(runs: Iterable[Run], cut: int, start: int, first: int) -> tuple[Run, ...]:
    """The runs from character `cut` on, which is character `start` of the whole.

    Their messages are those of the request from message `first` on.
    """
    return tuple(_moved(run, cut, start, first) for run in runs if run.end > cut)


def _contexts(messages: Sequence[Message], first: int) -> Iterator[int]:
    """The messages to start with so that message `first` is printed as in the whole."""
    before = max(first - 1, 0)
    question = next((n for n in range(before, -1, -1) if messages[n].role == "user"), before)
    for start in dict.fromkeys((before, question)):
        if messages[start].role not in SYSTEM_ROLES:
            yield start


def _moved(run: Run, cut: int, start: int, first: int) -> Run:
    dropped = max(cut - run.start, 0)
    offset = None if run.offset is None else run.offset + dropped
    moved = start - cut
    return Run(run.start + dropped + moved, run.end + moved, _moved_leaf(run.leaf, first), offset)


def _moved_leaf(leaf: Leaf | None, first: int) -> Leaf | None:
    match leaf:
        case ("messages", int() as index, *rest):
            return ("messages", index + first, *rest)
        case _:
            return leaf
