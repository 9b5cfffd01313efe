"""What is rendered in pieces is what is rendered whole, and only what is new is rendered."""

import gc
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks.growth import bodies
from promptlint.bodies import request_from_body
from promptlint.captures.growing_lines import GrowingLines
from promptlint.captures.growing_prompts import render_growing
from promptlint.captures.growing_requests import GrowingRequests
from promptlint.captures.incremental import Cut
from promptlint.captures.prompt import Prompt
from promptlint.models.embedded import embedded_model
from promptlint.render import Rendered, render
from promptlint.request import Block, Message, Request
from promptlint.templates import TemplateError
from promptlint.templates.rendering import render_text
from promptlint.templates.resuming.message_view import MessageView
from tests.captures.growing import MODELS, NOW, REAL, SESSIONS, assert_alone, in_turns


@pytest.mark.parametrize(
    ("name", "session"),
    [(list(MODELS)[number % len(MODELS)], session) for number, session in enumerate(SESSIONS)],
    ids=lambda value: getattr(value, "name", value),
)
def test_prompts_rendered_in_pieces_are_the_whole_ones(name: str, session: Any) -> None:
    model = MODELS[name]
    asked = [(request_from_body(body), NOW) for body in session.bodies]
    for one, found in zip(asked, render_growing(asked, model), strict=True):
        assert_alone(one, found, model)


@pytest.mark.parametrize("name", REAL)
def test_only_the_last_messages_are_rendered_with_provenance(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice the requests are twice the work, not four times."""
    rendered: list[int] = []

    def counted(request: Request, *arguments: Any, **options: Any) -> Rendered:
        rendered.append(len(request.messages))
        return render(request, *arguments, **options)

    monkeypatch.setattr("promptlint.captures.splice.render", counted)
    monkeypatch.setattr("promptlint.captures.prompt_texts.render", counted)
    sent = bodies(48)
    asked = [(request_from_body(body), NOW) for body in sent]
    assert len(list(render_growing(asked, MODELS[name]))) == len(sent)
    assert max(rendered) < 20
    assert sum(rendered) < 8 * len(sent[-1]["messages"])


@pytest.mark.parametrize("name", ["Qwen3-Coder", "unsloth-Qwen3-8B", "embedded", "anthropic"])
def test_conversations_that_take_turns_are_rendered_as_they_grow(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice the requests are twice the work, not four times; for one template, arguments
    have to be parsed."""
    handed: list[int] = []

    def counted(request: Request, *arguments: Any, **options: Any) -> Rendered:
        handed.append(len(request.messages))
        return render(request, *arguments, **options)

    def counted_text(*arguments: Any, messages: Any, **options: Any) -> str:
        handed.append(len(messages))
        return render_text(*arguments, messages=messages, **options)

    def counted_item(view: MessageView, position: int) -> Any:
        handed.append(1)
        return item(view, position)

    item = MessageView.item
    monkeypatch.setattr(MessageView, "item", counted_item)
    monkeypatch.setattr("promptlint.captures.splice.render", counted)
    monkeypatch.setattr("promptlint.captures.prompt_texts.render", counted)
    monkeypatch.setattr("promptlint.templates.resuming.growing_template.render_text", counted_text)
    work = []
    for requests in (24, 48):
        handed.clear()
        parser, reader = GrowingLines(), GrowingRequests()
        sent = [reader.read(parser.parse(json.dumps(body))) for body in in_turns(4, requests)]
        assert len(list(render_growing([(one, NOW) for one in sent], MODELS[name]))) == len(sent)
        work.append(sum(handed))
    assert work[1] < 2.5 * work[0]


def test_prompts_before_one_that_is_refused_still_come() -> None:
    source = (
        "{% for message in messages %}{% if message.role == 'tool' %}"
        "{{ raise_exception('no tools') }}{% endif %}{{ message.content }}{% endfor %}"
    )
    model = replace(embedded_model(), template=source, appends=False)
    user, tool = Message("user", (Block("Hi."),)), Message("tool", (Block("7"),))
    asked = [(Request(messages=messages), NOW) for messages in ((user,), (user, user), (tool,))]
    prompts = render_growing(asked, model)
    assert [next(prompts).rendered.text for _ in range(2)] == ["Hi.", "Hi.Hi."]
    with pytest.raises(TemplateError, match="no tools"):
        next(prompts)


def test_what_taking_a_request_raises_comes_behind_the_prompts_before_it() -> None:
    def asked() -> Iterator[tuple[Request, datetime]]:
        for number in range(20):
            yield Request(messages=(Message("user", (Block(str(number)),)),)), NOW
        raise ValueError("no more")

    prompts = render_growing(asked(), embedded_model())
    assert len([next(prompts) for _ in range(20)]) == 20
    with pytest.raises(ValueError, match="no more"):
        next(prompts)


@pytest.mark.parametrize("name", ["embedded", "anthropic", "Qwen3-Coder"])
def test_more_prompts_than_are_counted_at_once_are_each_its_own(name: str) -> None:
    texts = [f"Question {number}." * (number % 7) for number in range(40)]
    asked = [(Request(messages=(Message("user", (Block(text),)),)), NOW) for text in texts]
    for one, found in zip(asked, render_growing(asked, MODELS[name]), strict=True):
        assert_alone(one, found, MODELS[name])


def test_prompts_that_others_go_on_from_are_let_go() -> None:
    def kept() -> int:
        return sum(isinstance(thing, Prompt | Cut) for thing in gc.get_objects())

    before = kept()
    asked = [(request_from_body(body), NOW) for body in bodies(120)]
    prompts = render_growing(asked, embedded_model())
    for _ in range(100):
        next(prompts)
    assert kept() - before < 100
