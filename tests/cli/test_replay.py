"""`promptlint replay` on captures as agents' proxies write them."""

import gzip
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from promptlint.cache.prices import prices_for, usd
from promptlint.output.report import WIDTH
from tests.captures.agent import MEMORY, SYSTEM, Agent, Body
from tests.project import Project
from tests.test_secrets import KEYS, shows

EVIL = "\x1b]0;owned\x07 [red]sk-ant-abcdefghijklmnop ::error::x"


def experiment() -> list[Body]:
    """Seven requests; the memory is written after the sixth and shown in the seventh."""
    agent = Agent()
    for _ in range(6):
        agent.send()
        agent.call(result="a line of a file\n" * 20)
    note = "The staging database is called atlas."
    call = {"name": "remember", "arguments": json.dumps({"note": note})}
    agent.messages += [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "m", "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": "m", "content": "saved"},
    ]
    agent.send()
    agent.system = f"{SYSTEM}\n- {note}"
    agent.call()
    agent.send()
    return agent.sent


def written(project: Project, bodies: list[Any], name: str = "log.jsonl") -> str:
    project.write(name, "\n".join(json.dumps(body) for body in bodies))
    return name


def test_the_table_shows_the_refresh(project: Project) -> None:
    name = written(project, experiment())
    code, out, err = project.run("replay", name, "--cache", "engine/mlx_lm.server")
    assert (code, err) == (0, "")
    assert "system text, memory: content-changed" in out
    assert max(map(len, out.splitlines())) <= WIDTH
    lanes = [line.split() for line in out.splitlines() if line.startswith("  ")]
    assert ["on", "disk", "······11"] in lanes
    assert ["in", "the", "prompt", "·······1"] in lanes


def test_json_carries_turns_breaks_and_sums(project: Project) -> None:
    name = written(project, experiment())
    code, data = project.json("replay", name, "--cache", "engine/mlx_lm.server")
    assert code == 0
    assert data["version"] == 1
    turns = data["turns"]
    assert [turn["index"] for turn in turns] == list(range(1, 9))
    assert [turn["break"] is not None for turn in turns] == [False] * 7 + [True]
    assert turns[7]["read"] == turns[7]["break"]["token"] == turns[7]["common_prefix"]
    assert turns[7]["break"]["source"] == "memory"
    assert data["total"]["read"] == sum(turn["read"] for turn in turns)
    assert data["memory"] == [
        {
            "conversation": "conversation 1",
            "on_disk": [0] * 6 + [1, 1],
            "in_context": [0] * 7 + [1],
        }
    ]


def test_a_changed_parameter_is_a_break_and_one_finding(project: Project) -> None:
    agent = Agent()
    agent.system = "Read files before you change them. " * 300
    for effort in ("low", "low", "high"):
        agent.parameters = {"model": "gpt-4.1", "reasoning_effort": effort}
        agent.send()
        agent.call()
    name = written(project, agent.sent)
    code, out, err = project.run("replay", name)
    assert (code, err) == (0, "")
    shown = [line.strip() for line in out.splitlines()]
    place = next(n for n, line in enumerate(shown) if line.startswith("reasoning_effort:"))
    assert shown[place - 1].startswith("3 ")
    assert shown[place].startswith("reasoning_effort: parameters-changed at token 0, ")
    assert shown[place + 1] == '⟨reasoning_effort="low"⟩ → ⟨reasoning_effort="high"⟩'
    for command in ("replay", "check"):
        _, data = project.json(command, name)
        assert [found["rule"] for found in data["findings"]] == ["parameters-changed"]


