"""Configured prompts and captured requests meet the rules about templates."""

import json
from pathlib import Path

import pytest

from promptlint import registry
from promptlint.bodies.chat import write
from promptlint.check.captures import check_captures
from promptlint.check.rendered import rendered_findings
from promptlint.config import load_config
from promptlint.finding import Finding
from promptlint.probes.conversation import Shape, session
from tests.probes.corpus import corpus_model

BUILDER = """
from datetime import datetime

TOOL = {"type": "function", "function": {"name": "read", "description": "A file. " * 200}}


def build():
    return {
        "messages": [
            {"role": "system", "content": "You are careful. " * 200},
            {"role": "user", "content": "Hello."},
        ],
        "tools": [TOOL],
        "chat_template_kwargs": {"date_string": f"{datetime.now():%d %b %Y %H:%M}"},
    }
"""
MODELS = {
    "llama": "meta-llama-Llama-3.1-8B-Instruct",
    "qwen": "Qwen-Qwen3.6-35B-A3B",
    "nemo": "mistralai-Mistral-Nemo-Instruct-2407",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for short, name in MODELS.items():
        template = corpus_model(name).template
        assert template is not None
        (tmp_path / f"{short}.jinja").write_text(template, "utf-8")
    (tmp_path / "agent.py").write_text(BUILDER)
    models = json.dumps([f"{short}.jinja" for short in MODELS])
    text = f'[[prompt]]\nname = "coder"\nbuilder = "agent.py:build"\nmodels = {models}\n'
    (tmp_path / "promptlint.toml").write_text(text)
    return tmp_path


def by_rule(findings: tuple[Finding, ...]) -> dict[str, Finding]:
    return {finding.rule: finding for finding in findings}


def test_a_configured_prompt_under_three_templates(project: Path) -> None:
    config = load_config(project / "promptlint.toml", project)
    rendered = rendered_findings(config, config.prompts, registry.rules())
    found = by_rule(tuple(rendered.findings))

    assert rendered.problems == []
    clock = found["template-clock"]
    assert clock.message.endswith("a clock with minute precision that the builder hands it")
    assert clock.model == "llama.jinja"
    assert clock.location is not None
    assert (clock.location.path, clock.location.line) == ("agent.py", 14)
    assert found["template-tools-follow-user"].model == "nemo.jinja"
    assert found["template-parameter-at-head"].model == "llama.jinja"
    assert found["provider-order-divergence"].lost_tokens == clock.lost_tokens


def test_captured_requests_lose_their_own_tokens(project: Path) -> None:
    bodies = [json.dumps(write(request)) for request in session(Shape())]
    log = project / "log.jsonl"
    log.write_text("\n".join(bodies), "utf-8")
    (project / "one.toml").write_text('model = "qwen.jinja"\nthreshold = 100\n')
    config = load_config(project / "one.toml", project)
    found = by_rule(check_captures([log], config, registry.rules()).findings)

    rewritten = found["template-rewrites-history"]
    assert "preserve_thinking=True" in rewritten.advice
    assert rewritten.lost_tokens > 100
    assert str(rewritten.location).endswith("log.jsonl:1")
