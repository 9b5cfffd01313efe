import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.settings import BuilderSettings
from promptlint.captures.recorder.bench import CommandBench
from promptlint.captures.recorder.command_clock import CommandClock
from promptlint.captures.recorder.command_settings import CommandCall, CommandSettings
from promptlint.captures.recorder.faketime import find_faketime, shows_day
from promptlint.captures.recorder.reply import Reply, Script
from promptlint.layout import Axis, Scope
from promptlint.request import ToolCall
from promptlint.worlds.world import Edit, EditKind, World

QUESTION = "Which tests are there?"
AGENT = (sys.executable, str(Path(__file__).with_name("agent.py")), QUESTION)
BASE = World()
EDITED = World(edits=(Edit("workspace", "AGENTS.md", EditKind.EDIT, "promptlint edit"),))
REQUEST = """
import json, os, urllib.request
body = json.dumps({"messages": [{"role": "user", "content": "hi"}]}).encode()
urllib.request.urlopen(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body).read()
"""


@pytest.fixture
def project(tmp_path: Path) -> BuilderSettings:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "AGENTS.md").write_text("# Rules\n\nRun the tests with pytest.\n")
    return BuilderSettings("agent", tmp_path, workspace=Path("workspace"), timeout=40)


@pytest.fixture
def bench(project: BuilderSettings) -> Iterator[CommandBench]:
    with CommandBench(project, CommandSettings(AGENT, ("--again",))) as bench:
        yield bench
    assert not project.scratch.exists()


def system(call: CommandCall) -> str:
    return call.requests[-1].system_text


def field(call: CommandCall, name: str) -> str:
    found = re.search(rf"^{name}: (.*)$", system(call), re.MULTILINE)
    assert found
    return found[1]


def files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_a_session_of_two_runs(bench: CommandBench, project: BuilderSettings) -> None:
    before = files(project.base)
    process = bench.start(BASE)
    first, second = process.ask([BASE, BASE])
    # The title is no turn of the conversation.
    assert [len(call.requests) for call in (first, second)] == [1, 1]
    assert [len(call.requests[0].messages) for call in (first, second)] == [1, 3]
    assert system(first) == system(second)
    assert "Run the tests with pytest." in system(first)
    (again,) = process.ask([BASE])
    assert again == first
    assert files(project.base) == before


def test_another_machine_and_an_edited_file(bench: CommandBench) -> None:
    first = bench.start(BASE).ask([BASE])[0]
    elsewhere = replace(EDITED, machine=1, user=1)
    second = bench.start(elsewhere).ask([elsewhere])[0]
    assert Path(field(first, "Folder")).parts[-2:] == ("srv", "workspace")
    assert Path(field(second, "Folder")).parts[-2:] == ("data", "workspace")
    assert "promptlint edit" not in system(first)
    assert "Run the tests with pytest. promptlint edit" in system(second)


def test_a_file_edited_between_two_turns(bench: CommandBench) -> None:
    process = bench.start(BASE)
    _, second = process.ask([BASE, EDITED])
    assert "promptlint edit" in system(second)
    (third,) = process.ask([BASE])
    assert "promptlint edit" not in system(third)


def test_a_day_later_or_the_reason_why_not(bench: CommandBench, project: BuilderSettings) -> None:
    later = World(clock=86_400)
    first, second = bench.start(BASE).ask([BASE, later])
    reasons = bench.not_exercised()
    if find_faketime() is None:
        assert (Axis.DAY, Scope.BETWEEN) in reasons
        assert field(first, "Today") == str(datetime.now().astimezone().date())
    else:
        assert (Axis.DAY, Scope.BETWEEN) not in reasons
        assert (Axis.DAY, Scope.WITHIN) not in reasons
        day = project.base_time.date()
        assert field(first, "Today") == str(day)
        assert field(second, "Today") == str(day + timedelta(days=1))


def test_a_library_that_does_not_reach_the_program_is_said(project: BuilderSettings) -> None:
    settings = CommandSettings(AGENT, faketime=Path("/no/such/libfaketimeMT.so.1"))
    with CommandBench(project, settings) as bench:
        assert bench.clock.why_not is None or sys.platform != "linux"
        bench.start(BASE).ask([BASE])
        reasons = bench.not_exercised()
    assert reasons[Axis.DAY, Scope.BETWEEN] == bench.clock.why_not
    assert bench.clock.why_not is not None
    if sys.platform == "linux":
        assert "does not load libfaketime" in bench.clock.why_not


def test_a_program_that_cannot_live_under_the_library_runs_without(
    project: BuilderSettings,
) -> None:
    program = f"import os, sys\nif os.environ.get('LD_PRELOAD'): sys.exit(9)\n{REQUEST}"
    settings = CommandSettings((sys.executable, "-c", program), faketime=Path("/no/such/library"))
    with CommandBench(project, settings) as bench:
        (call,) = bench.start(BASE).ask([BASE])
        reasons = bench.not_exercised()
    assert call.requests[0].messages[0].text == "hi"
    assert "sends nothing under libfaketime" in reasons[Axis.DAY, Scope.BETWEEN]


