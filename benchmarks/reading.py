"""How quick reading source is, as ratios from one run of whole processes.

    python -m benchmarks.reading [PACKAGE]

What a hook meets: a file without a prompt against the least that Python can do, long files
against the nearest other tool, and a large package that is read for the first time and again.
PACKAGE is one of `real_code.toml`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path

from benchmarks.real_code import CACHE, fetch, load

ROUNDS = 7
PEER = "pcdlint==0.3.0"
PLAIN = "def add(one: int, other: int) -> int:\n    return one + other\n" * 40
LONG_FILES = (
    ("agno", "agno/vectordb/opensearch/opensearch.py"),
    ("pydantic-ai-slim", "pydantic_ai/mcp.py"),
    ("hermes-agent", "hermes_cli/plugins.py"),
)
"""Files of about 2,500 lines that speak of prompts. Each is read by itself."""

BUILDER = '''
GUIDE_{n} = """
You are helper number {n}. Read what is given before you answer, and answer in few words.
{rules}
"""


def notes_{n}(folder: Path) -> str:
    return (folder / "notes_{n}.txt").read_text(encoding="utf-8")


def build_system_prompt_{n}(folder: Path, tools: list[str], role: str = "helper") -> str:
    parts = [GUIDE_{n}, f"Your role is {{role}}."]
    for tool in sorted(tools):
        parts.append(f"- {{tool}}")
    if role == "planner":
        parts.append(notes_{n}(folder))
    parts.append(f"Today is {{datetime.now():%Y-%m-%d}}.")
    return "\\n".join(parts)
'''
BUILDERS = 84
"""How many builders, each with two findings, fill a file of about 2,500 lines."""


def main(package: str) -> None:
    judged = load([package, *(name for name, _ in LONG_FILES)])
    fetch(judged.versions)
    with tempfile.TemporaryDirectory() as folder:
        title = f"whole processes, least of {ROUNDS}"
        print(f"{title:<60} {'here':>7} {'there':>7} {'ratio':>6}")
        plain = Path(folder, "plain.py")
        plain.write_text(PLAIN, "utf-8")
        least = [sys.executable, "-c", "import ast"]
        row("no prompt, against `import ast`", read(plain), least, plain.parent)
        for name, path in LONG_FILES:
            long = Path(folder, Path(path).name)
            shutil.copy(CACHE / f"{name}-{judged.versions[name]}" / path, long)
            lines = long.read_text("utf-8").count("\n")
            row(f"{lines:,} lines of {name}, against {PEER}", read(long), peer(long), long.parent)
        many = Path(folder, "builders.py")
        many.write_text(builders(), "utf-8")
        row(
            f"{BUILDERS} builders with findings, against {PEER}",
            read(many),
            peer(many),
            many.parent,
        )
    print(f"\n{'package':<20} {'files':>6} {'first':>7} {'again':>7}")
    print_package(package, CACHE / f"{package}-{judged.versions[package]}")


def print_package(name: str, tree: Path) -> None:
    files = sum(1 for _ in tree.rglob("*.py"))
    with tempfile.TemporaryDirectory() as kept:
        command = [*promptlint(), "check", "--static", ".", "--cache-dir", kept, "--exit-zero"]
        first = seconds(command, tree)
        again = min(seconds(command, tree) for _ in range(3))
    print(f"{name:<20} {files:>6,} {first:>6.1f}s {again:>6.2f}s")


def builders() -> str:
    """Source with much to report."""
    rules = "\n".join(f"Rule {at}: keep to what was asked for." for at in range(12))
    imports = "from datetime import datetime\nfrom pathlib import Path\n"
    return imports + "".join(BUILDER.format(n=n, rules=rules) for n in range(BUILDERS))


def promptlint() -> list[str]:
    return [sys.executable, "-m", "promptlint"]


def read(file: Path) -> list[str]:
    return [*promptlint(), "check", str(file), "--static"]


def peer(file: Path) -> list[str]:
    """The other tool, in an environment of its own."""
    environment = CACHE.parent / PEER.replace("==", "-")
    if not (environment / "bin" / "pcdlint").exists():
        venv.create(environment, with_pip=True)
        pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "-qq", PEER]
        subprocess.run(pip, check=True, capture_output=True)
    return [str(environment / "bin" / "pcdlint"), str(file)]


def row(what: str, here: Sequence[str], there: Sequence[str], folder: Path) -> None:
    """The least of some rounds in which the two take turns, in a folder without configuration."""
    pairs = [(seconds(here, folder), seconds(there, folder)) for _ in range(ROUNDS)]
    ours, theirs = (min(column) for column in zip(*pairs, strict=True))
    print(f"{what:<60} {ours:>6.2f}s {theirs:>6.2f}s {ours / theirs:>6.2f}", flush=True)


def seconds(command: Sequence[str], folder: Path) -> float:
    root = Path(__file__).resolve().parent.parent
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as nothing_kept:
        own = {"PYTHONPATH": str(root), "PROMPTLINT_CACHE_DIR": nothing_kept}
        start = time.perf_counter()
        subprocess.run(
            command, cwd=folder, env={**inherited, **own}, capture_output=True, check=False
        )
        return time.perf_counter() - start


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "fast-agent-mcp")
