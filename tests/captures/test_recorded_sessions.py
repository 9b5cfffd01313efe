"""The scripted sessions that real engines were measured with, read as captures."""

import gzip
import json
from pathlib import Path
from typing import Any

from promptlint.captures.causes import Cause
from promptlint.captures.conversations import conversations
from promptlint.captures.read import CapturedRequest, read_captures
from promptlint.captures.turns import read_turns
from promptlint.layout import Part
from promptlint.models.embedded import embedded_model

DATA = Path(__file__).parent.parent / "data" / "engines" / "requests.json.gz"


def recorded(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(gzip.decompress(DATA.read_bytes()))[name]
    return rows


def captures(name: str, folder: Path) -> tuple[CapturedRequest, ...]:
    file = folder / f"{name}.jsonl.gz"
    lines = "\n".join(json.dumps(row["body"]) for row in recorded(name))
    file.write_bytes(gzip.compress(lines.encode()))
    found = read_captures([file])
    assert not found.problems
    return found.requests


def test_the_sessions_are_told_apart(tmp_path: Path) -> None:
    found = conversations(captures("main", tmp_path))
    expected: dict[str, list[int]] = {}
    for row in recorded("main"):
        expected.setdefault(row["session"], []).append(row["i"])
    lines = [[turn.place.line for turn in c.turns] for c in found.conversations]
    assert lines == list(expected.values())
    assert not found.auxiliary


def test_every_break_is_found_with_its_cause_and_nothing_else_is(tmp_path: Path) -> None:
    turns = [t.turn for t in read_turns(captures("main", tmp_path), embedded_model())]
    breaks = {
        turn.index: (turn.divergence.cause, turn.divergence.part, turn.divergence.source)
        for turn in turns
        if turn.divergence
    }
    assert breaks == {
        9: (Cause.CONTENT_CHANGED, Part.SYSTEM, "memory"),
        11: (Cause.REORDERED, Part.TOOLS, "tools"),
        13: (Cause.CONTENT_CHANGED, Part.SYSTEM, "timestamp"),
        22: (Cause.CONTENT_CHANGED, Part.SYSTEM, "timestamp"),
    }
    steps = [row["step"].split(":")[0] for row in recorded("main")]
    assert [steps[index - 1] for index in breaks] == [
        "MEMORY REFRESH",
        "TOOL REORDER",
        "DATE CHANGE",
        "MINUTE STAMP at the head, 10",
    ]


def test_twelve_sessions_in_turn_are_twelve_conversations(tmp_path: Path) -> None:
    turns = [t.turn for t in read_turns(captures("rotation", tmp_path), embedded_model())]
    assert len({turn.conversation for turn in turns}) == 12
    assert not any(turn.divergence for turn in turns)
