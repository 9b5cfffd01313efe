"""The real command on a folder, for tests that share one run; the folder must stay as it is."""

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from promptlint.cli import main
from tests.project import tree


def linted(folder: Path, command: str) -> Any:
    """What a command prints as JSON, with the configuration that stands in `folder`."""
    before = tree(folder)
    printed = StringIO()
    with redirect_stdout(printed):
        main([command, "--config", str(folder / "promptlint.toml"), "--output-format", "json"])
    assert tree(folder) == before, "the linted tree was changed"
    return json.loads(printed.getvalue())
