"""Three system prompts in the shapes of a public course on building coding agents.

The code is ours, after a description. `with_index` puts the index of the memory files in
front of sentences that never change, once per user turn. `with_picked` lets the user's
message choose which memories are read into the prompt. `PromptBuilder` makes everything
anew in each round of the agent's loop: memories before CLAUDE.md, then the date and the host.
"""

import platform
import re
from datetime import date
from pathlib import Path

MODEL = "a-model"
MOST_MEMORIES = 5

WORK_RULES = """\
Read a file before you change it, and the test that covers it as well.
Plan with the todo tool when a task has more than two steps, and keep one step in progress.
Prefer the smallest change that does the whole job. Never touch files outside this folder.
When a command fails, read its whole output before you try something else.
Save what a later session should know with the memory tool: what the user prefers, what the
project decided, where things are written down. Never save what the code itself says.
Use the tools instead of describing what you would do, and be short when you answer.
"""

DYNAMIC_BOUNDARY = "=== DYNAMIC ==="


def with_index(workdir: Path) -> str:
    """Lesson 9, in its later form: base, memory index, then the rules that never change."""
    index = workdir / ".memory" / "MEMORY.md"
    return (
        f"You are a coding agent at {workdir}.\n\n"
        f"Memories available:\n{index.read_text('utf-8').strip()}\n\n"
        f"{WORK_RULES}"
    )


def with_picked(workdir: Path, user_message: str) -> str:
    """Lesson 9, in its earlier form: the memories that fit the user's message."""
    wanted = _words(user_message)
    files = sorted((workdir / ".memory").glob("*.md"))
    memories = [path.read_text("utf-8") for path in files if path.name != "MEMORY.md"]
    picked = [memory for memory in memories if _words(memory) & wanted][:MOST_MEMORIES]
    return (
        f"You are a coding agent at {workdir}.\n\n"
        f"<memories>\n{''.join(picked)}</memories>\n\n"
        f"{WORK_RULES}"
    )


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Za-z]{5,}", text)}


class PromptBuilder:
    """Lesson 10: sections in a pipeline, all of them built in every round of the loop."""

    def __init__(self, workdir: Path, tools: list[dict]) -> None:
        self._workdir = workdir
        self._tools = tools

    def build(self) -> str:
        """The system prompt of the next model call."""
        sections = (
            f"You are a coding agent at {self._workdir}.\n\n{WORK_RULES}",
            self._tool_listing(),
            self._skills(),
            self._memories(),
            self._instructions(),
            DYNAMIC_BOUNDARY,
            self._dynamic(),
        )
        return "\n\n".join(section for section in sections if section)

    def _tool_listing(self) -> str:
        functions = (tool["function"] for tool in self._tools)
        lines = (f"- {function['name']}: {function['description']}" for function in functions)
        return "# Available tools\n" + "\n".join(lines)

    def _skills(self) -> str:
        lines = []
        for path in sorted((self._workdir / "skills").glob("*/SKILL.md")):
            found = re.search(r"^description: (.*)$", path.read_text("utf-8"), re.MULTILINE)
            lines.append(f"- {path.parent.name}: {found[1] if found else ''}")
        return "# Available skills\n" + "\n".join(lines)

    def _memories(self) -> str:
        files = sorted((self._workdir / ".memory").glob("*.md"))
        return "# Memories\n" + "\n".join(path.read_text("utf-8").strip() for path in files)

    def _instructions(self) -> str:
        return "# CLAUDE.md\n" + (self._workdir / "CLAUDE.md").read_text("utf-8").strip()

    def _dynamic(self) -> str:
        return (
            f"Current date: {date.today()}\n"
            f"Working directory: {self._workdir}\n"
            f"Model: {MODEL}\n"
            f"Platform: {platform.system()} {platform.release()}"
        )
