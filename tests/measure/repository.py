"""A folder made into a git repository with one commit."""

import os
import subprocess
from pathlib import Path

_AUTHOR = ("-c", "user.name=Robin", "-c", "user.email=robin@example.org")


def commit(folder: Path) -> None:
    """Commit everything that stands in the folder. The user's own git settings are not read."""
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for command in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "First")):
        subprocess.run(
            ["git", *_AUTHOR, *command], cwd=folder, env={**os.environ, **quiet}, check=True
        )
