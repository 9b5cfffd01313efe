"""Recordings of the shapes that public agents send, from the server to the first divergence."""

import json
from pathlib import Path

import pytest

from promptlint.bodies import BodyFormat
from promptlint.captures.conversations import conversations
from promptlint.captures.read import read_captures
from promptlint.captures.recorder.recording import Recording
from promptlint.captures.recorder.reply import Script
from promptlint.captures.recorder.server import RecorderServer
from promptlint.captures.turns import Turn, read_turns
from promptlint.layout import Part, Source
from promptlint.models.find import find_model
from tests.captures.recorder.bodies import (
    Body,
    chat_turn,
    claude_code,
    codex,
    codex_turn,
    opencode,
    opencode_title,
    pi,
)
from tests.captures.recorder.clients import post

CONVERSATION = [("user", "Which tests are there?"), ("assistant", "ok"), ("user", "go on")]
CHAT = [chat_turn(*turn) for turn in CONVERSATION]
ITEMS = [codex_turn(*turn) for turn in CONVERSATION]
PATHS = {
    BodyFormat.CHAT: "/v1/chat/completions",
    BodyFormat.RESPONSES: "/v1/responses",
    BodyFormat.ANTHROPIC: "/v1/messages?beta=true",
}


def recorded_turns(folder: Path, form: BodyFormat, *bodies: Body) -> list[Turn]:
    """Send bodies to a recorder, and read what it wrote."""
    path = folder / "recording.jsonl"
    with path.open("w") as file, RecorderServer(Recording(file), Script()) as server:
        for body in bodies:
            post(server.port, PATHS[form], json.dumps(body).encode())
    captures = read_captures([path])
    assert captures.problems == ()
    assert all(captured.request.unknown_fields == () for captured in captures.requests)
    model = find_model(None, base=folder)
    return [rendered.turn for rendered in read_turns(captures.requests, model)]


@pytest.mark.parametrize(
    ("form", "first", "second"),
    [
        (BodyFormat.RESPONSES, codex(*ITEMS[:1]), codex(*ITEMS)),
        (BodyFormat.CHAT, opencode(*CHAT[:1]), opencode(*CHAT)),
        (BodyFormat.CHAT, pi(*CHAT[:1]), pi(*CHAT)),
        (BodyFormat.ANTHROPIC, claude_code(*CHAT[:1]), claude_code(*CHAT)),
    ],
)
def test_a_second_turn_only_adds(
    form: BodyFormat, first: Body, second: Body, tmp_path: Path
) -> None:
    turns = recorded_turns(tmp_path, form, first, second)
    assert [turn.divergence for turn in turns] == [None, None]
    assert turns[0].conversation == turns[1].conversation
    assert turns[1].common_prefix > 0.9 * turns[0].tokens


def test_a_title_is_no_turn_and_a_skill_of_two_folders_shows_its_racing_path(
    tmp_path: Path,
) -> None:
    bodies = [opencode_title(), opencode(*CHAT[:1]), opencode(*CHAT, skills=".agents")]
    title, _, second = recorded_turns(tmp_path, BodyFormat.CHAT, *bodies)
    assert title.conversation is None
    assert second.divergence is not None
    assert (second.divergence.part, second.divergence.source) == (Part.SYSTEM, Source.SKILLS)
    assert ".opencode/skill" in second.divergence.before
    assert ".agents/skill" in second.divergence.after


@pytest.mark.parametrize(
    ("form", "first", "second", "source"),
    [
        (BodyFormat.CHAT, pi(*CHAT[:1]), pi(*CHAT, day="2026-03-06"), Source.TIMESTAMP),
        (
            BodyFormat.CHAT,
            opencode(*CHAT[:1]),
            opencode(*CHAT, day="Fri Mar 06 2026"),
            Source.TIMESTAMP,
        ),
        (
            BodyFormat.CHAT,
            opencode(*CHAT[:1]),
            opencode(*CHAT, folder="/srv/letters"),
            Source.ENVIRONMENT,
        ),
    ],
)
def test_what_moves_between_two_turns_is_named(
    form: BodyFormat, first: Body, second: Body, source: Source, tmp_path: Path
) -> None:
    divergence = recorded_turns(tmp_path, form, first, second)[1].divergence
    assert divergence is not None
    assert (divergence.part, divergence.source) == (Part.SYSTEM, source)


@pytest.mark.parametrize(
    ("form", "first", "second"),
    [
        (BodyFormat.RESPONSES, codex(*ITEMS), codex(*ITEMS, *ITEMS[1:], day="2026-03-06")),
        (
            BodyFormat.ANTHROPIC,
            claude_code(*CHAT),
            claude_code(*CHAT, *CHAT[1:], day="2026-03-06"),
        ),
    ],
)
def test_a_date_that_moves_in_a_message_breaks_behind_the_system_prompt(
    form: BodyFormat, first: Body, second: Body, tmp_path: Path
) -> None:
    divergence = recorded_turns(tmp_path, form, first, second)[1].divergence
    assert divergence is not None
    assert divergence.part is Part.MESSAGES
    assert ("2026-03-05" in divergence.before, "2026-03-06" in divergence.after) == (True, True)


def test_marks_of_anthropic_are_kept(tmp_path: Path) -> None:
    (turn,) = recorded_turns(tmp_path, BodyFormat.ANTHROPIC, claude_code(*CHAT[:1]))
    assert [mark.part for mark in turn.marks] == [Part.SYSTEM, Part.SYSTEM, Part.MESSAGES]


def test_sessions_of_two_agents_in_one_file_are_told_apart(tmp_path: Path) -> None:
    bodies = [opencode(*CHAT[:1]), pi(chat_turn("user", "another")), opencode(*CHAT)]
    path = tmp_path / "both.jsonl"
    path.write_text("".join(json.dumps(body) + "\n" for body in bodies))
    found = conversations(read_captures([path]).requests).conversations
    assert [len(conversation.turns) for conversation in found] == [2, 1]
