"""What promptlint calls: the three prompts, each as its agent asks for it."""

from pathlib import Path

from agent import PromptBuilder, with_index, with_picked

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {
                    argument: {"type": "string", "description": meaning}
                    for argument, meaning in arguments.items()
                },
                "required": list(arguments),
            },
        },
    }
    for name, description, arguments in (
        ("bash", "Run a command in the working directory.", {"command": "The command line."}),
        ("read_file", "Read a text file.", {"path": "Below the working directory."}),
        (
            "edit_file",
            "Replace one passage of a file.",
            {"path": "The file.", "old": "The passage as it is.", "new": "What it becomes."},
        ),
        ("todo", "Write the list of steps anew.", {"items": "One step a line."}),
        ("load_skill", "Read a skill in full.", {"name": "The skill's name."}),
        ("save_memory", "Keep a note for later sessions.", {"name": "A title.", "note": "Text."}),
    )
]


def index(world):
    """Built when a user message arrives."""
    return _request(with_index(Path.cwd()), world)


def picked(world):
    """Built when a user message arrives, from that message."""
    return _request(with_picked(Path.cwd(), world.user_message), world)


def every_round(world):
    """Built before every model call."""
    return _request(PromptBuilder(Path.cwd(), TOOLS).build(), world)


def _request(system, world):
    return {
        "system": system,
        "messages": [{"role": "user", "content": world.user_message}],
        "tools": TOOLS,
    }
