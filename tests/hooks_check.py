"""The hooks as users get them: pre-commit installs promptlint from this repository.

Run by `make hooks-check`, not by pytest: it installs every dependency anew.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

AGENT = """\
from datetime import datetime

BASE = "You are a careful agent. " * 80

def build_system_prompt():
    return f"Now: {datetime.now():%H:%M}\\n\\n{BASE}"
"""
CAPTURE = [
    {
        "messages": [
            {"role": "system", "content": f"Now: {time}. Be kind."},
            {"role": "user", "content": "hi"},
        ]
    }
    for time in ("12:10", "12:11")
]


def main() -> None:
    """Run each hook that pre-commit installs itself on a scratch repository."""
    with tempfile.TemporaryDirectory() as name:
        repository = Path(name, "agent")
        repository.mkdir()
        (repository / "agent.py").write_text(AGENT)
        (repository / "session.jsonl").write_text("\n".join(map(json.dumps, CAPTURE)))
        for arguments in (("init", "--quiet"), ("add", ".")):
            subprocess.run(["git", *arguments], cwd=repository, check=True)
        for hook, place in (
            ("promptlint", "agent.py:6:"),
            ("promptlint-captures", "session.jsonl:2"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "pre_commit", "try-repo", ROOT, hook, "--all-files"],
                cwd=repository,
                env={**os.environ, "PRE_COMMIT_HOME": str(Path(name, "cache"))},
                capture_output=True,
                text=True,
                check=False,
            )
            if (
                done.returncode != 1
                or place not in done.stdout
                or "sub-day-clock" not in done.stdout
            ):
                sys.exit(f"{hook} gave {done.returncode}\n{done.stdout}\n{done.stderr}")
    print("the hooks work as pre-commit installs them")


if __name__ == "__main__":
    main()
