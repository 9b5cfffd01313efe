"""Memory that a session writes: what is on disk and what is in the prompt are two things.

A note is on disk when its tool call has been answered. It is in the context when the
system text shows it: at once where the prompt is rebuilt, else in the next session.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from promptlint.captures.arguments import parsed_arguments
from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.shell_notes import shell_note
from promptlint.captures.turns import Turn, by_conversation
from promptlint.layout import Source
from promptlint.request import Json, Message, Request, ToolCall
from promptlint.sections.names import source_of_file

_WRITES_MEMORY = re.compile(r"remember|memor(?:y|ies|i[sz]e)", re.IGNORECASE)
_READS = re.compile(
    r"\b(?:read|view|list|get|search|find|recall|grep|delete|remove)", re.IGNORECASE
)
_REPLACED = re.compile(r"(?:old|search|find)(?:$|[_A-Z])")
"""The arguments of an edit that name what it takes out."""
_COMMANDS = frozenset({"command", "cmd", "script"})
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
    named = arguments if isinstance(arguments, dict) else {"": arguments}
    note = (_shell_note(named) or _longest_text(call, named) or "").strip()
    return note if len(note) >= _SHORTEST_NOTE else None


def _shell_note(named: Mapping[str, Json]) -> str | None:
    """What a call of a shell writes: its command is a text, or the last of a list of them."""
    commands = (value for name, value in named.items() if name in _COMMANDS)
    lasts = (value[-1] if isinstance(value, list) and value else value for value in commands)
    notes = (shell_note(command) for command in lasts if isinstance(command, str))
    return next((note for note in notes if note is not None), None)


def _longest_text(call: ToolCall, named: Mapping[str, Json]) -> str | None:
    """The longest text that a call writes; None if it reads, or is about something else."""
    texts = {name: value for name, value in named.items() if isinstance(value, str)}
    files = {name for name, text in texts.items() if source_of_file(text) == Source.MEMORY}
    others = [text for name, text in texts.items() if name not in files]
    words = " ".join(re.split(r"[_\-.]+", call.name))
    about_memory = bool(files) or _WRITES_MEMORY.search(words)
    if not about_memory or _READS.search(words) or any(map(_READS.fullmatch, others)):
        return None
    about = {*files, *_COMMANDS}
    written = (t for name, t in texts.items() if name not in about and not _REPLACED.match(name))
    return max(written, key=len, default=None)


def _words(text: str) -> str:
    """The text with single spaces: a list may wrap or indent a note."""
    return " ".join(text.split())
