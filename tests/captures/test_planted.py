"""Every planted fault is named at its request, and nothing else is: no clean session is flagged."""

import json
from pathlib import Path

import pytest

from promptlint import registry
from promptlint.check.captures import check_captures
from promptlint.config import load_config
from promptlint.finding import Finding
from tests.captures.planted import Session, clean, faulty

FAULTY = list(faulty())
CLEAN = list(clean())


def findings(session: Session, folder: Path) -> tuple[Finding, ...]:
    file = folder / "session.jsonl"
    file.write_text("\n".join(json.dumps(body) for body in session.bodies), "utf-8")
    outcome = check_captures([file], load_config(None, folder), registry.rules())
    assert not outcome.problems
    return outcome.findings


def places(found: tuple[Finding, ...]) -> list[tuple[str, int | None]]:
    return [(f.rule, f.location.line if f.location else None) for f in found]


@pytest.mark.parametrize("session", FAULTY, ids=lambda session: session.name)
def test_a_planted_fault_is_named_at_its_request(session: Session, tmp_path: Path) -> None:
    found = places(findings(session, tmp_path))
    assert {line for rule, line in found if rule == session.rule} == set(session.lines)
    assert {line for _, line in found} == set(session.lines), "a wrong request is flagged"


@pytest.mark.parametrize("session", CLEAN, ids=lambda session: session.name)
def test_a_clean_session_is_not_flagged(session: Session, tmp_path: Path) -> None:
    assert places(findings(session, tmp_path)) == []


def test_the_set_is_large_enough() -> None:
    assert len(FAULTY) >= 40
    assert len(CLEAN) >= 30
