"""Words of which every file that builds or sends a prompt has one."""

PROMPT_WORDS = (
    "system",
    "prompt",
    "messages",
    "instruction",
    "SystemMessage",
    "preamble",
    "input_schema",
    "inputSchema",
    "parameters",
    ".generate(",
    "backstory",
    "inject_date",
    "add_datetime_to_context",
    "add_memories_to_context",
    "add_session_summary_to_context",
    "preload_memory",
    "PreloadMemoryTool",
    "LoadArtifactsTool",
)
"""Every file passes these: they are searched as they stand, one after the other."""


def mentions_prompt(source: str) -> bool:
    """Whether any of the words stands anywhere in the text."""
    return any(word in source for word in PROMPT_WORDS)
