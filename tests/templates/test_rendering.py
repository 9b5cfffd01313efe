"""Small templates of our own: what is printed, and where each run came from."""

import threading
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.templates import UNKNOWN, TemplateRender, TracedText, render_template
from promptlint.templates.traced_text import concatenated, text_from

NOW = datetime(2031, 7, 9, 12, 34, 56)

CHAT = """
{%- if tools %}
    {{- '<tools>\\n' }}
    {%- for tool in tools %}
{{ tool | tojson }}
    {% endfor %}
    {{- '</tools>\\n' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|' + message.role + '|>\\n' + message.content | trim + '<|end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}
"""


def rendered(source: str, **inputs: Any) -> TemplateRender:
    return render_template(source, **{"messages": [], "now": NOW, **inputs})


def runs(render: TemplateRender) -> list[tuple[str, Any, int | None]]:
    return [(render.text[run.start : run.end], run.leaf, run.offset) for run in render.runs]


def test_a_chat_template() -> None:
    render = rendered(
        CHAT,
        messages=[{"role": "system", "content": " Be brief.\n"}, {"role": "user", "content": "hi"}],
        tools=[{"name": "f", "strict": True}],
    )
    assert render.exact
    assert runs(render) == [
        ("<tools>\n", None, None),
        ('{"name": "', ("tools", 0), None),
        ("f", ("tools", 0, "name"), 0),
        ('", "strict": ', ("tools", 0), None),
        ("true", ("tools", 0, "strict"), None),
        ("}", ("tools", 0), None),
        ("\n</tools>\n<|", None, None),
        ("system", ("messages", 0, "role"), 0),
        ("|>\n", None, None),
        ("Be brief.", ("messages", 0, "content"), 1),
        ("<|end|>\n<|", None, None),
        ("user", ("messages", 1, "role"), 0),
        ("|>\n", None, None),
        ("hi", ("messages", 1, "content"), 0),
        ("<|end|>\n<|assistant|>\n", None, None),
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=4), st.text(max_size=20))
def test_runs_tile_and_offsets_hold_for_any_text(contents: list[str], description: str) -> None:
    render = rendered(
        CHAT,
        messages=[{"role": "user", "content": content} for content in contents],
        tools=[{"description": description}],
    )
    assert render.exact
    assert "".join(text for text, _, _ in runs(render)) == render.text
    for text, leaf, offset in runs(render):
        if leaf is not None and leaf[-1] == "content":
            assert contents[leaf[1]].strip() == text
            assert offset is not None
            assert contents[leaf[1]][offset : offset + len(text)] == text


def test_macros_set_blocks_filter_blocks_and_namespaces_keep_provenance() -> None:
    source = (
        "{% macro m(x) %}[{{ x }}]{% endmacro %}{% set s %}({{ a }}){% endset %}"
        "{% set ns = namespace(t='') %}{% for i in range(2) %}{% set ns.t = ns.t ~ a %}{% endfor %}"
        "{{ m(a) }}{{ s }}{% filter upper %}-{{ a }}{% endfilter %}{{ ns.t }}"
        "{% generation %}{{ a }}{% endgeneration %}"
    )
    render = rendered(source, arguments={"a": "ab"})
    leaf = ("arguments", "a")
    assert render.text == "[ab](ab)-ABababab"
    assert runs(render) == [
        ("[", None, None),
        ("ab", leaf, 0),
        ("](", None, None),
        ("ab", leaf, 0),
        (")-", None, None),
        *[(text, leaf, 0) for text in ("AB", "ab", "ab", "ab")],
    ]


def test_special_tokens_are_the_template_s_own_text() -> None:
    render = rendered("{{ bos_token }}x", special_tokens={"bos_token": "<s>"})
    assert runs(render) == [("<s>x", None, None)]


def test_the_clock_is_the_given_time_and_says_its_format() -> None:
    render = rendered("Today: {{ strftime_now('%d %b %Y') }}.")
    assert runs(render) == [
        ("Today: ", None, None),
        ("09 Jul 2031", ("clock", "%d %b %Y"), 0),
        (".", None, None),
    ]


def test_none_fields_are_dropped_and_reasoning_has_all_its_names() -> None:
    source = (
        "{{ messages[0].thinking }}|{{ messages[0].reasoning_content }}|{{ 'name' in messages[0] }}"
    )
    render = rendered(source, messages=[{"role": "assistant", "reasoning": "why", "name": None}])
    assert render.text == "why|why|False"
    assert runs(render)[0] == ("why", ("messages", 0, "reasoning"), 0)
    assert runs(render)[2] == ("why", ("messages", 0, "reasoning"), 0)


def test_text_that_is_traced_already_keeps_its_leaves() -> None:
    content = concatenated(
        [text_from("base", ("system", 0), 0), text_from("mem", ("system", 1), 0)]
    )
    render = rendered(
        "<{{ messages[0].content }}>", messages=[{"role": "system", "content": content}]
    )
    assert isinstance(content, TracedText)
    assert runs(render)[1:3] == [("base", ("system", 0), 0), ("mem", ("system", 1), 0)]


def test_what_no_input_holds_alone_is_unknown_and_not_exact() -> None:
    render = rendered("{{ (a ~ '-')|wordwrap }}", arguments={"a": "ab"})
    assert not render.exact
    assert runs(render) == [("ab-", UNKNOWN, None)]


# `Markup.unescape` is the one method that traced text does not have.
UNTRACED = "Hello {{ (messages[0].content|safe).unescape() }} bye"


def test_marks_give_approximate_runs_where_tracing_fails() -> None:
    render = rendered(UNTRACED, messages=[{"role": "user", "content": " to &amp; you\n"}])
    assert not render.exact
    assert runs(render) == [
        ("Hello  ", UNKNOWN, None),
        ("to & you", ("messages", 0, "content"), None),
        ("\n bye", UNKNOWN, None),
    ]


def test_marks_keep_offsets_of_unchanged_text() -> None:
    render = rendered(UNTRACED, messages=[{"role": "user", "content": " to you"}])
    assert runs(render)[1] == ("to you", ("messages", 0, "content"), 1)


def test_searching_is_the_last_resort() -> None:
    source = UNTRACED + "{{ messages[0].content|length }}{{ messages[1].content }}"
    content = [" a longer text", "short"]
    render = rendered(source, messages=[{"role": "user", "content": c} for c in content])
    assert not render.exact
    assert runs(render) == [
        ("Hello  ", UNKNOWN, None),
        ("a longer text", ("messages", 0, "content"), 1),
        (" bye14short", UNKNOWN, None),
    ]


def test_searching_does_not_guess_between_two_places() -> None:
    source = UNTRACED + "{{ messages[0].content|length }}{{ messages[0].content }}"
    render = rendered(source, messages=[{"role": "user", "content": "a longer text"}])
    assert runs(render) == [(render.text, UNKNOWN, None)]


def test_threads_do_not_disturb_each_other() -> None:
    results: dict[int, str] = {}

    def run(day: int) -> None:
        now = datetime(2031, 7, day)
        for _ in range(50):
            render = render_template("{{ strftime_now('%d') }}", messages=[], now=now)
            results[day] = render.text

    threads = [threading.Thread(target=run, args=(day,)) for day in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {1: "01", 2: "02", 3: "03", 4: "04"}


@pytest.mark.parametrize("prompt", [True, False])
def test_generation_prompt(prompt: bool) -> None:
    assert rendered(CHAT, add_generation_prompt=prompt).text == "<|assistant|>\n" * prompt
