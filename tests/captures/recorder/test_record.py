import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from promptlint.captures.conversations import conversations
from promptlint.captures.read import read_captures
from promptlint.captures.recorder import connections
from promptlint.captures.recorder.command import CommandError
from promptlint.captures.recorder.environment import PLACEHOLDER_KEY, recorder_environment
from promptlint.captures.recorder.record import record
from promptlint.captures.recorder.recording import Recording
from promptlint.captures.recorder.reply import Reply, Script

AGENT = str(Path(__file__).with_name("agent.py"))
HANGS = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(str(child.pid))
time.sleep(600)
"""
ELSEWHERE = """
import os, socket, sys, time
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))):
    port = int(os.environ["PROMPTLINT_BASE_URL"].rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)):
        own = socket.create_server(("127.0.0.1", 0))
        with socket.create_connection(own.getsockname()):
            time.sleep(1)
"""


QUESTION = "Which tests are there?"
COMMAND = [sys.executable, AGENT, QUESTION]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def alive(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for does not."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")


def test_a_command_is_recorded_and_the_server_ends_with_it(tmp_path: Path) -> None:
    recording = Recording()
    outcome = record(COMMAND, recording, Script(after=Reply("hello")))
    assert [run.status for run in outcome.runs] == [0]
    assert [r.body["messages"][-1]["content"] for r in recording.requests] == [QUESTION] * 2
    assert json.loads((tmp_path / "session.json").read_text())[-1]["content"] == "hello"
    assert PLACEHOLDER_KEY not in recording.requests[0].line()


def test_turns_go_on_with_the_session(tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    with path.open("w") as file:
        outcome = record(COMMAND, Recording(file), Script(), turns=3, resume=["--again"])
    assert outcome.resumes
    found = conversations(read_captures([path]).requests)
    (conversation,) = found.conversations
    assert len(found.auxiliary) == 1
    assert [len(turn.request.messages) for turn in conversation.turns] == [1, 3, 5]


def test_runs_that_cannot_go_on_are_sessions_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    with path.open("w") as file:
        outcome = record(COMMAND, Recording(file), Script(), turns=2)
    assert not outcome.resumes
    found = conversations(read_captures([path]).requests).conversations
    assert [(c.name, len(c.turns)) for c in found] == [("run 1", 1), ("run 2", 1)]


def test_a_run_that_fails_is_the_last(tmp_path: Path) -> None:
    recording = Recording()
    outcome = record([sys.executable, "-c", "raise SystemExit(3)"], recording, Script(), turns=4)
    assert [run.status for run in outcome.runs] == [3]


def test_a_command_that_never_stops_is_ended_with_all_its_children(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    command = [sys.executable, "-c", HANGS, str(noted)]
    outcome = record(command, Recording(), Script(), turns=2, time_limit=2)
    assert [run.status for run in outcome.runs] == [None]
    assert noted.read_text()
    assert not alive(int(noted.read_text()))


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no-such-agent: No such file"):
        record([str(tmp_path / "no-such-agent")], Recording(), Script())


def test_other_connections_are_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        outcome = record([sys.executable, "-c", ELSEWHERE, str(port)], Recording(), Script())
    expected = {("127.0.0.1", port)} if connections.CAN_BE_SEEN else set()
    assert outcome.runs[0].elsewhere == expected


def test_real_keys_are_not_handed_on_and_proxies_are_passed_by() -> None:
    inherited = {"OPENAI_API_KEY": "real", "GOOGLE_API_KEY": "real", "NO_PROXY": "a.example"}
    variables = recorder_environment("http://127.0.0.1:9", inherited | {"PATH": "/bin"})
    assert "real" not in variables.values()
    assert variables["PATH"] == "/bin"
    assert variables["NO_PROXY"] == "a.example,127.0.0.1,localhost"
    assert variables["OPENAI_BASE_URL"] == "http://127.0.0.1:9/v1"
    assert variables["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = "import sys; from promptlint.cli.record import command; sys.exit(command.main("
    program += "sys.argv[1:], prog_name='record', standalone_mode=False))"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )


def test_the_command_line_says_what_it_did(tmp_path: Path) -> None:
    output = tmp_path / "recording.jsonl"
    output.write_text("an older recording")
    done = run("-o", str(output), "--turns", "2", "--resume=--again", "--", *COMMAND)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"promptlint: {output}: 3 requests (openai-chat)" in done.stderr
    assert len(read_captures([output]).requests) == 3


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit(4)", "ended with status 4"),
        ("pass", "nothing was recorded"),
        ("import time; time.sleep(99)", "was ended at the time limit"),
    ],
)
def test_what_could_not_be_recorded_ends_with_2(program: str, said: str, tmp_path: Path) -> None:
    options = ["-o", str(tmp_path / "r.jsonl"), "--time-limit", "2"]
    done = run(*options, "--", sys.executable, "-c", program)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_slip_does_not_cost_an_older_recording(tmp_path: Path) -> None:
    output = tmp_path / "recording.jsonl"
    output.write_text("an older recording")
    done = run("-o", str(output), "--", str(tmp_path / "no-such-agent"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "no such command" in done.stderr
    assert output.read_text() == "an older recording"


def test_what_an_agent_sends_cannot_drive_the_terminal(tmp_path: Path) -> None:
    program = (
        "import os, socket; port = int(os.environ['PROMPTLINT_BASE_URL'].split(':')[2]);"
        "c = socket.create_connection(('127.0.0.1', port));"
        "c.sendall(b'GET /\\x1b[31m HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n'); c.recv(999)"
    )
    done = run("-o", str(tmp_path / "r.jsonl"), "--", sys.executable, "-c", program)
    assert "GET /\\x1b[31m" in done.stderr
    assert "\x1b" not in done.stderr


def test_connections_of_a_process_that_has_ended() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert connections.remote_addresses([process.pid]) == set()


def test_an_interrupt_ends_the_command(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    program = (
        "import sys; from promptlint.captures.recorder.record import record;"
        "from promptlint.captures.recorder.recording import Recording;"
        "from promptlint.captures.recorder.reply import Script;"
        "record(sys.argv[1:], Recording(), Script())"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, sys.executable, "-c", HANGS, str(noted)],
        stderr=subprocess.DEVNULL,
    )
    while not (noted.exists() and noted.read_text()):
        time.sleep(0.05)
    os.kill(process.pid, 2)
    process.wait(20)
    assert not alive(int(noted.read_text()))
