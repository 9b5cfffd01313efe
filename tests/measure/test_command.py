"""A command as a prompt's builder: recorded in worlds, it gets the report of a Python builder."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from promptlint.captures.recorder.faketime import find_faketime
from tests.project import Project

AGENT = Path(__file__).with_name("command_agent.py")
# A shell script has no hash seed, and knows nothing of promptlint.
SHELL = """#!/bin/sh
printf '{"messages": [{"role": "system", "content": "Folder: %s. Be kind."},' "$PWD" > body
printf '{"role": "user", "content": "hi"}]}' >> body
exec PYTHON -c '
import os, urllib.request
url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
urllib.request.urlopen(url, open("body", "rb").read()).read()'
"""


def _project(project: Project, *options: str, config: str = "", resumes: bool = True) -> Project:
    words = [sys.executable, str(AGENT), "Which tests are there?", *options]
    resume = 'resume = ["--again"]\n' if resumes else ""
    project.write(
        "promptlint.toml",
        f'[[prompt]]\nname = "agent"\ncommand = {json.dumps(words)}\n{resume}{config}\n',
    )
    return project


def _moves(report: Any) -> dict[str, set[tuple[str, str]]]:
    moves: dict[str, set[tuple[str, str]]] = {}
    for span in report["spans"]:
        for move in span["moves_on"]:
            moves.setdefault(span["source"], set()).add((move["axis"], move["scope"]))
    return moves


def _why_not(report: Any) -> dict[str, str]:
    return {a["axis"]: a["why"] for a in report["axes"] if a["state"] == "not exercised"}


def test_a_still_prompt_gives_nothing_and_says_what_was_not_tried(project: Project) -> None:
    code, report = _project(project).json("report")
    assert code == 0
    assert _moves(report) == {}
    whys = _why_not(report)
    for axis in ("repeat", "step", "listing-order", "tool-order", "edit-workspace"):
        assert whys[axis], axis
    assert "no scripted reply calls a tool" in whys["step"]
    exercised = {a["axis"] for a in report["axes"] if a["state"] == "exercised"}
    assert {"turn", "new-session", "hash-seed", "user", "machine"} <= exercised
    assert ("day" in exercised) == (find_faketime() is not None)


def test_a_clock_is_told_by_its_text_whether_it_can_be_changed_or_not(project: Project) -> None:
    code, result = _project(project, "--clock").json("check")
    (finding,) = [f for f in result["findings"] if f["severity"] == "error"]
    assert code == 1
    assert (finding["rule"], finding["axis"]) == ("sub-day-clock", "second")
    assert finding["span"]["source"] == "timestamp"
    assert finding["history_lost"]
    assert (finding["path"], finding["confidence"]) == ("promptlint.toml", "high")


def test_a_session_id_moves_between_sessions_and_nothing_else(project: Project) -> None:
    _, report = _project(project, "--id").json("report")
    assert _moves(report) == {"identity": {("new-session", "between")}}
    _, result = project.json("check")
    assert [f["rule"] for f in result["findings"]] == ["per-request-id"]


def test_ids_are_subtracted_from_what_an_edit_moves(project: Project) -> None:
    project.write("work/AGENTS.md", "Prices are integers in cents, never floats.\n")
    config = 'workspace = "work"'
    _, report = _project(project, "--id", "--project", "--folder", config=config).json("report")
    moves = _moves(report)
    assert moves["identity"] == {("new-session", "between")}
    assert moves["project"] == {("edit-project", "between")}
    assert moves["environment"] == {("machine", "across")}


def test_memory_that_is_read_again_in_each_turn(project: Project) -> None:
    project.write("home/MEMORY.md", "- the owner likes small commits\n")
    code, result = _project(project, "--memory", config='home = "home"').json("check")
    (finding,) = result["findings"]
    assert (code, finding["rule"]) == (1, "live-memory-file")
    assert finding["span"]["source"] == "memory"
    assert (finding["axis"], finding["scope"]) == ("mid-session-edit", "within")


def test_a_counter_moves_with_the_turn(project: Project) -> None:
    _, report = _project(project, "--count").json("report")
    (moves,) = _moves(report).values()
    assert moves == {("turn", "within")}


def test_scripted_tool_calls_are_steps(project: Project) -> None:
    project.write("replies.jsonl", '{"tool_calls": [{"name": "read", "arguments": {}}]}\n')
    config = 'replies = "replies.jsonl"'
    _, report = _project(project, "--count", config=config).json("report")
    (moves,) = _moves(report).values()
    assert ("step", "within") in moves
    assert "step" not in _why_not(report)


def test_the_order_of_a_set_moves_with_the_hash_seed(project: Project) -> None:
    _, report = _project(project, "--set").json("report")
    (moves,) = _moves(report).values()
    assert moves == {("hash-seed", "between")}


def test_a_command_that_cannot_go_on_is_judged_between_sessions(project: Project) -> None:
    _, report = _project(project, "--id", resumes=False).json("report")
    assert _moves(report) == {"identity": {("new-session", "between")}}
    whys = _why_not(report)
    assert "is not known to resume a session" in whys["turn"]
    assert "is not known to resume a session" in whys["mid-session-edit"]


def test_a_shell_script_beside_the_config(project: Project) -> None:
    script = project.write("bin/agent", SHELL.replace("PYTHON", sys.executable))
    script.chmod(0o755)
    project.write("work/README.md", "Nothing.\n")
    project.write(
        "promptlint.toml",
        '[[prompt]]\nname = "agent"\ncommand = ["bin/agent"]\nworkspace = "work"\n',
    )
    _, report = project.json("report")
    assert "axis of Python programs" in _why_not(report)["hash-seed"]
    assert {axis for moves in _moves(report).values() for axis in moves} == {("machine", "across")}


@pytest.mark.parametrize(
    ("command", "config", "cause"),
    [
        (["./nowhere"], "", "sent the recorder no request (status 127)"),
        ([sys.executable, "-c", "pass"], "", "sent the recorder no request (status 0)"),
        (
            [sys.executable, "-c", "import time; time.sleep(60)"],
            "timeout = 0.5",
            "was still running after 0.5 s",
        ),
        ([sys.executable, "-c", "pass"], 'replies = "no.jsonl"', "no.jsonl: No such file"),
    ],
)
def test_what_cannot_be_recorded_is_one_line_and_exit_2(
    project: Project, command: list[str], config: str, cause: str
) -> None:
    project.write(
        "promptlint.toml",
        f'[[prompt]]\nname = "agent"\ncommand = {json.dumps(command)}\n{config}\n',
    )
    code, _, err = project.run("check")
    (line,) = err.splitlines()
    assert code == 2
    assert line.startswith("promptlint: agent: ")
    assert cause in line


def test_verbose_shows_what_the_command_printed(project: Project) -> None:
    command = json.dumps([sys.executable, "-c", "print('key', 6 * 7)"])
    project.write("promptlint.toml", f'[[prompt]]\nname = "agent"\ncommand = {command}\n')
    assert "key 42" in project.run("check", "--verbose")[2]


def test_options_for_builders_are_refused(project: Project) -> None:
    code, _, err = _project(project).run("report", "--tools", "tools.json")
    assert code == 2
    assert "--tools says nothing about a command" in err
