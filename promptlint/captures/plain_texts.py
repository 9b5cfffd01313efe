"""The texts of growing requests, without provenance: only new messages are made plain."""

from datetime import datetime
from typing import Any

from msgspec.structs import replace

from promptlint.captures.growing_map import GrowingMap
from promptlint.models.model import Model
from promptlint.render import plain_message, render_text, with_parsed_arguments
from promptlint.request import Request, Tool
from promptlint.templates import TemplateError
from promptlint.templates.traced_data import untrace


class PlainTexts:
    """Renders the texts of `render`, with the template of one model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._plain = GrowingMap(plain_message)
        self._tools = GrowingMap(_plain_tool)
        self._parsed = GrowingMap(with_parsed_arguments)

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
        messages, tools = self._plain(request.messages), self._tools(request.tools)
        return render_text(request, self._model, now, messages, tools)


def _plain_tool(tool: Tool) -> dict[str, Any]:
    plain: dict[str, Any] = untrace(tool.definition)
    return plain
