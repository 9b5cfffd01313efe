"""What is known about a command before it runs, and what is known about a call of it behind it."""

import shutil
from pathlib import Path

from msgspec import Struct, field

from promptlint.captures.recorder.agents import resumed
from promptlint.captures.recorder.faketime import find_faketime
from promptlint.captures.recorder.reply import Script
from promptlint.request import Request
from promptlint.worlds.world import World


class CommandSettings(Struct, frozen=True):
    """The command and how it is recorded.

    A word that names a file below the config's folder, with a slash in it, is made absolute:
    the command runs in the copy of its workspace. `resume` are the arguments with which it
    goes on with its newest session; known agents have their own. `script` is what it is
    answered. `faketime` is the library that changes its clock, None where there is none.
    """

    command: tuple[str, ...]
    resume: tuple[str, ...] = ()
    script: Script = field(default_factory=Script)
    faketime: Path | None = field(default_factory=find_faketime)

    @property
    def calls_tools(self) -> bool:
        """Whether it is told to call a tool."""
        return any(reply.tool_calls for reply in self.script.replies)

    @property
    def is_python(self) -> bool:
        """Whether it is Python's interpreter, or a script for it."""
        program = self.command[0]
        if Path(program).name.startswith("python"):
            return True
        path = shutil.which(program)
        if path is None:
            return False
        with Path(path).open("rb") as file:
            return b"python" in file.readline(200)

    @property
    def following(self) -> tuple[str, ...] | None:
        """The command for the next turn of its session; None where it cannot go on."""
        return resumed(self.command, self.resume)


class CommandCall(Struct, frozen=True):
    """What one run of the command sent in one world.

    `requests` are those of its main conversation, in order: titles and the requests of other
    agents are left out. In a later run of a session they hold the turns before.
    """

    world: World
    requests: tuple[Request, ...]
