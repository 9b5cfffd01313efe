"""A small coding agent that remembers: the system prompt is base, AGENTS.md, memory.

After a public experiment on prefix caches. In mode `frozen` the memory file is read
once when the session starts; in mode `refresh` before every request.
"""

from pathlib import Path

BASE = """\
You are miniagent, a coding agent that works in one repository at a time.

Read before you write: open the files that a change touches and the tests that cover them.
Make the smallest change that does the whole job, in the style of the code around it.
Run the tests after each change. When one fails, find the cause before you touch anything.
Never edit generated files, lock files or anything outside the repository.
When you learn something that a later session should know, call `remember` with one line.
Answer in plain sentences. Say what you changed, why, and what you could not check.
"""

MEMORY_HEADING = "# Memory from previous sessions"
MEMORY_LIMIT = 2_200
"""The most characters that the memory file may hold."""


class MemoryFullError(Exception):
    """The note does not fit: nothing is dropped in silence."""


def remember(home: Path, note: str) -> None:
    """Append one line to MEMORY.md. It is on disk at once."""
    path = home / "MEMORY.md"
    text = path.read_text("utf-8") if path.exists() else ""
    text += f"- {note.strip()}\n"
    if len(text) > MEMORY_LIMIT:
        raise MemoryFullError(f"MEMORY.md would have {len(text):,} of {MEMORY_LIMIT:,} characters")
    path.write_text(text, "utf-8")


class Session:
    """One conversation. `system_prompt` is asked for before every request."""

    def __init__(self, workspace: Path, home: Path, mode: str) -> None:
        self._workspace = workspace
        self._home = home
        self._mode = mode
        self._frozen = self._build()

    def system_prompt(self) -> str:
        """The system prompt of the next request."""
        return self._frozen if self._mode == "frozen" else self._build()

    def _build(self) -> str:
        parts = [BASE]
        for path, heading in (
            (self._workspace / "AGENTS.md", ""),
            (self._home / "MEMORY.md", MEMORY_HEADING),
        ):
            if path.exists():
                parts.append(f"{heading}\n{path.read_text('utf-8')}".strip())
        return "\n\n".join(part.strip() for part in parts)
