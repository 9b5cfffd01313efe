"""The engine's own environment and its tiny model, made once below `.cache/engines`."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "engines"
PYTHON = FOLDER / "venv" / "bin" / "python"
MODEL = FOLDER / "tiny-qwen3.gguf"
PACKAGES = ("xllamacpp==2026.10.11549", "gguf==0.19.0")
HERE = Path(__file__).resolve().parent


def prepare(tokenizer: Path) -> None:
    """Install the server's wheel and write the model, where they are missing."""
    ready = FOLDER / "ready"
    if ready.is_file() and ready.read_text() == repr(PACKAGES):
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", PYTHON.parents[1]], check=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    subprocess.run([PYTHON, HERE / "tiny_model.py", tokenizer, MODEL], check=True)
    ready.write_text(repr(PACKAGES))
