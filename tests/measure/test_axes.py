"""Every axis has a text that moves on it and on no shorter-lived one, and a twin that does not.

All of them are parts of one prompt, so they meet the very same worlds and each must be
told apart from all the others. The axis `model` is reported only and no world changes
it: it is not in the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from promptlint.layout import Axis, Scope
from promptlint.worlds.axes import lifetime_of
from tests.measure.linted import linted
from tests.measure.repository import commit

# The time of day is another one on a machine in another time zone.
_CLOCK = frozenset({"hour", "clock-at-start", "machine"})


@dataclass(frozen=True)
class Pair:
    """A text and its twin: two expressions, behind `setup`.

    `also` and `twin_moves` are the other axes on which the text, and its twin, move.
    """

    axis: str
    scope: str
    text: str
    twin: str
    setup: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    also: frozenset[str] = frozenset()
    twin_moves: frozenset[str] = frozenset()


PAIRS = {
    "repeat": Pair(
        "repeat",
        "within",
        text="f'Request {next(REQUESTS)}.'",
        twin="f'At most {LIMIT} requests.'",
        setup="from itertools import count\nREQUESTS = count()\nLIMIT = next(count(9))",
    ),
    "step": Pair(
        "step",
        "within",
        text="f'{world.step} results so far.'",
        twin="f'At most {max(world.step, 30)} results.'",
    ),
    "turn": Pair(
        "turn",
        "within",
        text="'First turn.' if world.turn == 0 else 'Later turn.'",
        twin="'A turn.' if world.turn >= 0 else 'Later turn.'",
    ),
    "second": Pair(
        "second",
        "within",
        text="f'It is {datetime.now():%H:%M:%S}.'",
        twin="f'It was {datetime(2026, 3, 14, 9, 26, 53):%H:%M:%S}.'",
        setup="from datetime import datetime",
        also=frozenset({"minute", *_CLOCK}),
    ),
    "minute": Pair(
        "minute",
        "within",
        text="time.strftime('It is %H:%M.')",
        twin="time.strftime('It was %H:%M.', time.gmtime(0))",
        setup="import time",
        also=_CLOCK,
    ),
    "hour": Pair(
        "hour",
        "within",
        text="'Good noon.' if datetime.now().hour == 12 else 'Good day.'",
        twin="'Good noon.' if datetime.now().hour < 24 else 'Good day.'",
        setup="from datetime import datetime",
        also=_CLOCK - {"hour"},
    ),
    "day, within": Pair(
        "day",
        "within",
        text="f'Today is {date.today()}.'",
        twin="f'The session began on {STARTED}.'",
        setup="from datetime import date\nSTARTED = date.today()",
        twin_moves=frozenset({"day"}),
    ),
    "day, between": Pair(
        "day",
        "between",
        text="f'The session began on {STARTED}.'",
        twin="f'The session began in the century of {STARTED.year // 100}.'",
        setup="from datetime import date\nSTARTED = date.today()",
    ),
    "mid-session-edit": Pair(
        "mid-session-edit",
        "within",
        text="MEMORY.read_text()",
        twin="SNAPSHOT",
        setup="from pathlib import Path\nMEMORY = Path.home() / 'MEMORY.md'\n"
        "SNAPSHOT = MEMORY.read_text()",
        files={"home/MEMORY.md": "- small commits\n"},
        also=frozenset({"edit-memory"}),
        twin_moves=frozenset({"edit-memory"}),
    ),
    "clock-at-start": Pair(
        "clock-at-start",
        "between",
        text="f'The session began at {STARTED:%H:%M}.'",
        twin="f'The session began in {STARTED.year // 100}.'",
        setup="from datetime import datetime\nSTARTED = datetime.now()",
        also=frozenset({"machine"}),
    ),
    "hash-seed": Pair(
        "hash-seed",
        "between",
        text="', '.join(NAMES)",
        twin="', '.join(sorted(NAMES))",
        setup="NAMES = {'json', 're'} | {'math'}",
    ),
    "new-session": Pair(
        "new-session",
        "between",
        text="f'Write to {FOLDER}.'",
        twin="f'Write to {FOLDER.parent}.'",
        setup="import tempfile\nfrom pathlib import Path\nFOLDER = Path(tempfile.mkdtemp())",
    ),
    "listing-order": Pair(
        "listing-order",
        "across",
        text="' '.join(os.listdir('docs'))",
        twin="' '.join(sorted(os.listdir('docs')))",
        setup="import os",
        files={"work/docs/a.md": "A", "work/docs/b.md": "B"},
    ),
    "tool-order": Pair(
        "tool-order",
        "across",
        text="' '.join(tool['name'] for tool in world.tools)",
        twin="' '.join(sorted(tool['name'] for tool in world.tools))",
    ),
    "edit-memory": Pair(
        "edit-memory",
        "between",
        text="MEMORY",
        twin="f'Memory: {bool(MEMORY)}'",
        setup="from pathlib import Path\nMEMORY = (Path.home() / 'MEMORY.md').read_text()",
        files={"home/MEMORY.md": "- small commits\n"},
    ),
    "edit-skills": Pair(
        "edit-skills",
        "between",
        text="' '.join(SKILLS)",
        twin="f'Skills: {bool(SKILLS)}'",
        setup="from pathlib import Path\n"
        "SKILLS = [path.read_text() for path in sorted(Path('skills').rglob('SKILL.md'))]",
        files={"work/skills/pdf/SKILL.md": "Reads a PDF.\n"},
    ),
    "edit-project": Pair(
        "edit-project",
        "between",
        text="Path('AGENTS.md').read_text()",
        twin="f'Rules: {Path(\"AGENTS.md\").exists()}'",
        setup="from pathlib import Path",
        files={"work/AGENTS.md": "Prices are integers.\n"},
    ),
    "edit-workspace, files": Pair(
        "edit-workspace",
        "between",
        text="' '.join(path.name for path in FOUND)",
        twin="' '.join(path.name for path in FOUND if path.is_dir())",
        setup="from pathlib import Path\nFOUND = sorted(Path('.').iterdir())",
        files={"work/src/main.py": ""},
    ),
    "edit-workspace, git": Pair(
        "edit-workspace",
        "between",
        text="NEWEST",
        twin="OLDEST",
        setup="import subprocess\n"
        "def git(*command):\n"
        "    return subprocess.check_output(['git', *command], text=True)\n"
        "NEWEST = git('log', '-1', '--format=%h %s')\n"
        "OLDEST = git('rev-list', '--max-parents=0', 'HEAD')",
        files={"work/main.py": "print()\n"},
    ),
    "user": Pair(
        "user",
        "across",
        text="f'You help {getpass.getuser()}.'",
        twin="f'You help somebody: {bool(getpass.getuser())}.'",
        setup="import getpass",
    ),
    "machine": Pair(
        "machine",
        "across",
        text="f'You run on {socket.gethostname()}.'",
        twin="f'You run on {socket.AF_INET.name}.'",
        setup="import socket",
    ),
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The report on one prompt with every text and every twin, each pair in a module of its own."""
    folder = tmp_path_factory.mktemp("project")
    files = {
        "promptlint.toml": _CONFIG,
        "agent.py": _agent(),
        "tools.json": '[{"name": "write"}, {"name": "read"}]',
        "work/README.md": "A project.\n",
        **{f"pair_{index}.py": _module(pair) for index, pair in enumerate(PAIRS.values())},
    }
    for pair in PAIRS.values():
        files.update(pair.files)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    commit(folder / "work")
    return linted(folder, "report")


