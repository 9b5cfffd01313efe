"""An agent as users have them: another program, whose session is a file in its home.

`python command_agent.py QUESTION [--again] [--LINE ...]`: each LINE is a name of `LINES`.
"""

import json
import os
import sys
import urllib.request
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

BASE = "You are a careful coding agent who reads before writing. " * 60
READ = {"name": "read", "description": "Reads a file. " * 60, "parameters": {"type": "object"}}


def main(question: str, *options: str) -> None:
    """Ask one question, in a new session or in the one that goes on; do what is answered."""
    saved = Path.home() / "session.json"
    session: Any = (
        json.loads(saved.read_text())
        if "--again" in options
        else {"id": uuid.uuid4().hex, "messages": []}
    )
    messages = session["messages"]
    messages.append({"role": "user", "content": question})
    while True:
        lines = [LINES[option](session) for option in options if option in LINES]
        system = {"role": "system", "content": "\n".join([*lines, BASE])}
        answer = send([system, *messages])
        messages.append(answer)
        calls = answer.get("tool_calls") or []
        messages += [{"role": "tool", "tool_call_id": c["id"], "content": "done"} for c in calls]
        if not calls:
            break
    saved.write_text(json.dumps(session))


LINES: dict[str, Any] = {
    "--clock": lambda _: f"Now: {datetime.now():%H:%M:%S.%f}",
    "--id": lambda session: f"Session: {session['id']}",
    "--folder": lambda _: f"Working directory: {Path.cwd()}",
    "--project": lambda _: Path("AGENTS.md").read_text(),
    "--memory": lambda _: f"# Memory\n\n{(Path.home() / 'MEMORY.md').read_text()}",
    "--count": lambda session: f"Messages: {len(session['messages'])}",
    "--set": lambda _: f"Tools: {', '.join({'read', 'write', 'run', 'find', 'list', 'ask'})}",
}


def send(messages: list[Any]) -> Any:
    """Send one request; the message that comes back."""
    body = {"messages": messages, "tools": [{"type": "function", "function": READ}]}
    request = urllib.request.Request(
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions", json.dumps(body).encode()
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)["choices"][0]["message"]


if __name__ == "__main__":
    main(*sys.argv[1:])
