"""How known agents go on with their newest session."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct


class Resume(Struct, frozen=True):
    """The arguments that make an agent resume, behind its subcommand or its name."""

    arguments: tuple[str, ...]
    subcommand: str | None = None


# From each agent's help or documentation: `codex exec resume`, `opencode run --continue`, ...
_RESUMES = {
    "claude": Resume(("--continue",)),
    "codex": Resume(("resume", "--last"), "exec"),
    "opencode": Resume(("--continue",), "run"),
    "pi": Resume(("--continue",)),
}


def resumed(command: Sequence[str], arguments: Sequence[str] = ()) -> tuple[str, ...] | None:
    """The command for the next turn of its session.

    `arguments` are put at the end; without them, a known agent gets its own. None where
    nothing is known about the command.
    """
    if arguments:
        return (*command, *arguments)
    for start, word in enumerate(command):
        resume = _RESUMES.get(Path(word).name)
        if resume is not None:
            return _inserted(command, start, resume)
    return None


def _inserted(command: Sequence[str], start: int, resume: Resume) -> tuple[str, ...] | None:
    """The agent stands at `start`; None where it is not called with its subcommand."""
    place = start
    if resume.subcommand is not None:
        if resume.subcommand not in command[start:]:
            return None
        place = command.index(resume.subcommand, start)
    return (*command[: place + 1], *resume.arguments, *command[place + 1 :])
