"""A captured turn as the cache of one policy sees it."""

import json
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from promptlint.cache.paths import at_path
from promptlint.cache.policy import Automatic, Generated, Policy, StoreKind
from promptlint.cache.token_request import Mark, Salt, Segments, TokenRequest
from promptlint.captures.read import CapturedRequest
from promptlint.captures.turns import RenderedTurn
from promptlint.layout import Part
from promptlint.models.tokens import rank
from promptlint.render import Rendered
from promptlint.request import Json

_CUT = frozenset({StoreKind.MLX_QUEUE, StoreKind.LLAMA_SLOTS})
"""The stores that look at where an engine cuts the prompt."""
UNSEEN = (-1, -2)
"""The tokens of an answer that is not captured: no prompt has them, so nothing is read of them."""
_REASONING_OPENS = "<think>"
_LONGEST_TAIL = 11
"""Tokens: how far from the end mlx_lm looks for an opened reasoning block."""


def token_request(policy: Policy, rendered_turn: RenderedTurn) -> TokenRequest:
    """The tokens, blocks, breakpoints and parameters of one turn.

    The tokens of the answer are not in a capture: what is kept of it is read by nobody. The
    policy is the one for the request's own model. A breakpoint whose lifetime it does not know
    gets the one that the body names.
    """
    turn = rendered_turn.turn
    body = turn.captured.body
    lifetime = _lifetime(policy, body)
    return TokenRequest(
        token_ids=rendered_turn.rendered.token_ids,
        block_ends=turn.block_ends,
        marks=tuple(
            Mark(block.end, block.mark if block.mark in policy.lifetimes else lifetime)
            for block in turn.marks
        ),
        automatic=automatic_mark(policy, body),
        generated=() if policy.generated is Generated.NONE else UNSEEN,
        lifetime=lifetime,
        minimum=policy.minimum,
        segments=_segments(rendered_turn) if policy.store in _CUT else Segments(),
        time=turn.captured.time or 0.0,
        namespace=_namespace(policy, turn.captured),
        salts=tuple(_salts(policy, rendered_turn)),
    )


def with_parameters_of(
    policy: Policy, request: TokenRequest, captured: CapturedRequest
) -> TokenRequest:
    """A request of the same text as if it had been sent with the parameters of another one."""
    texts = (named_values(captured, names) for names in policy.invalidates.values())
    salts = (Salt(s.start, text) for s, text in zip(request.salts, texts, strict=True))
    return replace(request, namespace=_namespace(policy, captured), salts=tuple(salts))


def policy_for(policy: Policy, captured: CapturedRequest, model: str | None = None) -> Policy:
    """The policy with the minimum that a request's model, or the one given, had on its day."""
    named = model or captured.request.model
    return policy.for_model(named, captured.day) if named else policy


def automatic_mark(policy: Policy, body: Mapping[str, Json]) -> bool | None:
    """Whether a body switches the automatic breakpoint on (Anthropic) or off (OpenAI).

    None where it says nothing about it.
    """
    if policy.automatic is Automatic.ON_REQUEST:
        return body.get("cache_control") is not None
    options = body.get("prompt_cache_options")
    mode = options.get("mode") if isinstance(options, dict) else None
    return None if mode is None else mode != "explicit"


def parameter(captured: CapturedRequest, name: str) -> Json:
    """A parameter of a request; its model, whatever its format calls it.

    `images` are no parameter, but a cache may tell whether there are any.
    """
    match name:
        case "model":
            return captured.request.model
        case "images":
            return captured.request.has_images
        case _:
            return captured.body.get(name)


def changed_parameters(
    policy: Policy, earlier: CapturedRequest, later: CapturedRequest
) -> tuple[str, ...]:
    """The parameters that this cache keeps apart and that differ between two requests."""
    invalidating = (name for names in policy.invalidates.values() for name in names)
    named = dict.fromkeys((*policy.namespace, *invalidating))
    return tuple(name for name in named if parameter(earlier, name) != parameter(later, name))


def named_values(captured: CapturedRequest, names: Iterable[str]) -> str:
    """Parameters as one text, the same for equal values: `speed="fast" thinking=null`."""
    return " ".join(_named_value(captured, name) for name in names)


def _named_value(captured: CapturedRequest, name: str) -> str:
    return f"{name}={json.dumps(parameter(captured, name), sort_keys=True)}"


def _namespace(policy: Policy, captured: CapturedRequest) -> tuple[str, ...]:
    return tuple(_named_value(captured, name) for name in policy.namespace)


def _lifetime(policy: Policy, body: Mapping[str, Json]) -> str | None:
    """The lifetime that a body names, if the policy knows it."""
    named = (at_path(body, field) for field in policy.lifetime_fields)
    return next((n for n in named if isinstance(n, str) and n in policy.lifetimes), None)


def _salts(policy: Policy, rendered_turn: RenderedTurn) -> Iterator[Salt]:
    """The parameters that destroy everything from a part on, where that part starts."""
    turn = rendered_turn.turn
    for part, names in policy.invalidates.items():
        start = rendered_turn.blocks.starts.get(Part(part), turn.tokens)
        yield Salt(start, named_values(turn.captured, names))


def _segments(turn: RenderedTurn) -> Segments:
    """Where engines cut the prompt: the system part, the user messages, the reasoning tail."""
    messages = turn.request.messages
    return Segments(
        system_end=_system_end(turn),
        tail_start=_tail_start(turn.rendered),
        user_starts=tuple(_user_starts(turn)),
        user_last=bool(messages) and messages[-1].role == "user",
    )


def _system_end(turn: RenderedTurn) -> int:
    """The start of the first message's text: what stands before it is the same for every one."""
    if not turn.request.system:
        return 0
    return turn.blocks.starts.get(Part.MESSAGES, 0)


def _tail_start(rendered: Rendered) -> int | None:
    first = max(len(rendered.token_ids) - _LONGEST_TAIL - 1, 0)
    near = rendered.token_starts[first] if rendered.token_starts else 0
    opened = rendered.text.rfind(_REASONING_OPENS, near)
    if opened < 0:
        return None
    token = rank(rendered.token_starts, opened)
    return token if token >= len(rendered.token_ids) - _LONGEST_TAIL else None


def _user_starts(turn: RenderedTurn) -> Iterator[int]:
    """The tokens at which the lines with the role of user messages start."""
    rendered = turn.rendered
    for number in turn.blocks.users:
        text_start = rendered.token_starts[turn.blocks.all[number].start]
        line = rendered.text.rfind("\n", 0, max(0, text_start - 1)) + 1
        yield rank(rendered.token_starts, line)
