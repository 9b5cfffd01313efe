"""Which captured requests belong to one conversation.

Agents send other requests in between: titles, summaries of the screen, probes. They have
another system prompt, and no tools or others, and nothing goes on from them. A conversation
goes on where its history does, even if the system text or the tools have changed: that
change is what we look for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct, field

from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.read import CapturedRequest
from promptlint.captures.same_message import nearly_same
from promptlint.request import Message, Request, Session

_SAME_AGENT = 0.5
_DIGITS = re.compile(r"\d+")


class Conversation(Struct, frozen=True):
    """The requests of one conversation, in time order."""

    name: str
    turns: tuple[CapturedRequest, ...]

    @property
    def session(self) -> Session:
        """The requests alone."""
        return Session(tuple(turn.request for turn in self.turns), self.name)


class Conversations(Struct, frozen=True):
    """The conversations by their first request, and what stands apart from them."""

    conversations: tuple[Conversation, ...]
    auxiliary: tuple[CapturedRequest, ...]


class _Growing(Struct):
    """A conversation while its requests are read; `answered` once the model has spoken in it."""

    turns: list[CapturedRequest] = field(default_factory=list)
    histories: list[tuple[str, ...]] = field(default_factory=list)
    answered: bool = False

    def add(self, captured: CapturedRequest, messages: tuple[str, ...]) -> None:
        self.turns.append(captured)
        self.histories.append(messages)
        self.answered = self.answered or _is_answered(messages)

    @property
    def messages(self) -> tuple[str, ...]:
        """The history that the last request sent."""
        return self.histories[-1]

    @property
    def session(self) -> str | None:
        """The id that the recorder gave to it."""
        return self.turns[0].session

    @property
    def newest(self) -> Request:
        """The last request so far."""
        return self.turns[-1].request


def conversations(captured: Iterable[CapturedRequest]) -> Conversations:
    """Sort requests, given in time order, into conversations."""
    requests = list(captured)
    identities = GrowingMap(_identity)
    histories = [identities(item.request.messages) for item in requests]
    agents = _agents_with_tools(requests, histories)
    growing: list[_Growing] = []
    for item, messages in zip(requests, histories, strict=True):
        if _is_auxiliary(item.request, agents):
            continue
        home = _continued(item, messages, growing)
        if home is None:
            home = _Growing()
            growing.append(home)
        home.add(item, messages)
    kept = [g for g in growing if not _is_aside(g, growing)]
    found = [Conversation(n, _own_turns(g)) for n, g in zip(_names(kept), kept, strict=True)]
    inside = {id(turn) for conversation in found for turn in conversation.turns}
    return Conversations(tuple(found), tuple(r for r in requests if id(r) not in inside))


def _names(growing: Sequence[_Growing]) -> list[str]:
    """The recorded ids, and numbers where there is none or one id has several conversations."""
    names: list[str] = []
    for number, conversation in enumerate(growing, start=1):
        name = conversation.session or f"conversation {number}"
        names.append(f"{name} ({number})" if name in names else name)
    return names


def _agents_with_tools(
    requests: Sequence[CapturedRequest], histories: Sequence[tuple[str, ...]]
) -> list[Request]:
    """The requests with tools, of agents that go on with an answer if there are any such."""
    answered = [*map(_is_answered, histories)]
    every = not any(answered)
    return [
        item.request
        for item, goes_on in zip(requests, answered, strict=True)
        if item.request.tools and (goes_on or every)
    ]


def _is_auxiliary(request: Request, agents: list[Request]) -> bool:
    """No tools, where requests of another agent have some."""
    if request.tools or not agents:
        return False
    return not any(_same_agent(request, agent) for agent in agents)


def _is_aside(growing: _Growing, all_growing: Sequence[_Growing]) -> bool:
    """Whether only another agent got an answer to what is asked here."""
    if growing.answered:
        return False
    question = _first_user(growing.messages)
    return any(
        other.answered
        and other.session == growing.session
        and (growing.session is not None or _first_user(other.messages) == question)
        for other in all_growing
    )


def _own_turns(growing: _Growing) -> tuple[CapturedRequest, ...]:
    """The requests without those of another agent that the next one does not go on from."""
    return tuple(turn for n, turn in enumerate(growing.turns) if not _is_excursion(growing, n))


def _is_excursion(growing: _Growing, index: int) -> bool:
    if not 0 < index < len(growing.turns) - 1:
        return False
    before, turn, after = (t.request for t in growing.turns[index - 1 : index + 2])
    history, next_history = growing.histories[index : index + 2]
    return (
        not _same_agent(turn, before)
        and _same_agent(after, before)
        and next_history[: len(history)] != history
    )


def _same_agent(first: Request, second: Request) -> bool:
    """Whether two system prompts share half of the lines of the shorter one: a clock may differ.

    Two sets of tools without a common name are those of two agents.
    """
    tools, others = _tool_names(first), _tool_names(second)
    if tools and others and not tools & others:
        return False
    one, other = _lines(first.system_text), _lines(second.system_text)
    if not one or not other:
        return one == other
    return len(one & other) >= _SAME_AGENT * min(len(one), len(other))


def _likeness(first: Request, second: Request) -> int:
    """How many lines of the system text and names of tools two requests share."""
    lines = _lines(first.system_text) & _lines(second.system_text)
    return len(lines) + len(_tool_names(first) & _tool_names(second))


@lru_cache(maxsize=64)
def _lines(system_text: str) -> frozenset[str]:
    """The lines of a text, without what a clock or a counter may change in them."""
    lines = (_DIGITS.sub("", line).strip() for line in system_text.splitlines())
    return frozenset(line for line in lines if line)


def _tool_names(request: Request) -> set[str]:
    return {tool.name for tool in request.tools}


def _continued(
    item: CapturedRequest, messages: tuple[str, ...], growing: list[_Growing]
) -> _Growing | None:
    """The conversation that a request goes on with: by its id, else by the most shared history.

    Of conversations with one question, the one of the same agent goes first.
    """
    answered = _is_answered(messages)
    best, most = None, (False, 0, 0)
    for candidate in growing:
        shared = _shared_history(messages, candidate.messages)
        if candidate.session != item.session or not (shared or item.session):
            continue
        same = _same_agent(item.request, candidate.newest)
        rank = (same, shared, _likeness(item.request, candidate.newest))
        if rank >= most and (answered or same):
            best, most = candidate, rank
    return best


def _shared_history(messages: Sequence[str], earlier: Sequence[str]) -> int:
    """How many messages two histories share, if one goes on from the other.

    They do with the same first message of the user, or, after an old history was cut off
    or put together, with messages of the model in common. A longer history's first message
    may differ a little: a clock in it, a text that was put in front of it.
    """
    grown = len(messages) > len(earlier)
    if _same_question(_first_user(messages), _first_user(earlier), nearly=grown):
        return 1 + _common(messages, earlier)
    return _common([m for m in messages if _by_model(m)], [m for m in earlier if _by_model(m)])


def _first_user(messages: Sequence[str]) -> str | None:
    return next((m for m in messages if m.startswith("user\0")), None)


def _same_question(one: str | None, other: str | None, *, nearly: bool) -> bool:
    """Whether two messages are equal or, `nearly`, one has most of the other's words."""
    if one == other or not nearly or one is None or other is None:
        return one == other
    return nearly_same(one.split("\0")[1], other.split("\0")[1])


def _common(messages: Sequence[str], earlier: Sequence[str]) -> int:
    """How many messages two histories share, wherever they stand."""
    start = common_prefix(messages, earlier)
    return start + (Counter(messages[start:]) & Counter(earlier[start:])).total()


def _identity(message: Message) -> str:
    """What stays the same of a message: ids, reasoning and the bytes of arguments may change."""
    calls = " ".join(call.name for call in message.tool_calls)
    return f"{message.role}\0{message.text}\0{calls}"


def _is_answered(messages: Sequence[str]) -> bool:
    """Whether the model has spoken; a request before that goes on with no history."""
    return any(map(_by_model, messages))


def _by_model(identity: str) -> bool:
    role, text, calls = identity.split("\0", 2)
    return role == "assistant" and bool(text.strip() or calls)
