import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.check.outcome import Problem
from promptlint.finding import Finding, Severity
from promptlint.layout import Confidence
from promptlint.location import Location
from promptlint.output.github import finding_command, problem_command
from promptlint.output.json_text import json_text
from promptlint.output.plain import excerpt, one_line
from promptlint.secrets import masked


@given(st.text())
def test_one_line_drives_no_terminal(text: str) -> None:
    shown = one_line(text)
    assert all(character.isprintable() or character == "\u00a0" for character in shown)
    assert "\n" not in shown


@given(st.text(alphabet=": #[a\n\t", max_size=20))
def test_one_line_commands_no_log(text: str) -> None:
    """`::name::` behind white space and `##[name]` anywhere are commands to GitHub's runner."""
    shown = one_line(text)
    assert not shown.lstrip().startswith("::")
    assert "##[" not in shown


def test_names_with_colons_stay() -> None:
    assert one_line("std::vector a::b # [x] #[y]") == "std::vector a::b # [x] #[y]"


def test_json_hides_nothing() -> None:
    text = json_text({"path": "a\u202egnp.py", "bad": "\udcff", "é": "日本"})
    assert json.loads(text) == {"path": "a\u202egnp.py", "bad": "\udcff", "é": "日本"}
    assert "\u202e" not in text
    assert "日本" in text
    assert text.encode("utf-8")


@given(st.text(max_size=200), st.integers(2, 40))
def test_an_excerpt_keeps_its_width(text: str, width: int) -> None:
    assert len(excerpt(text, width)) <= width


@given(st.text(), st.text(), st.text())
def test_a_finding_is_one_workflow_command_and_no_more(
    path: str, message: str, advice: str
) -> None:
    finding = Finding(
        "sub-day-clock",
        Severity.ERROR,
        Confidence.HIGH,
        message,
        advice,
        location=Location(path, 3, 1),
    )
    command = finding_command(finding)
    assert len(command.splitlines()) == 1
    assert command.startswith("::error file=")
    head = command[2:].split("::", 1)[0]
    names = [part.split("=", 1)[0] for part in head.removeprefix("error ").split(",")]
    assert names == ["file", "line", "col", "title"]


def test_a_problem_cannot_start_a_second_command() -> None:
    command = problem_command(
        Problem("bad\n::set-output name=x::y", location=Location("a,b\n.py", 3))
    )
    assert len(command.splitlines()) == 1


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-abcdefghijklmnop",
        "sk-proj-abcdefghijklmnop",
        "ghp_abcdefghijklmnopqrst",
        "hf_abcdefghijklmnop",
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.abc-def",
    ],
)
def test_what_looks_like_a_key_is_masked(secret: str) -> None:
    assert secret not in masked(f"key: {secret}!")
    assert masked(f"key: {secret}!").endswith("…!")


def test_ordinary_words_are_not_masked() -> None:
    text = "the task-force asked for sketches of the skyline"
    assert masked(text) == text
