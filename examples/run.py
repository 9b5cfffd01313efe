"""Run examples and hold what promptlint says against what their `expectations.py` expects.

    python examples/run.py                 all of them
    python examples/run.py hermes          one
    python examples/run.py hermes --show   one, and print the reports and the check

Each example runs in a temporary copy, with its packages in `examples/NAME/.venv`.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from fetch_models import FetchError, fetch
from outcome import REPOSITORY, Example, ExampleError

EXAMPLES = REPOSITORY / "examples"
GIT = ("git", "-c", "user.name=example", "-c", "user.email=example@example.org")


def main() -> int:
    """Run the named examples, or all. Returns 1 if one failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="folders below examples/")
    parser.add_argument("--show", action="store_true", help="print what promptlint prints")
    options = parser.parse_args()
    known = sorted(path.parent.name for path in EXAMPLES.glob("*/expectations.py"))
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no example is called {unknown[0]}: there are {', '.join(known)}")
    fetch()
    failed = [name for name in options.names or known if not run(name, show=options.show)]
    return 1 if failed else 0


def run(name: str, *, show: bool) -> bool:
    """Run one example and say how it ended."""
    started = time.monotonic()
    try:
        expectations = _expectations(EXAMPLES / name)
        _virtual_environment(EXAMPLES / name, getattr(expectations, "PYTHON", "3.11"))
        with _copy(name) as folder:
            if show:
                _show(folder)
            expectations.expect(Example(folder))
    except ExampleError as error:
        print(f"{name}: FAILED: {error}", flush=True)
        return False
    except AssertionError as error:
        print(f"{name}: FAILED: expected that {_expected(error)}", flush=True)
        return False
    print(f"{name}: as expected ({time.monotonic() - started:.0f} s)", flush=True)
    return True


def _expected(error: AssertionError) -> str:
    """What was expected: the assertion's own words, else its line."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return str(error) or f"{Path(place.filename).name}:{place.lineno}: {place.line}"


def _expectations(folder: Path) -> ModuleType:
    path = folder / "expectations.py"
    spec = importlib.util.spec_from_file_location(f"expectations_{folder.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _virtual_environment(folder: Path, least: str) -> None:
    """Make `.venv` from the example's requirements.txt, anew where these have changed."""
    requirements = folder / "requirements.txt"
    if not requirements.exists():
        return
    installed = folder / ".venv" / "installed.txt"
    if installed.exists() and installed.read_text() == requirements.read_text():
        return
    python = _interpreter(least)
    _run([python, "-m", "venv", "--clear", folder / ".venv"], "python -m venv")
    install = ("-m", "pip", "install", "--quiet", "-r", requirements)
    _run([folder / ".venv/bin/python", *install], f"pip install for {folder.name}")
    installed.write_text(requirements.read_text())


def _interpreter(least: str) -> str:
    """The interpreter that runs this, or a newer one where the example needs it."""
    wanted = tuple(map(int, least.split(".")))
    for name in (sys.executable, f"python{least}", *(f"python3.{n}" for n in range(12, 16))):
        path = shutil.which(name)
        if path is not None and _version(path) >= wanted:
            return path
    raise ExampleError(f"needs Python {least} or newer, and none was found on PATH")


def _version(python: str) -> tuple[int, ...]:
    program = "import sys; print(*sys.version_info[:2])"
    ran = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
    return tuple(map(int, ran.stdout.split())) if ran.returncode == 0 else ()


@contextmanager
def _copy(name: str) -> Iterator[Path]:
    """The example in a temporary folder of the repository's shape; its workspace is under git."""
    with tempfile.TemporaryDirectory(prefix="promptlint-example-") as root:
        folder = Path(root, "examples", name)
        shutil.copytree(
            EXAMPLES / name, folder, ignore=shutil.ignore_patterns(".venv", "__pycache__")
        )
        Path(root, ".models").symlink_to(REPOSITORY / ".models")
        if (EXAMPLES / name / ".venv").exists():
            (folder / ".venv").symlink_to(EXAMPLES / name / ".venv")
        if (folder / "workspace").exists():
            _commit(folder / "workspace")
        yield folder


def _commit(folder: Path) -> None:
    for arguments in (("init", "--quiet", "-b", "main"), ("add", "."), ("commit", "-qm", "Start")):
        _run([*GIT, "-C", folder, *arguments], f"git {arguments[0]}")


def _run(command: Sequence[str | Path], what: str) -> None:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        said = (ran.stderr or ran.stdout).strip().splitlines() or ["nothing was said"]
        raise ExampleError(f"{what} failed: {said[-1]}")


def _show(folder: Path) -> None:
    prompts = tomllib.loads((folder / "promptlint.toml").read_text())["prompt"]
    for arguments in (*(("report", prompt["name"]) for prompt in prompts), ("check",)):
        print(f"$ promptlint {' '.join(arguments)}", flush=True)
        subprocess.run(
            [sys.executable, "-m", "promptlint", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            check=False,
        )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except FetchError as error:
        sys.exit(f"fetch_models: {error}")
