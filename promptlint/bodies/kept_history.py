"""Bodies of OpenAI Responses whose history is kept at the provider: they hold only what is new."""

from collections.abc import Mapping

from promptlint.bodies.formats import BodyFormat, body_format
from promptlint.request import Json

_NAMES = ("previous_response_id", "conversation")


def kept_by(body: Mapping[str, Json]) -> str | None:
    """The field that names the history of a body; None where the body holds all of it."""
    named = next((name for name in _NAMES if body.get(name)), None)
    return named if named and body_format(body) is BodyFormat.RESPONSES else None


def conversation_id(body: Mapping[str, Json]) -> str | None:
    """The id of the provider's conversation that a body belongs to, a text or `{"id": text}`."""
    if kept_by(body) is None:
        return None
    value = body.get("conversation")
    identifier = value.get("id") if isinstance(value, Mapping) else value
    return identifier if isinstance(identifier, str) and identifier else None
