"""Which cache and which model captured requests most likely met: by format and model name."""

import re
from collections.abc import Sequence
from typing import TypeAlias

from promptlint.bodies import BodyFormat, body_format
from promptlint.captures.conversations import conversations
from promptlint.captures.most_sent import most_sent
from promptlint.captures.read import CapturedRequest

LONGEST_COMMON_PREFIX = "longest-common-prefix"
"""The policy that is assumed where nothing tells the provider."""

_Table: TypeAlias = tuple[tuple[re.Pattern[str], str, str | None], ...]

_BY_FORMAT = {
    BodyFormat.ANTHROPIC: ("anthropic/messages", "anthropic"),
    BodyFormat.CONVERSE: ("anthropic/bedrock-converse", "anthropic"),
    BodyFormat.GEMINI: ("google/gemini-implicit", "gemini"),
}
_GPT = re.compile(r"(?:^|/)(?:gpt-(?P<major>\d+)(?:\.(?P<minor>\d+))?|o\d)(?!\d)")
_STORES_AT_BOUNDARIES = (5, 6)
"""OpenAI's caches hit only at stored ends from GPT-5.6 on."""
_CLOSED: _Table = (
    (re.compile(r"(?:^|[/.])claude-|^anthropic$"), "anthropic/messages", "anthropic"),
    (re.compile(r"(?:^|/)gemini(?:-|$)"), "google/gemini-implicit", "gemini"),
)
"""The names of models that only their makers' caches serve, whoever passes requests on."""
_BY_NAME: _Table = (
    *_CLOSED,
    (re.compile(r"^openai$"), "openai/5.6+", "openai"),
    (re.compile(r"^deepseek-[\w.-]+$"), "deepseek/v4", None),
    (re.compile(r"^qwen[\w.-]+$"), "qwen/dashscope-implicit", None),
    (re.compile(r"^(?:kimi|moonshot)-[\w.-]+$"), "moonshot/kimi-open-platform", None),
    (re.compile(r"^glm-[\w.-]+$"), "zhipu/glm", None),
    (re.compile(r"^minimax-[\w.-]+$", re.IGNORECASE), "minimax/passive", None),
    (re.compile(r"^grok-[\w.-]+$"), "xai/grok", None),
    (re.compile(r"^(?:co|dev|mag|mi|mini)stral-[\w.-]+$"), "mistral", None),
)
"""The names that providers give to their models, the policy, and the name for `find_model`."""


def default_cache(captured: Sequence[CapturedRequest]) -> tuple[str, str | None]:
    """The policy and the model name for `find_model`; None is the embedded default.

    What most of the text was sent with decides. Chat completions are spoken by nearly every
    engine: there, the name of the model has to be that of a closed one.
    """
    return most_sent(captured, _cache_of) or (LONGEST_COMMON_PREFIX, None)


def mixed_cache_notes(captured: Sequence[CapturedRequest], assumed: str) -> tuple[str, ...]:
    """How many requests of conversations most likely met another cache than the assumed one.

    Titles and other requests in between are not counted: hardly anything is read of them.
    """
    caches = {id(item): _cache_of(item)[0] for item in captured}
    if set(caches.values()) <= {assumed}:
        return ()
    turns = [turn for found in conversations(captured).conversations for turn in found.turns]
    other = [caches[id(turn)] for turn in turns if caches[id(turn)] != assumed]
    if not other:
        return ()
    share = f"{len(other):,} of {len(captured):,} requests"
    named = ", ".join(dict.fromkeys(other))
    return (
        f"{share} most likely met another cache ({named}): {assumed} is assumed for all, "
        "--cache chooses another one",
    )


def _cache_of(captured: CapturedRequest) -> tuple[str, str | None]:
    known = _BY_FORMAT.get(body_format(captured.body) or BodyFormat.CHAT)
    if known is not None:
        return known
    return _named(captured.request.model or "", _CLOSED) or (LONGEST_COMMON_PREFIX, None)


def cache_of_model(name: str) -> tuple[str, str | None] | None:
    """The policy of a provider's model, and the name for `find_model`, None where it has none.

    None where no provider is known to serve a model of that name.
    """
    return _named(name, _BY_NAME)


def _named(name: str, table: _Table) -> tuple[str, str | None] | None:
    known = ((policy, hosted) for pattern, policy, hosted in table if pattern.search(name))
    return _openai(name) or next(known, None)


def _openai(name: str) -> tuple[str, str] | None:
    found = _GPT.search(name)
    if found is None:
        return None
    version = (int(found["major"] or 0), int(found["minor"] or 0))
    return "openai/5.6+" if version >= _STORES_AT_BOUNDARIES else "openai/pre-5.6", "openai"
