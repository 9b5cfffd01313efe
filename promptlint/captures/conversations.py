"""Which captured requests belong to one conversation.

Agents send other requests in between: titles, summaries of the screen, probes. They have
another system prompt and no tools. A conversation goes on where its history does, even
if the system text or the tools have changed: that change is what we look for.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.read import CapturedRequest
from promptlint.request import Message, Request, Session

_SAME_AGENT = 0.5
_SAME_QUESTION = 0.8
_FEWEST_WORDS = 4
"""A shorter question is part of many others."""


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
    """A conversation while its requests are read."""

    turns: list[CapturedRequest]
    messages: tuple[str, ...] = ()

    def add(self, captured: CapturedRequest, messages: tuple[str, ...]) -> None:
        self.turns.append(captured)
        self.messages = messages


def conversations(captured: Iterable[CapturedRequest]) -> Conversations:
    """Sort requests, given in time order, into conversations."""
    requests = list(captured)
    agents = [request.request for request in requests if request.request.tools]
    growing: list[_Growing] = []
    auxiliary: list[CapturedRequest] = []
    identities = GrowingMap(_identity)
    for item in requests:
        if _is_auxiliary(item.request, agents):
            auxiliary.append(item)
            continue
        messages = identities(item.request.messages)
        home = _continued(item, messages, growing)
        if home is None:
            home = _Growing([])
            growing.append(home)
        home.add(item, messages)
    return Conversations(
        tuple(Conversation(_name(g, n), tuple(g.turns)) for n, g in enumerate(growing, start=1)),
        tuple(auxiliary),
    )


def _name(growing: _Growing, number: int) -> str:
    return growing.turns[0].session or f"conversation {number}"


def _is_auxiliary(request: Request, agents: list[Request]) -> bool:
    """No tools, where requests of another agent have some."""
    if request.tools or not agents:
        return False
    return not any(_same_agent(request, agent) for agent in agents)


def _same_agent(first: Request, second: Request) -> bool:
    """Whether two system prompts share half of the lines of the shorter one: a clock may differ."""
    one, other = _lines(first), _lines(second)
    if not one or not other:
        return one == other
    return len(one & other) >= _SAME_AGENT * min(len(one), len(other))


def _lines(request: Request) -> set[str]:
    return {line.strip() for line in request.system_text.splitlines() if line.strip()}


def _continued(
    item: CapturedRequest, messages: tuple[str, ...], growing: list[_Growing]
) -> _Growing | None:
    """The conversation that a request goes on with: by its id, else by the most shared history."""
    if item.session is not None:
        return next((g for g in growing if g.turns[0].session == item.session), None)
    candidates = [g for g in growing if g.turns[0].session is None]
    scored = [(_shared_history(messages, g.messages), n) for n, g in enumerate(candidates)]
    best, index = max(scored, default=(0, 0))
    return candidates[index] if best else None


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
    first, second = (Counter(identity.split("\0")[1].split()) for identity in (one, other))
    fewer = min(first.total(), second.total())
    return fewer >= _FEWEST_WORDS and (first & second).total() >= _SAME_QUESTION * fewer


def _common(messages: Sequence[str], earlier: Sequence[str]) -> int:
    """How many messages two histories share, wherever they stand."""
    start = common_prefix(messages, earlier)
    return start + (Counter(messages[start:]) & Counter(earlier[start:])).total()


def _identity(message: Message) -> str:
    """What stays the same of a message: ids, reasoning and the bytes of arguments may change."""
    calls = " ".join(call.name for call in message.tool_calls)
    return f"{message.role}\0{message.text}\0{calls}"


def _by_model(identity: str) -> bool:
    role, text, calls = identity.split("\0", 2)
    return role == "assistant" and bool(text.strip() or calls)
