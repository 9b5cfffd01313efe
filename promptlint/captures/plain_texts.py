"""The texts of growing requests, without provenance: only what is new is rendered."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from promptlint.captures.growing_map import GrowingMap
from promptlint.models.model import Model
from promptlint.render import (
    plain_message,
    plain_system,
    template_arguments,
    with_parsed_arguments,
)
from promptlint.request import Request, Tool
from promptlint.templates import GrowingTemplate, TemplateError
from promptlint.templates.traced_data import untrace

_SYSTEMS = 8


class PlainTexts:
    """Renders the texts of `render`, with the template of one model."""

    def __init__(self, model: Model, template: str) -> None:
        self._as_sent = _Texts(model, template)
        self._parsed = _Texts(model, template)
        self._with_parsed = GrowingMap(with_parsed_arguments)

    def of(self, request: Request, now: datetime) -> tuple[str, Request]:
        """The text of a request, and the request as its template takes it. Raises TemplateError.

        The arguments of tool calls are parsed where the template refuses their JSON text.
        """
        try:
            return self._as_sent.of(request, now), request
        except TemplateError:
            parsed = replace(request, messages=self._with_parsed(request.messages))
            if parsed == request:
                raise
            return self._parsed.of(parsed, now), parsed


class _Texts:
    """The texts of requests that are taken in one way. They do not push those of the other out."""

    def __init__(self, model: Model, template: str) -> None:
        self._template = GrowingTemplate(template, model.special_tokens)
        self._plain = GrowingMap(plain_message)
        self._tools = GrowingMap(_plain_tool)
        self._system = lru_cache(maxsize=_SYSTEMS)(plain_system)

    def of(self, request: Request, now: datetime) -> str:
        """The text of a request. Raises TemplateError."""
        system = [self._system(request.system_text)] if request.system else []
        messages = (*system, *self._plain(request.messages))
        tools = self._tools(request.tools)
        return self._template.text(messages, tools or None, template_arguments(request), now)


def _plain_tool(tool: Tool) -> dict[str, Any]:
    plain: dict[str, Any] = untrace(tool.definition)
    return plain
