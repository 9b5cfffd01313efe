"""What a path of the recorder's server stands for."""

import re
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from promptlint.bodies import BodyFormat


class Purpose(StrEnum):
    """What a client wants."""

    GENERATE = "generate"
    COUNT = "count tokens"
    MODELS = "list models"
    MODEL = "show a model"
    HEALTH = "health"
    OTHER = "other"


class Endpoint(Struct, frozen=True):
    """One path.

    Gemini's path says whether the answer `streams`, and whether as `events` or as a list; the
    other formats say it in the body. `model` is the model that the path names.
    """

    purpose: Purpose
    format: BodyFormat | None = None
    streams: bool = False
    events: bool = True
    model: str | None = None


_GENERATE = {
    "chat/completions": BodyFormat.CHAT,
    "responses": BodyFormat.RESPONSES,
    "messages": BodyFormat.ANTHROPIC,
}
_COUNT = {
    "messages/count_tokens": BodyFormat.ANTHROPIC,
    "responses/input_tokens": BodyFormat.RESPONSES,
}
_HEALTH = frozenset(["", "health", "healthz", "ping", "ready", "status", "v1", "version"])
_GEMINI = re.compile(r"models/([^/]+):(generateContent|streamGenerateContent|countTokens)$")
_MODEL = re.compile(r"(?:^|/)models/(.+)$")


def endpoint(method: str, target: str) -> Endpoint:
    """The endpoint that a request line names. Prefixes such as `/v1` are passed over."""
    parts = urlsplit(target)
    path = unquote(parts.path).strip("/")
    if method == "POST":
        return _posted(path, parts.query)
    if path in _HEALTH:
        return Endpoint(Purpose.HEALTH)
    if path == "models" or path.endswith("/models"):
        return Endpoint(Purpose.MODELS)
    if found := _MODEL.search(path):
        return Endpoint(Purpose.MODEL, model=found[1])
    return Endpoint(Purpose.OTHER)


def _posted(path: str, query: str) -> Endpoint:
    if found := _GEMINI.search(path):
        name, verb = found[1], found[2]
        if verb == "countTokens":
            return Endpoint(Purpose.COUNT, BodyFormat.GEMINI, model=name)
        streams = verb == "streamGenerateContent"
        events = "alt=sse" in query.split("&")
        return Endpoint(Purpose.GENERATE, BodyFormat.GEMINI, streams, events, name)
    for purpose, table in ((Purpose.COUNT, _COUNT), (Purpose.GENERATE, _GENERATE)):
        for ending, form in table.items():
            if f"/{path}".endswith(f"/{ending}"):
                return Endpoint(purpose, form)
    return Endpoint(Purpose.OTHER)
