"""The built wheel in a clean virtual environment, with the checkout out of reach.

Run by `make wheel-check`, not by pytest: it installs every dependency anew.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

AGENT = """\
from datetime import datetime

def build():
    return f"Now: {datetime.now():%Y-%m-%d %H:%M}\\n\\n" + "You are a careful agent. " * 80
"""
CONFIG = '[[prompt]]\nname = "coder"\nbuilder = "agent.py:build"\nrebuilt = "request"\n'


def run(*command: str | Path, folder: Path, expected: int = 0) -> str:
    """Run a command and return what it printed; another exit code than expected is the end."""
    clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    clean |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=clean, capture_output=True, text=True, check=False
    )
    if done.returncode != expected:
        sys.exit(f"{command} gave {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def main() -> None:
    """Build, install, and use the command as a new user does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT, folder=folder)
        venv.create(folder / "venv", with_pip=True)
        (wheel,) = (folder / "dist").glob("*.whl")
        run(folder / "venv/bin/pip", "install", "--quiet", wheel, folder=folder)
        user = folder / "user"
        (user / "rules").mkdir(parents=True)
        (user / "rules/__init__.py").write_text("raise ImportError('the user has rules too')\n")
        (user / "agent.py").write_text(AGENT)
        (user / "promptlint.toml").write_text(CONFIG)
        promptlint = folder / "venv/bin/promptlint"
        listed = run(promptlint, "rule", folder=user)
        rules = sorted(path.stem.replace("_", "-") for path in (ROOT / "rules").glob("*.py"))
        assert [line.split()[0] for line in listed.splitlines()] == rules, listed
        found = run(promptlint, "check", "--output-format", "json", folder=user, expected=1)
        (finding,) = json.loads(found)["findings"]
        assert finding["rule"] == "sub-day-clock", finding
        assert (finding["path"], finding["line"]) == ("agent.py", 4), finding
        report = run(promptlint, "report", folder=user)
        assert "timestamp" in report, report
        where = "import promptlint.rules, sys; print(*promptlint.rules.__path__)"
        paths = run(folder / "venv/bin/python", "-c", where, folder=user).split()
        assert all(path.startswith(str(folder)) for path in paths), paths
    print("the wheel works in a clean environment")


if __name__ == "__main__":
    main()
