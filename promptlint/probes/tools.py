"""Where a template prints the tools, and whether the order of their keys shows."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from promptlint.layout import ToolsPosition
from promptlint.models.model import Model
from promptlint.probes.printing import accepted
from promptlint.render import Rendered
from promptlint.request import Request, Tool
from promptlint.worlds.tools_position import tools_position
from promptlint.worlds.units import TOOLS, units


def tools_in(request: Request, rendered: Rendered) -> ToolsPosition:
    """Where the tools stand in a request with several user messages."""
    parts = units(rendered.text, rendered.runs)
    if TOOLS not in parts:
        return ToolsPosition.NOT_RENDERED
    users = [index for index, message in enumerate(request.messages) if message.role == "user"]
    position = tools_position(parts, ("messages", users[-1]) if users else None)
    # Without a system text to compare with, the tools stand in front of all there is.
    return position or ToolsPosition.BEFORE_SYSTEM


def key_order_matters(request: Request, model: Model) -> bool:
    """Whether the same tools with their keys in another order print other text."""
    turned = tuple(Tool(tool.name, _turned(tool.definition)) for tool in request.tools)
    one, other = accepted(request, model), accepted(replace(request, tools=turned), model)
    return (one and one.text) != (other and other.text)


def _turned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _turned(value[key]) for key in reversed(list(value))}
    return [_turned(item) for item in value] if isinstance(value, list) else value
