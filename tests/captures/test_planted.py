"""Every planted fault is named at its request, and nothing else is: no clean session is flagged."""

import json
from pathlib import Path

import pytest

from promptlint import registry
from promptlint.cache.defaults import default_cache
from promptlint.captures.read import read_captures
from promptlint.captures.turns import read_turns
from promptlint.check.captures import check_captures
from promptlint.config import load_config
from promptlint.finding import Finding
from promptlint.models.find import find_model
from tests.captures.planted import Session, clean, faulty

FAULTY = list(faulty())
CLEAN = list(clean())


def written(session: Session, folder: Path) -> Path:
    file = folder / "session.jsonl"
    file.write_text("\n".join(json.dumps(body) for body in session.bodies), "utf-8")
    return file


def findings(session: Session, folder: Path) -> tuple[Finding, ...]:
    file = written(session, folder)
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


@pytest.mark.parametrize("session", FAULTY, ids=lambda session: session.name)
def test_the_cause_of_a_planted_break_is_named(session: Session, tmp_path: Path) -> None:
    captured = read_captures([written(session, tmp_path)]).requests
    model = find_model(default_cache(captured)[1], base=tmp_path)
    turns = [rendered.turn for rendered in read_turns(captured, model)]
    causes = {t.index: t.divergence.cause for t in turns if t.divergence is not None}
    if session.cause is None:
        assert causes == {}
    else:
        assert min(causes) == session.lines[0]
        assert {causes.get(line) for line in session.lines} == {session.cause}


@pytest.mark.parametrize("session", CLEAN, ids=lambda session: session.name)
def test_a_clean_session_is_not_flagged(session: Session, tmp_path: Path) -> None:
    assert places(findings(session, tmp_path)) == []


def test_the_set_is_large_enough() -> None:
    assert len(FAULTY) >= 40
    assert len(CLEAN) >= 30
