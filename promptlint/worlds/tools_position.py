"""Where the template printed the tools: measured, not guessed from the template."""

from promptlint.layout import ToolsPosition
from promptlint.worlds.units import SYSTEM, TOOLS, Unit, UnitKey


def tools_position(parts: dict[UnitKey, Unit], newest_user: UnitKey | None) -> ToolsPosition | None:
    """Where the tools stand relative to the system text; None where there is nothing to compare."""
    if TOOLS not in parts:
        return None
    tools = parts[TOOLS].pieces[0][0]
    messages = [unit.pieces[0][0] for key, unit in parts.items() if key[0] == "messages"]
    if newest_user in parts and tools > min(messages, default=tools):
        return ToolsPosition.LAST_USER
    if SYSTEM not in parts:
        return None
    before = tools < parts[SYSTEM].pieces[0][0]
    return ToolsPosition.BEFORE_SYSTEM if before else ToolsPosition.AFTER_SYSTEM
