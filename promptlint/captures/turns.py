"""The requests of some captures one after the other, each with where it parts from before.

Only the text behind what a prompt shares with an earlier one is tokenised again, and only
prompts that are not contained in a later one are kept: a session of N tokens costs N.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from promptlint.captures.blocks import Blocks, ContentBlock
from promptlint.captures.breakpoints import Breakpoints
from promptlint.captures.causes import Cause
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.conversations import conversations
from promptlint.captures.divergence import Divergence, Sent, first_divergence, goes_on
from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.growing_prompts import render_growing
from promptlint.captures.kept_history import is_told
from promptlint.captures.opaque import with_opaque_shown
from promptlint.captures.open_requests import OpenRequests
from promptlint.captures.read import CapturedRequest
from promptlint.models.model import Model
from promptlint.render import Rendered
from promptlint.request import Request

_MAY_BE_RETOKENISED = 16
"""Tokens at the end of a prompt that its continuation may write otherwise."""
_UNKNOWN_TIME = datetime(2026, 1, 1, tzinfo=UTC)


class Turn(Struct, frozen=True):
    """One captured request: how long its prompt is, and how much of it was sent before.

    `index` counts from 1 over all requests. `conversation` is None for an auxiliary
    request. `common_prefix` is in tokens, with the earlier request that shares most; where
    a request is sent again after others that go on from it, up to 16 tokens too short.
    `divergence` is where it parts from the requests of its own conversation; None if it
    is the first, only goes on, or leaves its history to the provider. `block_ends` are the
    tokens at which content blocks end, rising; `marks` the blocks with a cache breakpoint at
    their end, once for each of them.
    """

    index: int
    captured: CapturedRequest
    conversation: str | None
    tokens: int
    common_prefix: int
    divergence: Divergence | None
    block_ends: tuple[int, ...]
    marks: tuple[ContentBlock, ...]


class TurnsOfConversation(Struct, frozen=True):
    """The turns of one conversation, in time order: what the rules for sessions look at."""

    name: str
    turns: tuple[Turn, ...]


class RenderedTurn(Struct, frozen=True):
    """A turn with its prompt, which is as long as the conversation: not to be kept.

    `request` is what the engine's template met, after its own normalisation. `earlier` is
    the request of its conversation that it was compared with, and `earlier_turn` the turn of
    that: None for the first.
    """

    turn: Turn
    request: Request
    rendered: Rendered
    blocks: Blocks
    earlier: Sent | None
    earlier_turn: Turn | None


class _Past(Struct, frozen=True):
    """An earlier request that no later one contains."""

    turn: Turn
    sent: Sent


def read_turns(
    captured: Iterable[CapturedRequest],
    model: Model,
    normalise: Callable[[Request], Request] = lambda request: request,
) -> Iterator[RenderedTurn]:
    """Render requests in time order and compare each with the ones before it.

    `normalise` is what the engine makes equal before it renders; it is called some requests
    ahead. Raises TemplateError where the model's template refuses a request.
    """
    requests = list(captured)
    names = _names(requests)
    opaque_shown = GrowingMap(with_opaque_shown)

    def asked(item: CapturedRequest) -> tuple[Request, datetime]:
        request = normalise(item.request)
        return replace(request, messages=opaque_shown(request.messages)), _moment(item)

    breakpoints = Breakpoints()
    open_requests = OpenRequests()
    past: list[_Past] = []
    prompts = render_growing(map(asked, requests), model)
    for index, (item, prompt) in enumerate(zip(requests, prompts, strict=True), start=1):
        request = prompt.request
        sent = Sent(request, prompt.rendered)
        name = names.get(id(item))
        shared = [_shared(earlier.sent, sent) for earlier in past]
        own = [n for n, earlier in enumerate(past) if earlier.turn.conversation == name]
        contained = {n for n in own if _is_contained(past[n].sent, sent, shared[n])}
        best = None if name is None else max(own, key=lambda n: (shared[n], n), default=None)
        nearest = None if best is None else past[best]
        before, earlier_turn = (nearest.sent, nearest.turn) if nearest else (None, None)
        parting = _divergence(before, sent, item) if best not in contained else None
        answered = None if name is None else open_requests.answered_by(name, request.messages)
        turn = Turn(
            index=index,
            captured=item,
            conversation=name,
            tokens=len(sent.rendered.token_ids),
            common_prefix=max(shared, default=0),
            divergence=_forked(parting, answered) if parting and answered else parting,
            block_ends=prompt.blocks.ends,
            marks=breakpoints.on(prompt.blocks.all, request),
        )
        yield RenderedTurn(turn, request, sent.rendered, prompt.blocks, before, earlier_turn)
        past = [earlier for n, earlier in enumerate(past) if n not in contained]
        past.append(_Past(turn, sent))


def _divergence(before: Sent | None, sent: Sent, item: CapturedRequest) -> Divergence | None:
    found = first_divergence(before, sent) if before else None
    return found if found and is_told(found, item) else None


def by_conversation(turns: Iterable[Turn]) -> tuple[TurnsOfConversation, ...]:
    """The turns of each conversation, by its first request; auxiliary requests are left out."""
    grouped: dict[str, list[Turn]] = {}
    for turn in turns:
        if turn.conversation is not None:
            grouped.setdefault(turn.conversation, []).append(turn)
    return tuple(TurnsOfConversation(name, tuple(found)) for name, found in grouped.items())


def _names(requests: list[CapturedRequest]) -> dict[int, str]:
    """The conversation of each request, by the request's identity."""
    found = conversations(requests).conversations
    return {id(turn): conversation.name for conversation in found for turn in conversation.turns}


def _moment(captured: CapturedRequest) -> datetime:
    """When a request was sent; requests of unknown time share one moment."""
    if captured.time is None:
        return _UNKNOWN_TIME
    return datetime.fromtimestamp(captured.time, UTC)


def _shared(earlier: Sent, later: Sent) -> int:
    return common_prefix(earlier.rendered.token_ids, later.rendered.token_ids)


def _forked(divergence: Divergence, answered: int) -> Divergence:
    """A divergence as a fork, where only a new answer to the first `answered` messages differs."""
    message = divergence.message
    if message is None or message < answered or divergence.by_template:
        return divergence
    return replace(divergence, cause=Cause.FORKED)


def _is_contained(earlier: Sent, later: Sent, shared: int) -> bool:
    """Whether a request stands for an earlier one, with which it shares that many tokens."""
    length = len(earlier.rendered.token_ids)
    return shared >= length - _MAY_BE_RETOKENISED and goes_on(earlier, later)