def test_what_if_nothing_had_been_refreshed(project: Project) -> None:
    name = written(project, experiment())
    changes = ["system-frozen", "memory-refreshed=3", "cache=anthropic/messages", "model=anthropic"]
    options = [option for change in changes for option in ("--what-if", change)]
    _, data = project.json("replay", name, "--cache", "engine/mlx_lm.server", *options)
    frozen, refreshed, hosted, other = data["what_if"]
    assert frozen["total"]["uncached"] < data["total"]["uncached"] < refreshed["total"]["uncached"]
    assert [turn["break"] for turn in frozen["turns"]] == [None] * 8
    assert refreshed["turns"][2]["break"]["source"] == "memory"
    assert hosted["policy"] == "anthropic/messages"
    assert other["model"] == "anthropic"
    code, out, _ = project.run("replay", name, *options)
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("if ")] == [
        f"if {change}" for change in changes
    ]


def test_what_if_another_model_had_been_asked(project: Project) -> None:
    name = written(project, experiment())
    changes = ["model=claude-opus-5-5", "model=claude-haiku-4-5", "model=embedded", "best-order"]
    options = [option for change in changes for option in ("--what-if", change)]
    _, data = project.json("replay", name, "--cache", "engine/mlx_lm.server", *options)
    opus, haiku, own, ordered = data["what_if"]
    for hosted in (opus, haiku):
        assert (hosted["policy"], hosted["model"]) == ("anthropic/messages", "anthropic")
    dates = [hosted["total"]["cost"]["prices_since"] for hosted in (opus, haiku)]
    assert dates == ["2026-09-22", "2025-11-23"]
    assert own["total"] == ordered["total"] == data["total"]
    _, out, _ = project.run("replay", name, "--what-if", "model=kimi-of-nobody")
    assert "Note, if model=kimi-of-nobody: no cost: no price is known for the model" in " ".join(
        out.split()
    )


def test_the_published_costs_come_out() -> None:
    """The USD figures of the experiment: what was read and written, at Opus 5.5's prices."""
    opus = prices_for("claude-opus-5-5", datetime(2026, 11, 29, tzinfo=UTC))
    kept, refreshed = usd(opus, read=2071, write=44), usd(opus, read=0, write=2136)
    assert (f"{kept:.6f}", f"{refreshed:.6f}") == ("0.000634", "0.010680")
    assert f"{refreshed / kept:.1f}" == "16.8"


def test_a_measured_read_agrees_with_the_predicted_one(project: Project) -> None:
    usage = {
        "input_tokens": 0,
        "cache_read_input_tokens": 2071,
        "cache_creation_input_tokens": 44,
        "output_tokens": 0,
    }
    body = {
        "model": "claude-opus-5-5",
        "system": [{"type": "text", "text": SYSTEM * 60, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "Hi."}],
    }
    name = written(project, [{"request": body}, {"request": body, "usage": usage}])
    code, data = project.json("replay", name)
    assert code == 0
    assert (data["policy"], data["model"]) == ("anthropic/messages", "anthropic")
    first, second = data["turns"]
    assert first["write"] == second["read"] > 512
    assert second["cost"]["usd"] < first["cost"]["usd"] / 10
    assert second["measured"] == {"tokens": 2115, "read": 2071, "write": 44, "uncached": 0}
    assert second["agrees"]


def hosted(*models: str) -> list[Body]:
    """Requests to OpenAI, the system text of the last one changed."""
    text = "You are a careful agent. " * 300
    bodies: list[Body] = []
    messages: list[Body] = [{"role": "user", "content": "Rename it."}]
    for number, model in enumerate(models, start=1):
        system = f"{text}{'now' if number == len(models) else ''}"
        bodies.append({"model": model, "input": [{"role": "system", "content": system}, *messages]})
        messages += [
            {"role": "assistant", "content": f"I renamed {number}."},
            {"role": "user", "content": "Go on."},
        ]
    return bodies


