"""What a file, a heading or an XML tag is, by its name."""

import re
from pathlib import PurePosixPath

from promptlint.layout import Source

# Context files of public agents, by the names that their documentation gives them.
_PROJECT_FILES = frozenset(
    [
        "agents.md",
        "agents.override.md",
        "agent.md",
        "claude.md",
        "claude.local.md",
        "gemini.md",
        "qwen.md",
        "warp.md",
        "copilot-instructions.md",
        ".cursorrules",
        ".clinerules",
        ".windsurfrules",
        ".hermes.md",
    ]
)
_MEMORY_FILES = frozenset(["memory.md", "memories.md", "user.md", "notes.md", "memory_summary.md"])
_SKILL_FILES = frozenset(["skill.md", "skills.md"])
_MEMORY_FOLDERS = frozenset(["memory", ".memory", "memories", ".memories"])
_SKILL_FOLDERS = frozenset(["skills", ".skills", "skill"])
_MEMORY_SUFFIXES = frozenset([".md", ".txt", ".json"])

# First match wins, so narrow names stand before broad ones.
_NAMES: tuple[tuple[Source, re.Pattern[str]], ...] = tuple(
    (source, re.compile("|".join(rf"\b(?:{words})\b" for words in alternatives), re.IGNORECASE))
    for source, alternatives in (
        (Source.SKILLS, ["skills?"]),
        (Source.MEMORY, ["memor(?:y|ies)", "user profile", "remembered"]),
        (
            Source.PROJECT,
            [
                r"(?:agents|claude|gemini|qwen)\.md(?! spec)",
                "project (?:context|instructions|rules|docs?)",
                "repo(?:sitory)? (?:context|instructions|rules)",
            ],
        ),
        (
            Source.WORKSPACE,
            [
                "git",
                "workspace",
                "repo(?:sitory)? (?:state|status)",
                "file ?tree",
                "project layout",
            ],
        ),
        (
            Source.TIMESTAMP,
            ["(?:current|today'?s?) (?:date|time|datetime)", "date(?:time)?", "timestamp"],
        ),
        (Source.ENVIRONMENT, ["env(?:ironment)?(?: (?:context|info|details|hints?))?", "host"]),
        (Source.ENVIRONMENT, ["system info(?:rmation)?", "working directory", "cwd"]),
        (Source.IDENTITY, ["session", "runtime"]),
    )
)


def source_of_file(path: str) -> Source | None:
    """The source that a file is known to hold by its name or its folder, else None."""
    pure = PurePosixPath(path.lower().replace("\\", "/"))
    folders = set(pure.parts[:-1])
    if pure.name in _SKILL_FILES or (folders & _SKILL_FOLDERS and pure.suffix == ".md"):
        return Source.SKILLS
    if pure.name in _MEMORY_FILES or (
        folders & _MEMORY_FOLDERS and pure.suffix in _MEMORY_SUFFIXES
    ):
        return Source.MEMORY
    if pure.name in _PROJECT_FILES or (pure.suffix == ".mdc" and "rules" in folders):
        return Source.PROJECT
    return None


def source_of_name(name: str) -> Source | None:
    """The source that a heading or a tag names, else None."""
    words = re.sub(r"[_\-]+|(?<=[a-z])(?=[A-Z])", " ", name)
    for source, pattern in _NAMES:
        if pattern.search(words):
            return source
    return None


def label_of_file(path: str) -> str:
    """How a file's section is called: by its name, but all skills are one index."""
    if source_of_file(path) is Source.SKILLS:
        return Source.SKILLS.value
    return PurePosixPath(path.replace("\\", "/")).name
