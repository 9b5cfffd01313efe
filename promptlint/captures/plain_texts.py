"""The texts of growing requests, without provenance: only what is new is rendered."""

from datetime import datetime
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
from promptlint.request import Block, Request, Tool
from promptlint.templates import GrowingTemplate, TemplateError
from promptlint.templates.traced_data import untrace


class PlainTexts:
    """Renders the texts of `render`, with the template of one model."""

    def __init__(self, model: Model, template: str) -> None:
        self._template = GrowingTemplate(template, model.special_tokens)
        self._plain = GrowingMap(plain_message)
        self._tools = GrowingMap(_plain_tool)
        self._parsed = GrowingMap(with_parsed_arguments)
        self._asked: tuple[tuple[Block, ...], str] = (), ""
        self._system: list[dict[str, Any]] = []

    def of(self, request: Request, now: datetime) -> tuple[str, Request]:
        """The text of a request, and the request as its template takes it. Raises TemplateError.

        The arguments of tool calls are parsed where the template refuses their JSON text.
        """
        try:
            return self._text(request, now), request
        except TemplateError:
            parsed = replace(request, messages=self._parsed(request.messages))
            if parsed == request:
                raise
            return self._text(parsed, now), parsed

    def _text(self, request: Request, now: datetime) -> str:
        asked = request.system, request.joiner
        if asked != self._asked:
            self._asked, self._system = asked, plain_system(request)
        messages = (*self._system, *self._plain(request.messages))
        tools = self._tools(request.tools)
        return self._template.text(messages, tools or None, template_arguments(request), now)


def _plain_tool(tool: Tool) -> dict[str, Any]:
    plain: dict[str, Any] = untrace(tool.definition)
    return plain
