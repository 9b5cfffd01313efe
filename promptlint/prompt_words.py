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
)


def mentions_prompt(source: str) -> bool:
    """Whether any of the words stands anywhere in the text."""
    return any(word in source for word in PROMPT_WORDS)
