"""Bodies: every wire format and every tool shape, to and from one Request."""

from promptlint.bodies.fields import BodyError
from promptlint.bodies.formats import (
    BodyFormat,
    body_format,
    body_from_request,
    is_chat_message,
    request_from_body,
)
from promptlint.bodies.kept_history import conversation_id, kept_by
from promptlint.bodies.returned import requests_from_returned
from promptlint.bodies.tools import tool_from, tools_from

__all__ = [
    "BodyError",
    "BodyFormat",
    "body_format",
    "body_from_request",
    "conversation_id",
    "is_chat_message",
    "kept_by",
    "request_from_body",
    "requests_from_returned",
    "tool_from",
    "tools_from",
]
