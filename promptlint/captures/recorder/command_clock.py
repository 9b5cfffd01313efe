"""Whether the changed clock reaches a command: only a clock that was seen to work counts."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from promptlint.captures.recorder.connections import owner
from promptlint.captures.recorder.faketime import has_loaded, shows_day


class CommandClock(Struct):
    """What is known about a command's clock. `why_not` says why it cannot be changed.

    `library` is libfaketime, None where the command does without it. `met` says that a
    request came from a program that may have it.
    """

    library: Path | None
    why_not: str | None = None
    met: bool = False

    def __post_init__(self) -> None:
        if sys.platform != "linux":
            self.library = None
            self.why_not = "the clock of a command can be changed on Linux alone"
        elif self.library is None:
            self.why_not = "libfaketime is not installed"

    def meet(self, client_port: int, server: tuple[str, int]) -> None:
        """Look into the process that asks the server, the first time, while it waits."""
        if self.library is None or self.met:
            return
        self.met = True
        process = owner(client_port, server)
        if process is None or not has_loaded(process, self.library):
            self.why_not = (
                "the program that sends the requests does not load libfaketime: "
                "it is linked statically, or its environment is cleared"
            )

    def give_up(self) -> None:
        """The command sent nothing under the library: it is run without it from now on."""
        self.library = None
        self.why_not = "the command sends nothing under libfaketime, and is run without it"

    def read(self, texts: Sequence[str], moment: datetime) -> None:
        """Look for the real date in what was sent where `moment` should show: no world has it."""
        today = datetime.now(UTC)
        real, changed = (any(shows_day(text, day) for text in texts) for day in (today, moment))
        if self.why_not is None and real and not changed:
            self.why_not = "the prompt shows the real date: the changed clock does not reach it"