def test_a_prompt_that_shows_the_real_date_has_no_other_clock() -> None:
    clock = CommandClock(Path("libfaketimeMT.so.1"))
    clock.why_not = None
    moment = datetime(2026, 3, 5, tzinfo=UTC)
    real = f"Released on {datetime.now(UTC):%Y-%m-%d}."
    clock.read(["Today is some day."], moment)
    clock.read([real, "Today is 2026-03-05."], moment)
    assert clock.why_not is None
    clock.read(["You are an agent.", real], moment)
    assert clock.why_not is not None
    assert "real date" in clock.why_not


@pytest.mark.parametrize(
    "text",
    ["2026-03-05T10:00", "Thu Mar 05 2026", "March 5, 2026", "5 March 2026", "05.03.2026"],
)
def test_days_as_programs_write_them(text: str) -> None:
    assert shows_day(f"It is {text}.", datetime(2026, 3, 5, tzinfo=UTC))
    assert not shows_day(f"It is {text}.", datetime(2026, 3, 6, tzinfo=UTC))


def test_a_command_that_cannot_go_on(project: BuilderSettings) -> None:
    with CommandBench(project, CommandSettings(AGENT)) as bench:
        reasons = bench.not_exercised()
        with pytest.raises(ValueError, match="cannot go on"):
            bench.start(BASE).ask([BASE, BASE])
    for axis in (Axis.TURN, Axis.MINUTE, Axis.DAY, Axis.MID_SESSION_EDIT):
        assert "is not known to resume a session" in reasons[axis, Scope.WITHIN]
    assert (Axis.HASH_SEED, Scope.BETWEEN) not in reasons


def test_other_languages_have_no_hash_seed_and_known_agents_resume(
    project: BuilderSettings,
) -> None:
    script = Script((Reply("", (ToolCall("read", {}),)),))
    settings = CommandSettings(("codex", "exec", "hi"), script=script)
    with CommandBench(project, settings) as bench:
        reasons = bench.not_exercised()
    assert "Python" in reasons[Axis.HASH_SEED, Scope.BETWEEN]
    assert (Axis.TURN, Scope.WITHIN) not in reasons
    assert (Axis.STEP, Scope.WITHIN) not in reasons


@pytest.mark.parametrize(
    ("program", "kind", "said"),
    [
        ("print('no key'); raise SystemExit(3)", FailureKind.NONE, r"no request \(status 3\)"),
        ("import time; time.sleep(60)", FailureKind.HANGS, "still running after 2 s"),
        (REQUEST + "while True: pass", FailureKind.HANGS, "still running after 2 s"),
    ],
)
def test_what_could_not_be_recorded(
    program: str, kind: FailureKind, said: str, project: BuilderSettings
) -> None:
    settings = CommandSettings((sys.executable, "-c", program))
    with (
        CommandBench(replace(project, timeout=2), replace(settings, faketime=None)) as bench,
        pytest.raises(BuilderError, match=said) as raised,
    ):
        bench.start(BASE).ask([BASE])
    assert raised.value.kind is kind
    assert ("no key" in raised.value.output) == ("no key" in program)


def test_a_program_that_does_not_exist(project: BuilderSettings) -> None:
    with (
        CommandBench(project, CommandSettings(("no-such-agent",))) as bench,
        pytest.raises(BuilderError, match="status 127") as raised,
    ):
        bench.start(BASE).ask([BASE])
    assert "No such file" in raised.value.output


def test_writes_outside_the_copies_are_refused(project: BuilderSettings) -> None:
    outside = project.base / "outside"
    program = f"{REQUEST}\nopen({str(outside)!r}, 'w')"
    settings = CommandSettings((sys.executable, "-c", program))
    with CommandBench(project, settings) as bench:
        bench.start(BASE).ask([BASE])
        confined = any(mean.startswith(("read-only", "landlock")) for mean in bench.means)
        assert outside.exists() == (not confined)
        assert any("confine" in note for note in bench.notes())


def test_words_that_name_files_beside_the_config_are_found(project: BuilderSettings) -> None:
    (project.base / "scripts").mkdir()
    (project.base / "scripts" / "ask.py").write_text(REQUEST)
    (project.base / "workspace" / "ask.py").write_text("import sys; sys.exit(1)")
    settings = CommandSettings((sys.executable, "scripts/ask.py"))
    with CommandBench(project, settings) as bench:
        (call,) = bench.start(BASE).ask([BASE])
    assert call.requests[0].messages[0].text == "hi"


@pytest.mark.parametrize(
    ("first_line", "python"), [("#!/usr/bin/env python3", True), ("#!/bin/sh", False)]
)
def test_a_script_tells_its_language(first_line: str, python: bool, tmp_path: Path) -> None:
    script = tmp_path / "my-agent"
    script.write_text(f"{first_line}\n")
    script.chmod(0o755)
    assert CommandSettings((str(script),)).is_python == python


def test_another_user_needs_other_copies(bench: CommandBench) -> None:
    with pytest.raises(ValueError, match="another user needs copies of its own"):
        bench.start(BASE).ask([World(user=1)])
