"""Request bodies in the shapes that public agents send, with words of our own."""

from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]

RULES = "# House rules\n\n- Run the tests before you call anything done.\n- Prices are integers."
SKILL = "release-notes"
DAY = "2026-03-05"
FOLDER = "/srv/parcels"
PARAMETERS = {"type": "object", "properties": {"command": {"type": "string"}}}
FUNCTION = {"name": "shell", "description": "Runs a command.", "parameters": PARAMETERS}
LONG = "Work in small steps, and say what you did. " * 40


def codex(*history: Body, day: str = DAY, folder: str = FOLDER) -> Body:
    """Responses: skills in a developer message, AGENTS.md and the environment in a user message.

    The base prompt is the first developer message; tools are not all functions; ids of the
    session stand beside the prompt.
    """
    skills = (
        "<skills_instructions>\n## Skills\nEach skill is a file with instructions.\n"
        f"- {SKILL}: Writes notes. (file: {folder}/.agents/skills/{SKILL}/SKILL.md)\n"
        "</skills_instructions>"
    )
    permissions = "<permissions instructions>\nNothing may be written.\n</permissions instructions>"
    project = f"# AGENTS.md instructions for {folder}\n\n<INSTRUCTIONS>\n{RULES}\n</INSTRUCTIONS>"
    environment = (
        f"<environment_context>\n  <cwd>{folder}</cwd>\n  <shell>bash</shell>\n"
        f"  <current_date>{day}</current_date>\n</environment_context>"
    )
    return {
        "model": "gpt-x",
        "input": [
            _item("developer", f"You are a coding agent in a terminal.\n{LONG}"),
            _item("developer", skills, permissions),
            _item("user", project, environment),
            *history,
        ],
        "tools": [
            {"type": "function", "strict": False, **FUNCTION},
            {"type": "namespace", "name": "agents", "tools": [{"type": "function", **FUNCTION}]},
            {"type": "web_search"},
        ],
        "prompt_cache_key": "0190-session",
        "client_metadata": {"installation": "0190-machine"},
        "stream": True,
        "store": False,
    }


def _item(role: str, *texts: str) -> Body:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return {"type": "message", "role": role, "content": content}


def codex_turn(role: str, text: str) -> Body:
    """One message of the conversation."""
    return _item(role, text)


def opencode(
    *history: Body, day: str = "Thu Mar 05 2026", folder: str = FOLDER, skills: str = ".opencode"
) -> Body:
    """Chat completions: directory and date in front of AGENTS.md and skills, all in system."""
    system = (
        f"You are a coding tool on the command line.\n{LONG}\n"
        f"<env>\n  Working directory: {folder}\n  Is directory a git repo: yes\n"
        f"  Today's date: {day}\n</env>\n"
        f"Instructions from: {folder}/AGENTS.md\n{RULES}\n\n"
        f"<available_skills>\n  <skill>\n    <name>{SKILL}</name>\n"
        f"    <location>{folder}/{skills}/skill/{SKILL}/SKILL.md</location>\n"
        "  </skill>\n</available_skills>"
    )
    return _chat(system, history) | {"tool_choice": "auto", "max_tokens": 32000}


def opencode_title() -> Body:
    """The request that asks for a title, before the first of a session."""
    system = "You write titles. You write nothing else."
    body = _chat(system, (chat_turn("user", "Write a title."), chat_turn("user", "hi")))
    del body["tools"]
    return body


def pi(*history: Body, day: str = DAY, folder: str = FOLDER) -> Body:
    """Chat completions: plain text, date and directory last."""
    system = (
        f"You are a coding assistant.\n{LONG}\n\n# Project Context\n\n"
        f"## {folder}/AGENTS.md\n\n{RULES}\n\n"
        "The following skills are there for some tasks.\n\n"
        f"<available_skills>\n  <skill>\n    <name>{SKILL}</name>\n"
        f"    <location>{folder}/.pi/skills/{SKILL}/SKILL.md</location>\n"
        f"  </skill>\n</available_skills>\nCurrent date: {day}\n"
        f"Current working directory: {folder}"
    )
    return _chat(system, history) | {"max_completion_tokens": 32000, "store": False}


def _chat(system: str, history: tuple[Body, ...]) -> Body:
    return {
        "model": "m",
        "messages": [{"role": "system", "content": system}, *history],
        "tools": [{"type": "function", "function": FUNCTION}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def chat_turn(role: str, text: str) -> Body:
    """One message of the conversation."""
    return {"role": role, "content": text}


def claude_code(*history: Body, day: str = DAY, folder: str = FOLDER) -> Body:
    """Messages: marked system blocks, reminders in the first user message, marks on the newest."""
    reminder = (
        "<system-reminder>\n# claudeMd\n"
        f"Contents of {folder}/CLAUDE.md (project instructions):\n\n{RULES}\n"
        f"# currentDate\nToday's date is {day}.\n</system-reminder>"
    )
    mark = {"cache_control": {"type": "ephemeral"}}
    system = f"You help with software.\n{LONG}\n<env>\nWorking directory: {folder}\n</env>"
    first, *rest = history
    first = {"role": "user", "content": [_text(reminder), _text(first["content"])]}
    messages = [first, *({**turn, "content": [_text(turn["content"])]} for turn in rest)]
    messages[-1]["content"][-1] |= mark
    tool = {"name": "Bash", "description": "Runs a command.", "input_schema": PARAMETERS}
    return {
        "model": "claude-x",
        "system": [_text("You are an agent.") | mark, _text(system) | mark],
        "messages": messages,
        "tools": [tool],
        "max_tokens": 32000,
        "metadata": {"user_id": "user_1_session_2"},
        "stream": True,
    }


def _text(text: str) -> Body:
    return {"type": "text", "text": text}
