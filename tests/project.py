"""A scratch project on which the real command is run."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from promptlint.cli import main


class Project:
    """A scratch project with a configuration; what is linted must stay as it is."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Run the command; returns the exit code and what it printed."""
        before = tree(self.folder)
        code = main(arguments)
        assert tree(self.folder) == before, "the linted tree was changed"
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err

    def fix(self, *arguments: str) -> int:
        """Run a command that may write; returns the exit code."""
        code = main(arguments)
        self._capsys.readouterr()
        return code

    def json(self, *arguments: str) -> tuple[int, Any]:
        """Run the command with JSON output."""
        code, out, err = self.run(*arguments, "--output-format", "json")
        assert out, err
        return code, json.loads(out)


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder with its content's hash."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


MakeProject: TypeAlias = Callable[..., Project]
