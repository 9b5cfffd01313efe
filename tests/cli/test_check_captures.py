"""`promptlint check FILE.jsonl`: findings carry the line of the capture."""

import gzip
import json
from typing import Any

import pytest

from tests.captures.agent import SYSTEM, Agent, Body
from tests.project import MakeProject, Project


def refreshed() -> list[Body]:
    """The memory moves in the third request."""
    agent = Agent()
    for number in range(4):
        if number == 2:
            agent.system = f"{SYSTEM}\n- The tests are run with tox."
        agent.send()
        agent.call(result="a line of a file\n" * 120)
    return agent.sent


def written(project: Project, bodies: list[Any], name: str = "log.jsonl") -> str:
    project.write(name, "\n".join(json.dumps(body) for body in bodies))
    return name


def test_a_finding_carries_the_line_of_the_capture(project: Project) -> None:
    code, report = project.json("check", written(project, refreshed()))
    assert code == 1
    (finding,) = report["findings"]
    assert (finding["rule"], finding["path"], finding["line"]) == (
        "live-memory-file",
        "log.jsonl",
        3,
    )
    assert finding["lost_tokens"] > 0
    assert report["summary"]["prompts"] == 1


@pytest.mark.parametrize("output", ["full", "concise", "github", "sarif"])
def test_every_output_names_the_line_and_no_request(project: Project, output: str) -> None:
    name = written(project, refreshed())
    code, out, _ = project.run("check", name, "--output-format", output)
    assert code == 1
    assert "live-memory-file" in out
    assert "a line of a file" not in out


def test_one_cache_for_requests_of_several_is_said(project: Project) -> None:
    agents = Agent("Rename it."), Agent("Where is it?")
    for agent, model in zip(agents, ("gpt-5.6", "claude-opus-5-5"), strict=True):
        agent.parameters = {"model": model}
        agent.send()
        agent.call()
        agent.send()
    agents[0].call(result="a line of a file\n" * 120)
    agents[0].send()
    name = written(project, [body for agent in agents for body in agent.sent])
    said = "2 of 5 requests most likely met another cache"
    _, _, notes = project.run("check", name)
    assert said in notes
    assert "note" not in project.run("check", name, "--cache", "openai/5.6+")[2]
    assert said in project.json("replay", name)[1]["notes"][0]
    chosen = project.json("replay", name, "--cache", "openai/5.6+")[1]["notes"]
    assert not any("--cache" in note for note in chosen)


def test_a_gzipped_capture_beside_configured_prompts(builder: MakeProject) -> None:
    project = builder("def build():\n    return 'Be kind.'\n")
    lines = "\n".join(json.dumps(body) for body in refreshed())
    (project.folder / "log.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    code, report = project.json("check", "log.jsonl.gz", "agent.py")
    assert code == 1
    assert [finding["path"] for finding in report["findings"]] == ["log.jsonl.gz"]
    assert report["summary"]["prompts"] == 2


def test_a_broken_line_is_an_error_and_the_rest_is_checked(project: Project) -> None:
    lines = [json.dumps(body) for body in refreshed()]
    project.write("log.jsonl", "\n".join([*lines, '{"messages": [{']))
    code, report = project.json("check", "log.jsonl")
    assert code == 2
    assert [error.split(": ")[0] for error in report["errors"]] == ["log.jsonl:5"]
    assert [finding["line"] for finding in report["findings"]] == [3]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["Request 1.", "Request 2."], "a counter in the prompt changes with every step"),
        (["Be quick.", "Be careful."], "text changes from a step to the next"),
    ],
)
def test_text_that_nobody_names_is_not_called_unknown(
    project: Project, lines: list[str], message: str
) -> None:
    agent = Agent()
    for line in lines:
        agent.system = f"{line}\n{'Be kind to all. ' * 50}"
        agent.send()
        agent.call()
    name = written(project, agent.sent)
    code, out, _ = project.run("check", name, "--output-format", "concise")
    assert code == 1
    assert message in out
    _, replayed, _ = project.run("replay", name)
    assert "system text: content-changed at token" in replayed
    assert "unknown" not in out + replayed


def test_an_entry_that_is_too_far_back_says_how_far(project: Project) -> None:
    question = {"type": "text", "text": "Rename the option. " * 400}
    steps = [{"type": "text", "text": f"I go on with step {n}."} for n in range(19)]

    def body(*messages: Body) -> Body:
        return {"model": "claude-opus-5-5", "system": "Be kind.", "messages": list(messages)}

    def marked(block: Body) -> Body:
        return {"role": "user", "content": [{**block, "cache_control": {"type": "ephemeral"}}]}

    asked, said = {"role": "user", "content": [question]}, {"role": "assistant", "content": steps}
    bodies = [body(marked(question)), body(asked, said, marked({"type": "text", "text": "Next."}))]
    _, out, _ = project.run("check", written(project, bodies), "--output-format", "concise")
    assert (
        "the last entry ends 20 blocks before the next breakpoint: it is found up to 19 blocks"
        in out
    )


