"""An agent as users have them: another program, whose session is a file in the home.

`python agent.py QUESTION [--again]`: the address of its model comes from the environment.
It asks for a title first, as agents do.
"""

import json
import os
import sys
import urllib.request
from datetime import date
from pathlib import Path
from typing import Any

TOOL = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}


def main(question: str, *options: str) -> None:
    """Ask one question, in a new session or in the one that goes on."""
    session = Path.home() / "session.json"
    messages = json.loads(session.read_text()) if "--again" in options else []
    messages.append({"role": "user", "content": question})
    if len(messages) == 1:
        send([{"role": "system", "content": "Write a title."}, *messages], [])
    answer = send([{"role": "system", "content": system()}, *messages], [TOOL])
    session.write_text(json.dumps([*messages, answer]))


def system() -> str:
    """The system prompt: what moves stands in front."""
    notes = Path("AGENTS.md")
    project = notes.read_text() if notes.exists() else ""
    return f"You are an agent.\nToday: {date.today()}\nFolder: {Path.cwd()}\n\n{project}"


def send(messages: list[Any], tools: list[Any]) -> Any:
    """Send one request; the message that comes back."""
    request = urllib.request.Request(
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
        json.dumps({"messages": messages, "tools": tools}).encode(),
        {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)["choices"][0]["message"]


if __name__ == "__main__":
    main(*sys.argv[1:])
