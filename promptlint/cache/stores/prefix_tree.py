"""Longest common prefix with anything seen before: a tree of token runs.

Every block cache (vLLM's hashed blocks, SGLang's radix tree) and every provider that
finds any common prefix behaves like this tree. It holds each shared run once, so a
long session takes memory only for its new text.
"""

from dataclasses import dataclass, field

from promptlint.cache.policy import Generated, Policy, TimeToLive
from promptlint.cache.token_range import NOTHING, TokenRange
from promptlint.cache.token_request import TokenRequest
from promptlint.captures.common_prefix import common_prefix


@dataclass(slots=True)
class _Node:
    """A run of tokens, what follows it by first token, and when it was last read or written."""

    tokens: tuple[int, ...]
    last_used: float
    children: dict[int, "_Node"] = field(default_factory=dict)
    ends_request: bool = False


@dataclass(slots=True)
class _Reach:
    """How far a request was found: surely, at most, and whether it is an exact repeat."""

    sure: int = 0
    possible: int = 0
    repeat: bool = False


class PrefixTree:
    """The store of policies that match any common prefix."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lifetime = policy.lifetime(None)
        self._roots: dict[tuple[str, ...], _Node] = {}

    def take(self, request: TokenRequest) -> TokenRange:
        """The common prefix by the policy's step and minimum; then the request is remembered."""
        reach = self._reach(request)
        self._insert(request)
        if len(request) < self._policy.minimum:
            return NOTHING
        return TokenRange(
            self._readable(reach.sure, request, reach.repeat),
            self._readable(reach.possible, request, reach.repeat),
        )

    def _reach(self, request: TokenRequest) -> _Reach:
        """The longest common prefix with what is still alive."""
        node = self._roots.get(request.namespace)
        reach = _Reach()
        position = 0
        while node is not None and position < len(request):
            node = node.children.get(request.token_ids[position])
            if node is None:
                break
            age = request.time - node.last_used
            if self._lifetime and age > self._lifetime.at_most:
                break
            shared = _shared(node, request.token_ids, position)
            position += shared
            reach.possible = position
            if _is_sure(self._lifetime, age):
                reach.sure = position
            if shared < len(node.tokens):
                break
            reach.repeat = node.ends_request and position == len(request)
        return reach

    def _readable(self, shared: int, request: TokenRequest, repeat: bool) -> int:
        policy = self._policy
        if policy.whole_repeat and repeat and shared == len(request):
            return shared
        step = policy.block or 1
        read = min(shared, len(request) - policy.keep_last) // step * step
        too_short = policy.minimum_of == "prefix" and read < policy.minimum
        return 0 if too_short else read

    def _insert(self, request: TokenRequest) -> None:
        """Add the request and the stored part of its answer."""
        self._add(request.namespace, request.token_ids, request.time, ends_request=True)
        answer = stored_answer(self._policy.generated, request)
        if answer:
            self._add(request.namespace, request.token_ids + answer, request.time)

    def _add(
        self,
        namespace: tuple[str, ...],
        tokens: tuple[int, ...],
        time: float,
        ends_request: bool = False,
    ) -> None:
        node = self._roots.setdefault(namespace, _Node((), time))
        position = 0
        while position < len(tokens):
            child = node.children.get(tokens[position])
            if child is None:
                child = _Node(tokens[position:], time)
                node.children[tokens[position]] = child
            shared = _shared(child, tokens, position)
            if shared < len(child.tokens):
                child = _split(node, child, shared)
            child.last_used = time
            position += shared
            node = child
        node.ends_request = node.ends_request or ends_request


def stored_answer(kept: Generated, request: TokenRequest) -> tuple[int, ...]:
    """The tokens of the answer that a cache keeps behind the prompt."""
    if kept is Generated.NONE:
        return ()
    return request.generated if kept is Generated.ALL else request.generated[:-1]


def _is_sure(lifetime: TimeToLive | None, age: float) -> bool:
    return lifetime is None or age <= lifetime.seconds


def _shared(node: _Node, tokens: tuple[int, ...], position: int) -> int:
    return common_prefix(node.tokens, tokens[position : position + len(node.tokens)])


def _split(parent: _Node, child: _Node, shared: int) -> _Node:
    """Cut a child's run in two; the upper half is returned."""
    upper = _Node(child.tokens[:shared], child.last_used)
    child.tokens = child.tokens[shared:]
    upper.children[child.tokens[0]] = child
    parent.children[upper.tokens[0]] = upper
    return upper