def test_the_cache_that_was_met_decides(project: Project) -> None:
    agent = Agent()
    agent.call(result="a line\n" * 200)
    agent.send()
    call = agent.messages[1]["tool_calls"][0]["function"]
    call["arguments"] = json.dumps(json.loads(call["arguments"]), separators=(",", ":"))
    agent.call()
    agent.send()
    name = written(project, agent.sent)
    _, report = project.json("check", name)
    assert [finding["rule"] for finding in report["findings"]] == ["equal-but-different-bytes"]
    code, report = project.json("check", name, "--cache", "engine/vllm")
    assert (code, report["findings"]) == (0, [])
    code, _, err = project.run("check", name, "--cache", "engine/vlm")
    assert code == 2
    assert "did you mean `engine/vllm`?" in err


def test_rules_are_selected_and_ignored(project: Project) -> None:
    name = written(project, refreshed())
    _, report = project.json("check", name, "--ignore", "live-memory-file")
    assert report["findings"] == []
    _, report = project.json("check", name, "--select", "tools-after-volatile")
    assert [finding["rule"] for finding in report["findings"]] == ["tools-after-volatile"]
    assert project.run("check", name, "--select", "history-rewritten")[0] == 0


def test_a_prompt_cannot_suppress_its_own_findings(project: Project) -> None:
    bodies = refreshed()
    for body in bodies:
        body["messages"][0]["content"] += "\n{# promptlint: ignore[live-memory-file] #}"
    code, report = project.json("check", written(project, bodies))
    assert (code, report["summary"]["suppressed"]) == (1, 0)


def test_a_file_without_requests_is_an_error(project: Project) -> None:
    project.write("package.json", '{"name": "x"}')
    code, _, err = project.run("check", "package.json")
    assert code == 2
    assert "package.json: no request body" in err


def test_a_single_request_gives_no_more_than_information(project: Project) -> None:
    agent = Agent()
    agent.system = f"Today's date: 2026-11-30\nWorking directory: /home/ada/app\n\n{SYSTEM * 20}"
    agent.send()
    code, report = project.json("check", written(project, agent.sent))
    assert code == 0
    assert {(f["rule"], f["severity"], f["confidence"]) for f in report["findings"]} == {
        ("date-in-prefix", "info", "low"),
        ("identity-line", "info", "low"),
    }


def test_replay_shows_the_same_findings(project: Project) -> None:
    name = written(project, refreshed())
    _, checked = project.json("check", name)
    _, replayed = project.json("replay", name)
    assert replayed["findings"] == checked["findings"]
    _, out, _ = project.run("replay", name)
    assert "log.jsonl:3: warning[live-memory-file]" in out


def test_unknown_fields_are_a_note_and_change_no_exit_code(project: Project) -> None:
    agent = Agent()
    for _ in range(2):
        agent.send()["novelty"] = 1
        agent.call()
    name = written(project, agent.sent)
    note = "unknown fields of openai-chat, read as no part of the prompt: `novelty` (log.jsonl:1)"
    code, report = project.json("check", name)
    assert (code, report["notes"], report["errors"]) == (0, [note], [])
    assert project.run("check", name)[2] == f"promptlint: note: {note}\n"
    _, replayed = project.json("replay", name)
    assert replayed["notes"].count(note) == 1
    assert note in " ".join(project.run("replay", name)[1].split())


@pytest.mark.parametrize(("time", "found"), [("2026-06-27", True), ("2026-08-01", False)])
def test_a_minimum_is_that_of_the_day_of_the_request(
    project: Project, time: str, found: bool
) -> None:
    """Claude Opus 4.8 cached no fewer than 4,096 tokens in June, and 1,024 since July 28."""
    marked = [{"type": "text", "text": SYSTEM * 60, "cache_control": {"type": "ephemeral"}}]
    messages = [{"role": "user", "content": f"Question {n}."} for n in range(2)]
    bodies = [
        {"model": "claude-opus-4-8", "system": marked, "messages": messages[: n + 1]}
        for n in range(2)
    ]
    name = written(project, [{"request": body, "time": time} for body in bodies])
    _, report = project.json("check", name)
    assert ("below-cache-minimum" in {f["rule"] for f in report["findings"]}) is found
