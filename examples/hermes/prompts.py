"""What promptlint calls: Hermes Agent's own builder, memory and tools, with no model behind them.

Hermes builds its system prompt once per session and keeps it: a call here starts a session.
"""

import types

from agent.system_prompt import build_system_prompt
from model_tools import get_tool_definitions
from tools.memory_tool import load_on_disk_store


def build():
    """The system prompt and the tools of a new session in the working directory."""
    tools = get_tool_definitions(quiet_mode=True)
    agent = types.SimpleNamespace(
        model="qwen3-coder",
        provider="custom",
        platform="cli",
        session_id="",
        pass_session_id=False,
        load_soul_identity=False,
        skip_context_files=False,
        valid_tool_names={tool["function"]["name"] for tool in tools},
        _tool_use_enforcement="auto",
        _memory_store=load_on_disk_store(),
        _memory_enabled=True,
        _user_profile_enabled=True,
        _memory_manager=None,
        _emit_status=print,
    )
    return {"system": build_system_prompt(agent), "tools": tools}
