"""What promptlint calls: one session object in each mode, and its tools."""

from pathlib import Path

from agent import Session

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
        ("read_file", "Read a text file of the repository.", {"path": "Path below the root."}),
        (
            "write_file",
            "Replace the content of a file, or create it.",
            {"path": "Path below the root.", "content": "The whole new content."},
        ),
        ("list_files", "List the files below a folder.", {"path": "Folder below the root."}),
        ("search", "Find lines that match.", {"pattern": "A regular expression."}),
        ("run", "Run a command in the repository's root.", {"command": "The command line."}),
        ("remember", "Write one line into the memory file.", {"note": "One short line."}),
    )
]


class _Turns:
    """Builds the request of every turn from one session."""

    def __init__(self, mode: str) -> None:
        self._session = Session(Path.cwd(), Path.home(), mode)

    def build(self, world):
        """One request, as it is sent before a model call."""
        return {
            "messages": [
                {"role": "system", "content": self._session.system_prompt()},
                {"role": "user", "content": world.user_message},
            ],
            "tools": TOOLS,
        }


class Frozen(_Turns):
    """The memory is a snapshot of the session's start."""

    def __init__(self) -> None:
        super().__init__("frozen")


class Refresh(_Turns):
    """The memory file is read again before every request."""

    def __init__(self) -> None:
        super().__init__("refresh")
