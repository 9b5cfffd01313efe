"""`promptlint template`, as people and programs call it."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from promptlint.bodies.chat import write
from promptlint.cli.template import command
from promptlint.probes.conversation import Shape, session
from tests.probes.corpus import corpus_model

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "template-1.schema.json"
NAMES = {
    "qwen3": "Qwen-Qwen3-0.6B",
    "qwen36": "Qwen-Qwen3.6-35B-A3B",
    "nemo": "mistralai-Mistral-Nemo-Instruct-2407",
    "oss": "openai-gpt-oss-120b",
    "kimi": "Kimi-K2-Thinking",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for short, name in NAMES.items():
        template = corpus_model(name).template
        assert template is not None
        (tmp_path / f"{short}.jinja").write_text(template, "utf-8")
    (tmp_path / "promptlint.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, standalone_mode=False)


def as_json(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--output-format", "json").stdout)


def test_the_contract_of_the_json(folder: Path) -> None:
    facts = as_json("qwen36.jinja")

    assert facts["version"] == 1
    assert facts["tools"] == "before-system"
    assert facts["date"] is None
    assert facts["system_text"] == "trimmed"
    assert facts["extends"] is False
    first = facts["breaks"][0]
    assert (first["step"], first["cause"]) == (4, "reasoning-dropped")
    assert first["lost_chars"] > 0
    assert first["switch"] == "preserve_thinking=True"


@pytest.mark.parametrize("short", ["qwen3", "qwen36", "nemo", "oss"])
def test_the_json_keeps_to_its_schema(folder: Path, short: str) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))

    jsonschema.validate(as_json(f"{short}.jinja"), schema)


def test_a_date_says_its_format_its_precision_and_its_place(folder: Path) -> None:
    date = as_json("oss.jinja")["date"]

    assert date == {"format": "%Y-%m-%d", "precision": "day", "char": 134, "when": None}


def test_people_read_what_is_lost_and_what_cures_it(folder: Path) -> None:
    lines = run("qwen36.jinja").stdout

    assert "before the system text" in lines
    assert "request 4, after a new user message: earlier reasoning is dropped" in lines
    assert "preserve_thinking=True removes it" in lines


def test_two_templates_stand_side_by_side(folder: Path) -> None:
    result = run("qwen3.jinja", "nemo.jinja")
    rows = {line[2:].split("  ")[0].strip(): line for line in result.stdout.splitlines()}

    assert rows["tools"].startswith("≠")
    assert "after-system" in rows["tools"]
    assert "last-user" in rows["tools"]
    assert rows["system text"].startswith("  system text")
    assert [facts["model"] for facts in as_json("qwen3.jinja", "nemo.jinja")] == [
        "qwen3.jinja",
        "nemo.jinja",
    ]


def test_captured_requests_count_their_own_tokens(folder: Path) -> None:
    bodies = [json.dumps(write(request)) for request in session(Shape())]
    (folder / "log.jsonl").write_text("\n".join(bodies), "utf-8")
    facts = as_json("qwen36.jinja", "--prompt", "log.jsonl")

    assert facts["continued"] is False
    assert [(made["step"], made["switch"]) for made in facts["breaks"]] == [
        (4, "preserve_thinking=True"),
        (6, "preserve_thinking=True"),
    ]
    assert all(0 < made["lost_tokens"] < made["lost_chars"] for made in facts["breaks"])
    shown = run("qwen36.jinja", "--prompt", "log.jsonl").stdout
    assert "log.jsonl: conversation 1 · qwen36.jinja · about" in shown


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("kimi.jinja",), "kimi.jinja: chat template: line 35: the sandbox forbids it"),
        (("anthropic",), "anthropic: its provider publishes no chat template to be tested"),
        (("missing.jinja",), "missing.jinja: no such file"),
    ],
)
def test_what_cannot_be_tested_is_one_clear_line(
    folder: Path, arguments: tuple[str, ...], cause: str
) -> None:
    result = run(*arguments)

    assert result.return_value == 2
    assert result.stderr.startswith(f"promptlint: {cause}")
    assert len(result.stderr.splitlines()) == 1


def test_a_prompt_that_is_neither_configured_nor_captured(folder: Path) -> None:
    result = run("qwen3.jinja", "--prompt", "nobody")

    assert "no configured prompt is called so, and no file of captured requests" in str(
        result.exception
    )


def test_a_template_is_data_for_the_terminal(folder: Path) -> None:
    (folder / "odd.jinja").write_text(
        "{% if messages[0].role != 'system' %}you are [bold]\x1b[31m evil words{% endif %}"
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    )
    shown = run("odd.jinja").stdout

    assert "\x1b" not in shown
    assert "you are [bold]\\x1b[31m evil words" in shown
