"""Tiny sessions written by hand, for the examples that rules on sessions carry.

A session is read like a captured one; a word is a token, so that lengths can be counted.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from promptlint.cache.judged import JudgedSession, judged_session
from promptlint.cache.normalise import Normaliser
from promptlint.cache.policies import policy
from promptlint.captures.read import CapturedRequest
from promptlint.captures.turns import by_conversation, read_turns
from promptlint.layout import Part
from promptlint.location import Location
from promptlint.models.model import Encoding, Model
from promptlint.request import Block, Json, Mark, Message, Request, Tool, ToolCall

_WORD = re.compile(r"\S+")
_ORDER = (Part.TOOLS, Part.SYSTEM, Part.MESSAGES)


class _Words:
    """A tokenizer that makes every word a token."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def encode(self, text: str) -> Encoding:
        """The words of the text."""
        found = list(_WORD.finditer(text))
        ids = tuple(self._ids.setdefault(word[0], len(self._ids)) for word in found)
        return Encoding(ids, tuple(word.start() for word in found))


def text(name: str, words: int, mark: Mark = None) -> Block:
    """A block of that many words, all of them made of its name; `mark` is a breakpoint."""
    return Block(" ".join(f"{name}{n}" for n in range(words)), mark=mark)


def user(*blocks: Block) -> Message:
    """A message of the user."""
    return Message("user", blocks)


def assistant(*blocks: Block, reasoning: str | None = None) -> Message:
    """An answer of the model."""
    return Message("assistant", blocks, reasoning=reasoning)


def call(arguments: Json) -> Message:
    """A tool call of the model."""
    return Message("assistant", tool_calls=(ToolCall("run", arguments, "1"),))


def result(*blocks: Block) -> Message:
    """The result of a tool call."""
    return Message("tool", blocks, tool_call_id="1")


def request(
    *messages: Message, system: Sequence[Block] = (), tools: Sequence[Tool] = ()
) -> Request:
    """One request. Everything that was sent before has to be given again."""
    return Request(tuple(system), tuple(tools), messages, joiner="\n")


def session(
    *requests: Request, cache: str = "longest-common-prefix", model: str | None = None
) -> JudgedSession:
    """The requests of one conversation, as lines of `session.jsonl`, under a cache's policy.

    Its prompts are tools, system text and messages in this order.
    """
    captured = [
        CapturedRequest(
            replace(sent, model=model or sent.model),
            {"model": model or sent.model, **sent.parameters},
            Location("session.jsonl", line),
            session="session",
        )
        for line, sent in enumerate(requests, start=1)
    ]
    words = Model("words", _Words(), part_order=_ORDER, appends=True)
    rules = policy(cache)
    turns = [read.turn for read in read_turns(captured, words, Normaliser(rules))]
    (conversation,) = by_conversation(turns)
    return judged_session(conversation.name, conversation.turns, rules, words)