@pytest.mark.parametrize("model", ["anthropic/claude-opus-5.5", "google/gemini-3.8-flash"])
def test_what_a_router_answers_is_read_in_its_own_format(project: Project, model: str) -> None:
    agent = Agent()
    agent.parameters = {"model": model}
    usage = {"prompt_tokens": 300, "prompt_tokens_details": {"cached_tokens": 0}}
    name = written(project, [{"request": agent.send(), "usage": usage}])
    _, report = project.json("replay", name)
    assert report["turns"][0]["measured"]["tokens"] == 300
    assert not any("usage" in note for note in report["notes"])


def test_the_day_of_the_prices_stands_once_above_amounts_that_share_it(project: Project) -> None:
    name = written(project, hosted("gpt-5.1", "gpt-5.1"))
    changes = ("priced-as=gpt-5.6", "best-order")
    options = [option for change in changes for option in ("--what-if", change)]
    code, out, _ = project.run("replay", name, *options)
    assert code == 0
    lines = out.splitlines()
    assert (lines[2].split(), lines[3].split()[-1]) == (["cost,", "USD"], "2026-10-01")
    assert lines[2].index("cost") + len("cost, USD") == len(lines[3])
    sums = out[out.index("in all") :].replace("\n  ", " ")
    days = ["2026-10-01", "2026-08-25", "2026-10-01"]
    assert [line.split()[-1] for line in sums.splitlines()[:3]] == days
    assert out.count("prices of") == len(days)
    assert max(map(len, lines)) <= WIDTH


def test_amounts_of_different_days_each_carry_their_own(project: Project) -> None:
    name = written(project, hosted("gpt-5.6", "gpt-5.1"))
    _, out, _ = project.run("replay", name)
    remarks = [line.split() for line in out.splitlines() if line.startswith("      prices of")]
    assert [remark[-1] for remark in remarks] == ["2026-08-25", "2026-10-01"]
    assert "prices of 2026-08-25 and 2026-10-01" in " ".join(out.split())
    _, data = project.json("replay", name)
    assert data["total"]["price_dates"] == ["2026-08-25", "2026-10-01"]
    assert [turn["cost"]["prices_since"] for turn in data["turns"]] == data["total"]["price_dates"]


def test_a_cost_that_is_a_range_shows_it(project: Project) -> None:
    name = written(project, hosted("gpt-5.6", "gpt-5.6"))
    _, data = project.json("replay", name)
    first, second = (turn["cost"]["usd"] for turn in data["turns"])
    low, high = second
    assert low < high
    assert data["total"]["cost"]["usd"] == [first + low, first + high]
    _, out, _ = project.run("replay", name, "--what-if", "cache=openai/pre-5.6")
    assert f"≤{high:.6f}" in out
    said = " ".join(out.split())
    assert f"{first + low:.6f} to {first + high:.6f} USD, prices of" in said
    assert "times" not in said


def test_a_wrong_prediction_is_said(project: Project) -> None:
    bodies = experiment()
    usage = {"prompt_tokens": 500, "prompt_tokens_details": {"cached_tokens": 3}}
    entries = [{"request": body, "usage": usage} for body in bodies[:2]]
    name = written(project, entries)
    _, out, _ = project.run("replay", name, "--cache", "engine/mlx_lm.server")
    said = " ".join(out.split())
    assert "the answer says 3 of 500 tokens were read, predicted were" in said
    assert "the answer says the prompt has 500 tokens, counted were" in said
    assert max(map(len, out.splitlines())) <= WIDTH


def test_what_was_measured_is_not_laid_beside_what_if(project: Project) -> None:
    usage = {"input_tokens": 2000, "output_tokens": 1000}
    body = {"model": "claude-opus-5-5", "system": SYSTEM * 60, "messages": [{"role": "user"}]}
    name = written(project, [{"request": body, "usage": usage}])
    changes = ("memory-refreshed=1", "cache=openai/pre-5.6")
    options = [option for change in changes for option in ("--what-if", change)]
    _, data = project.json("replay", name, *options)
    (turn,) = data["turns"]
    assert turn["measured"]["tokens"] == 2000
    for changed in data["what_if"]:
        (other,) = changed["turns"]
        assert (other["measured"], other["agrees"]) == (None, None)
        assert other["cost"]["usd"] > 0.02, "the answer is paid"
        assert not any("usage" in note for note in changed["notes"])


