"""Which cache and which model captured requests most likely met: by format and model name."""

import re
from collections.abc import Sequence

from promptlint.bodies import BodyFormat, body_format
from promptlint.captures.read import CapturedRequest

LONGEST_COMMON_PREFIX = "longest-common-prefix"
"""The policy that is assumed where nothing tells the provider."""

_BY_FORMAT = {
    BodyFormat.ANTHROPIC: ("anthropic/messages", "anthropic"),
    BodyFormat.CONVERSE: ("anthropic/bedrock-converse", "anthropic"),
    BodyFormat.GEMINI: ("google/gemini-implicit", "gemini"),
}
_GPT = re.compile(r"(?:^|/)(?:gpt-(?P<major>\d+)(?:\.(?P<minor>\d+))?|o\d)(?!\d)")
_STORES_AT_BOUNDARIES = (5, 6)
"""OpenAI's caches hit only at stored ends from GPT-5.6 on."""


def default_cache(captured: Sequence[CapturedRequest]) -> tuple[str, str | None]:
    """The policy and the model name for `find_model`; None is the embedded default.

    The first request decides. Chat completions are spoken by nearly every engine: there,
    the name of the model has to be OpenAI's.
    """
    if not captured:
        return LONGEST_COMMON_PREFIX, None
    first = captured[0]
    known = _BY_FORMAT.get(body_format(first.body) or BodyFormat.CHAT)
    if known is not None:
        return known
    found = _GPT.search(first.request.model or "")
    if found is None:
        return LONGEST_COMMON_PREFIX, None
    version = (int(found["major"] or 0), int(found["minor"] or 0))
    return "openai/5.6+" if version >= _STORES_AT_BOUNDARIES else "openai/pre-5.6", "openai"
