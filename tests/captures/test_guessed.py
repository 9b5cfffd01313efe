"""What may move although captures do not show it is information of low confidence."""

import json
from typing import Any

from tests.project import Project

RULES = "Prices are integers in cents, never floats. " * 60
HEAD = "Working directory: /srv/shop\nToday's date: Mon Nov 30 2026\n"


def _findings(project: Project, *systems: str) -> list[tuple[str, str, str]]:
    """The findings of one session with these system texts, a turn each."""
    lines: list[str] = []
    messages: list[dict[str, str]] = []
    for system in systems:
        messages.append({"role": "user", "content": f"question {len(lines)}"})
        sent: list[Any] = [{"role": "system", "content": system}, *messages]
        lines.append(json.dumps({"messages": sent}))
        messages.append({"role": "assistant", "content": "ok"})
    project.write("session.jsonl", "\n".join(lines) + "\n")
    _, result = project.json("check", "session.jsonl")
    return [(f["axis"], f["severity"], f["confidence"]) for f in result["findings"]]


def test_a_date_and_a_directory_that_stayed_the_same_are_guessed(project: Project) -> None:
    guessed = [("day", "info", "low"), ("machine", "info", "low")]
    assert sorted(_findings(project, HEAD + RULES)) == guessed
    assert sorted(_findings(project, HEAD + RULES, HEAD + RULES)) == guessed


def test_little_behind_them_is_no_finding(project: Project) -> None:
    assert _findings(project, RULES + HEAD, RULES + HEAD) == []


def test_where_something_moved_nothing_is_guessed(project: Project) -> None:
    texts = [f"Now: 12:1{minute}\n{HEAD}{RULES}" for minute in (0, 1)]
    assert _findings(project, *texts) == [("minute", "error", "high")]
