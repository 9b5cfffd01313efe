"""What agents send, named from the text alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.bodies import request_from_body
from promptlint.request import Request
from promptlint.sections.find import Knowledge, find_sections
from tests.captures.recorder.bodies import chat_turn, claude_code, codex, codex_turn, opencode, pi

HI = chat_turn("user", "hi")


def named(text: str) -> list[tuple[str, str, str]]:
    """The sections that have a name: source, label, and the text without its ends' blanks."""
    return [
        (str(mark.source), mark.label, text[mark.start : mark.end].strip())
        for mark in find_sections(text, Knowledge())
        if mark.source != "unknown"
    ]


def texts(request: Request) -> list[str]:
    return [request.system_text, *(message.text for message in request.messages)]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (
            request_from_body(codex(codex_turn("user", "hi"))),
            ["skills", "AGENTS.md", "environment", "timestamp", "environment"],
        ),
        (
            request_from_body(opencode(HI)),
            ["environment", "timestamp", "environment", "AGENTS.md", "skills"],
        ),
        (
            request_from_body(pi(HI)),
            ["project", "AGENTS.md", "skills", "timestamp", "environment"],
        ),
        (request_from_body(claude_code(HI)), ["environment", "CLAUDE.md", "timestamp"]),
    ],
    ids=["codex", "opencode", "pi", "claude_code"],
)
def test_agents_sections_are_named(request_: Request, expected: list[str]) -> None:
    found = [section for text in texts(request_) for section in named(text)]
    assert [label for _, label, _ in found] == expected
    files = [text for _, label, text in found if label.endswith(".md")]
    assert len(files) == 1
    assert "House rules" in files[0]
    assert "Prices are integers." in files[0]
    assert "Today" not in files[0]


def test_a_files_own_headings_do_not_end_it() -> None:
    file = "Instructions from: /srv/AGENTS.md\n# Rules\nBe kind.\n# Memory\nNone."
    text = f"{file}\n\nDate: 2026-03-05"
    project, timestamp = named(text)
    assert project[1:] == ("AGENTS.md", file)
    assert timestamp == ("timestamp", "timestamp", "Date: 2026-03-05")


def test_one_file_ends_where_the_next_begins() -> None:
    first = "Contents of /a/CLAUDE.md:\nBe kind."
    second = "Contents of /a/AGENTS.md (local):\nBe exact."
    assert [body for _, _, body in named(f"{first}\n{second}")] == [first, second]


@pytest.mark.parametrize(
    "line",
    [
        "Date: as it comes",
        "Working directory: the one that you are in",
        "We read AGENTS.md before we start.",
        "# AGENTS.md spec",
        "Instructions from: the user",
    ],
)
def test_sentences_announce_nothing(line: str) -> None:
    assert all(
        label not in {"AGENTS.md", "timestamp", "environment"} for _, label, _ in named(line)
    )


@given(st.lists(st.sampled_from(pi(HI)["messages"][0]["content"].splitlines()), max_size=12))
def test_sections_tile_any_mixture_of_lines(lines: list[str]) -> None:
    text = "\n".join(lines)
    marks = find_sections(text, Knowledge())
    assert "".join(text[mark.start : mark.end] for mark in marks) == text
