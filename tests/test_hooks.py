"""The hooks, by the real pre-commit on a scratch repository."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BASE = 'BASE = "You are a careful coding agent who reads before writing. " * 60\n'
CLOCK = BASE + (
    "from datetime import datetime\n"
    "def build_system_prompt():\n"
    "    return f'{datetime.now():%H:%M} {BASE}'\n"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one configured prompt, and our hooks beside it."""
    folder = tmp_path / "agent"
    folder.mkdir()
    (folder / "agent.py").write_text(CLOCK)
    (folder / "promptlint.toml").write_text(
        '[[prompt]]\nname = "a"\nbuilder = "agent.py:build_system_prompt"\n'
    )
    _git(folder, "init", "--quiet")
    _git(folder, "add", ".")
    # The hook's definitions alone, committed: pre-commit installs from a git repository.
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    # Hooks of the language `python` would install promptlint anew: `make hooks-check` does that.
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    text = text.replace("language: python", "language: system")
    (hooks / ".pre-commit-hooks.yaml").write_text(text)
    _git(hooks, "init", "--quiet")
    _git(hooks, "add", ".")
    _git(hooks, "commit", "--quiet", "-m", "hooks")
    # A `promptlint` on the path, as an installed agent environment has it.
    commands = tmp_path / "bin"
    commands.mkdir()
    command = commands / "promptlint"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m promptlint "$@"\n')
    command.chmod(0o755)
    return folder


def _git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def _pre_commit(repository: Path, hook: str) -> subprocess.CompletedProcess[str]:
    tmp = repository.parent
    environment = {
        **os.environ,
        "PATH": f"{tmp / 'bin'}:{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp / "cache"),
    }
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(tmp / "hooks"), hook, "--all-files"],
        cwd=repository,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_render_hook_fails_on_a_finding_and_passes_without(repository: Path) -> None:
    failed = _pre_commit(repository, "promptlint-render")
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "warning[sub-day-clock]" in failed.stdout
    assert "agent.py:4:" in failed.stdout
    (repository / "agent.py").write_text(BASE + "def build_system_prompt():\n    return BASE\n")
    _git(repository, "add", ".")
    passed = _pre_commit(repository, "promptlint-render")
    assert passed.returncode == 0, passed.stdout + passed.stderr


def test_the_source_hook_reads_the_files_of_a_commit(repository: Path) -> None:
    failed = _pre_commit(repository, "promptlint")
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "[sub-day-clock]" in failed.stdout
    assert "agent.py:4:" in failed.stdout
    (repository / "agent.py").write_text(BASE + "def build_system_prompt():\n    return BASE\n")
    _git(repository, "add", ".")
    passed = _pre_commit(repository, "promptlint")
    assert passed.returncode == 0, passed.stdout + passed.stderr


def test_the_captures_hook_compares_the_requests_of_a_commit(repository: Path) -> None:
    first = [{"role": "system", "content": "Now: 12:10. " + "Be careful. " * 200}]
    first.append({"role": "user", "content": "hi"})
    second = [*first, {"role": "assistant", "content": "ok"}, {"role": "user", "content": "go on"}]
    moved = [{**first[0], "content": first[0]["content"].replace("12:10", "12:11")}, *second[1:]]
    for messages, code in ((moved, 1), (second, 0)):
        lines = [json.dumps({"messages": sent}) for sent in (first, messages)]
        (repository / "session.jsonl").write_text("\n".join(lines) + "\n")
        _git(repository, "add", ".")
        done = _pre_commit(repository, "promptlint-captures")
        assert done.returncode == code, done.stdout + done.stderr
        assert ("sub-day-clock" in done.stdout) == bool(code)
