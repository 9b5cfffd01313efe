"""Memory that a session writes: what is on disk and what is in the prompt are two things.

A note is on disk when its tool call has been answered. It is in the context when the
system text shows it: at once where the prompt is rebuilt, else in the next session.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from promptlint.captures.arguments import parsed_arguments
from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.turns import Turn, by_conversation
from promptlint.layout import Source
from promptlint.request import Message, Request, ToolCall
from promptlint.sections.names import source_of_file

_WRITES_MEMORY = re.compile(r"remember|memor(?:y|ies|i[sz]e)", re.IGNORECASE)
_READS = re.compile(
    r"\b(?:read|view|list|get|search|find|recall|grep|delete|remove)", re.IGNORECASE
)
_SHORTEST_NOTE = 8
"""Characters: a shorter text would be found in any prompt."""


class MemoryState(Struct, frozen=True):
    """How many notes that the session wrote are on disk, and in the system text, at a turn."""

    on_disk: int
    in_context: int


def memory_by_conversation(turns: Iterable[Turn]) -> dict[str, tuple[MemoryState, ...]]:
    """The memory at each turn of every conversation that writes some."""
    found = {group.name: memory_states(group.turns) for group in by_conversation(turns)}
    return {name: states for name, states in found.items() if states}


def memory_states(turns: Sequence[Turn]) -> tuple[MemoryState, ...]:
    """The memory at each turn of one conversation; empty where the session writes none."""
    written: dict[str, None] = {}
    states = []
    notes_of = GrowingMap(_notes)
    for turn in turns:
        request = turn.captured.request
        written |= dict.fromkeys(_answered(request, notes_of(request.messages)))
        system = _words(request.system_text)
        shown = sum(_words(note) in system for note in written)
        states.append(MemoryState(len(written), shown))
    return tuple(states) if written else ()


def _notes(message: Message) -> tuple[tuple[str | None, str], ...]:
    """The texts that the calls of a message write to the memory, each behind its call's id."""
    notes = [(call.id, _note(call)) for call in message.tool_calls]
    return tuple((call, note) for call, note in notes if note is not None)


def _answered(
    request: Request, notes: Sequence[tuple[tuple[str | None, str], ...]]
) -> Iterator[str]:
    """The notes, of each message of a request, whose calls were answered."""
    if any(notes):
        answered = {message.tool_call_id for message in request.messages if message.role == "tool"}
        yield from (note for written in notes for call, note in written if call in answered)


def _note(call: ToolCall) -> str | None:
    """What a call writes: its longest text, if it is a call of a memory or about its file."""
    arguments = parsed_arguments(call.arguments)
    values = arguments.values() if isinstance(arguments, dict) else [arguments]
    texts = [value for value in values if isinstance(value, str)]
    files = [text for text in texts if source_of_file(text) == Source.MEMORY]
    others = [text for text in texts if text not in files]
    names = " ".join(re.split(r"[_\-.]+", call.name))
    about_memory = bool(files) or _WRITES_MEMORY.search(names)
    if not about_memory or _READS.search(names) or any(map(_READS.fullmatch, others)):
        return None
    note = max(others, key=len, default="").strip()
    return note if len(note) >= _SHORTEST_NOTE else None


def _words(text: str) -> str:
    """The text with single spaces: a list may wrap or indent a note."""
    return " ".join(text.split())
