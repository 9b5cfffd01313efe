"""A large tree is read in two processes: what they find together is what one finds."""

import subprocess
import sys
from pathlib import Path

import pytest

BOTH_WAYS = """
import sys
from pathlib import Path
from promptlint.source import evaluation
from promptlint.source.disk import Disk
from promptlint.source.modules import Tree
from promptlint.source.reader import read_mentions
from promptlint.source.scan import scan
from promptlint.config_tables import NO_ROWS

def reading(roots):
    evaluation.MANY_ROOTS = roots
    tree = Tree(Disk(Path(sys.argv[1])), {})
    return read_mentions(tree, scan(tree, [tree.root], NO_ROWS), NO_ROWS), tree.disk.answers()

forked = []
meanwhile = evaluation.meanwhile
evaluation.meanwhile = lambda *work: forked.append(1) or meanwhile(*work)
alone, looks = reading(10_000)
assert not forked
together, other_looks = reading(1)
assert forked and len(alone.layouts) == 3 and len(alone.errors) == 1, (forked, alone)
assert together == alone
assert other_looks == looks
"""
PROMPT = """
from clocks.{name} import now

def build_system_prompt():
    return f"You are a pilot. It is {{now()}}. Keep to the list."
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "clocks").mkdir()
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.py").write_text(PROMPT.format(name=name))
        clock = "import time\n\ndef now():\n    return time.ctime()\n"
        (tmp_path / "clocks" / f"{name}.py").write_text(clock)
    (tmp_path / "broken.py").write_text("system_prompt = (\n")
    return tmp_path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_two_processes_find_what_one_finds(tree: Path) -> None:
    done = run(BOTH_WAYS, str(tree))
    assert done.returncode == 0, done.stderr


FAILING = """
from promptlint.source.forked import meanwhile
assert meanwhile(lambda: 1, lambda: 2) == 1
meanwhile(lambda: 1 / 0, lambda: None)
"""


def test_a_failure_of_the_other_process_is_a_failure() -> None:
    done = run(FAILING)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "RuntimeError: the process that read the other half failed" in done.stderr