def test_a_broken_line_is_named_and_the_rest_goes_on(project: Project) -> None:
    lines = [json.dumps(body) for body in experiment()[:2]]
    project.write("log.jsonl", "\n".join([lines[0], '{"messages": [', lines[1], "7"]))
    code, data = project.json("replay", "log.jsonl")
    assert code == 0
    assert [turn["line"] for turn in data["turns"]] == [1, 3]
    assert [error.split(": ")[0] for error in data["errors"]] == ["log.jsonl:2", "log.jsonl:4"]
    _, _, err = project.run("replay", "log.jsonl")
    assert err.startswith("promptlint: log.jsonl:2: no valid JSON")


def test_a_gzipped_file_reads_the_same(project: Project) -> None:
    name = written(project, experiment())
    (project.folder / "log.jsonl.gz").write_bytes(
        gzip.compress((project.folder / name).read_bytes())
    )
    plain, zipped = (project.json("replay", n)[1]["total"] for n in (name, "log.jsonl.gz"))
    assert plain == zipped


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["empty.jsonl"], "no request could be read"),
        (["broken.jsonl"], "broken.jsonl:1: no valid JSON"),
        (["log.jsonl", "--cache", "antropic/message"], "did you mean `anthropic/messages`?"),
        (["log.jsonl", "--model", "nowhere/"], "nowhere"),
        (["log.jsonl", "--what-if", "luck"], "--what-if luck: it is one of memory-refreshed=TURN"),
        (["log.jsonl", "--what-if", "memory-refreshed=soon"], "it is one of"),
        (["log.jsonl", "--what-if", "memory-refreshed=99"], "=99: there is no turn 99"),
        (["log.jsonl", "--what-if", "memory-refreshed=0"], "there is no turn 0"),
        (["log.jsonl", "--what-if", "model=nobodys"], "nobodys: no such model"),
    ],
)
def test_bad_input_is_exit_2_and_says_where(
    project: Project, arguments: list[str], cause: str
) -> None:
    written(project, experiment()[:1])
    project.write("empty.jsonl", "")
    project.write("broken.jsonl", "{")
    code, out, err = project.run("replay", *arguments)
    assert (code, out) == (2, "")
    assert cause in err
    assert "Traceback" not in err


def test_captured_text_cannot_drive_a_terminal(project: Project) -> None:
    agent = Agent()
    agent.send()
    agent.system = f"{SYSTEM}{EVIL}"
    agent.call()
    agent.send()
    name = written(project, agent.sent)
    for output in ("full", "json"):
        _, out, _ = project.run("replay", name, "--output-format", output)
        assert "\x1b" not in out
        assert "abcdefghijklmnop" not in out


def test_no_memory_no_lanes(project: Project) -> None:
    agent = Agent()
    agent.send()
    assert MEMORY in SYSTEM
    _, out, _ = project.run("replay", written(project, agent.sent))
    assert "memory that" not in out


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("command", ["replay", "check"])
def test_no_part_of_a_key_is_printed(project: Project, key: str, command: str) -> None:
    """Nor of one that changed in its middle, nor behind an escaped line break."""
    renewed = f"{key[:15]}Zq7{key[18:]}"
    agent = Agent()
    for minute, shown in enumerate((key, key, renewed)):
        agent.system = f"{SYSTEM * 9}\n{shown} at {minute} is\nthe key\n{shown}"
        agent.send()
        agent.call()
    name = written(project, agent.sent)
    printed = [project.run(command, name), project.run(command, name, "--output-format", "json")]
    for _, out, err in printed:
        assert not shows(out + err, key)
        assert not shows(out + err, renewed)