_CONFIG = """
[[prompt]]
name = "all"
builder = "agent.py:build"
rebuilt = "request"
tools = "tools.json"
workspace = "work"
home = "home"
"""


def _agent() -> str:
    modules = [f"pair_{index}" for index in range(len(PAIRS))]
    parts = [
        f"('{what} of {name}', {module}.{what}(world))"
        for name, module in zip(PAIRS, modules, strict=True)
        for what in ("text", "twin")
    ]
    return f"import {', '.join(modules)}\ndef build(world):\n    return [{', '.join(parts)}]\n"


def _module(pair: Pair) -> str:
    return (
        f"{pair.setup}\n"
        f"def text(world):\n    return {pair.text}\n"
        f"def twin(world):\n    return {pair.twin}\n"
    )


def test_every_axis_but_the_model_is_in_the_table() -> None:
    axes = {pair.axis for pair in PAIRS.values()}
    assert axes == {axis.value for axis in Axis} - {Axis.MODEL.value}


def test_every_axis_was_exercised(report: Any) -> None:
    states = {entry["axis"]: entry["state"] for entry in report["axes"]}
    exercised = {pair.axis: "exercised" for pair in PAIRS.values()}
    assert states == {**exercised, "model": "not exercised"}


@pytest.mark.parametrize("name", PAIRS)
def test_a_text_moves_on_its_axis_and_its_twin_does_not(report: Any, name: str) -> None:
    pair = PAIRS[name]
    text, twin = _moves(report, f"text of {name}"), _moves(report, f"twin of {name}")
    assert (pair.axis, pair.scope) in text
    assert (pair.axis, pair.scope) not in twin
    assert {axis for axis, _ in text} == {pair.axis, *pair.also}
    assert {axis for axis, _ in twin} == pair.twin_moves
    shortest = min(lifetime_of(Axis(axis), Scope(scope)) for axis, scope in text)
    assert shortest == lifetime_of(Axis(pair.axis), Scope(pair.scope))


def _moves(report: Any, section: str) -> set[tuple[str, str]]:
    return {
        (move["axis"], move["scope"])
        for span in report["spans"]
        if span["section"] == section
        for move in span["moves_on"]
    }
