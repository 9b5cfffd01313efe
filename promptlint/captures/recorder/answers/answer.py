"""The answer to a client: status, content type and bytes."""

import json
from collections.abc import Mapping

from msgspec import Struct

from promptlint.bodies import BodyFormat
from promptlint.captures.recorder.answers import anthropic, chat, gemini, responses
from promptlint.captures.recorder.completion import (
    CREATED,
    DEFAULT_MODEL,
    Completion,
    Object,
    estimated_tokens,
)
from promptlint.captures.recorder.endpoints import Endpoint, Purpose

_WHOLE = {
    BodyFormat.CHAT: chat.whole,
    BodyFormat.RESPONSES: responses.whole,
    BodyFormat.ANTHROPIC: anthropic.whole,
    BodyFormat.GEMINI: gemini.whole,
}
_STREAM = {
    BodyFormat.CHAT: chat.stream,
    BodyFormat.RESPONSES: responses.stream,
    BodyFormat.ANTHROPIC: anthropic.stream,
    BodyFormat.GEMINI: gemini.stream,
}


class Answer(Struct, frozen=True):
    """What goes back over the wire."""

    status: int
    data: bytes
    content_type: str = "application/json"


def generated(endpoint: Endpoint, body: Mapping[str, object], completion: Completion) -> Answer:
    """A completion in the endpoint's format, streamed if the client asked for that."""
    assert endpoint.format is not None
    if not (endpoint.streams or body.get("stream") is True):
        return _json(_WHOLE[endpoint.format](completion))
    if not endpoint.events:
        return _json([_WHOLE[endpoint.format](completion)])
    return Answer(200, _STREAM[endpoint.format](completion), "text/event-stream")


def looked_up(endpoint: Endpoint, size: int) -> Answer:
    """The answer to everything else. `size` is the length of the body in bytes."""
    match endpoint.purpose:
        case Purpose.COUNT:
            name = "totalTokens" if endpoint.format is BodyFormat.GEMINI else "input_tokens"
            return _json({name: estimated_tokens(size)})
        case Purpose.MODELS:
            model = _model(DEFAULT_MODEL)
            return _json({"object": "list", "data": [model], "models": [model], "has_more": False})
        case Purpose.MODEL:
            return _json(_model(endpoint.model or DEFAULT_MODEL))
        case Purpose.HEALTH:
            return _json({"status": "ok"})
        case _:
            return refused(404, "the recorder has no such endpoint")


def refused(status: int, message: str) -> Answer:
    """An error in the shape that the clients of all formats read."""
    error = {"type": "invalid_request_error", "message": message, "code": status}
    return _json({"type": "error", "error": error}, status)


def _json(value: object, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode())


def _model(name: str) -> Object:
    """A model with the fields that OpenAI's, Anthropic's and Gemini's clients look for."""
    return {
        "id": name,
        "object": "model",
        "type": "model",
        "created": CREATED,
        "owned_by": "promptlint",
        "display_name": name,
        "name": f"models/{name}",
        "supportedGenerationMethods": ["generateContent", "streamGenerateContent"],
    }
