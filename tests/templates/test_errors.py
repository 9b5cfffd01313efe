"""A template that cannot be rendered is one clear line, and nothing is left running."""

import threading
from datetime import datetime
from typing import Any

import pytest

from promptlint.templates import TemplateError, render_template
from tests.test_secrets import KEYS, shows

NOW = datetime(2031, 7, 9)
USER = [{"role": "user", "content": "hi"}]


def error_of(source: str, timeout: float = 30.0, **arguments: Any) -> str:
    with pytest.raises(TemplateError) as caught:
        render_template(source, messages=USER, arguments=arguments, now=NOW, timeout=timeout)
    message = str(caught.value)
    assert message.isprintable()
    return message


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "a\n{% if x %}",
            "chat template: line 2: syntax error: Unexpected end of template. Jinja was looking "
            "for the following tags: 'elif' or 'else' or 'endif'. The innermost block that needs "
            "to be closed is 'if'.",
        ),
        (
            "a\n\n{{ x|fromjson }}",
            "chat template: line 3: syntax error: No filter named 'fromjson'.",
        ),
        (
            "\n{{ raise_exception('roles must\nalternate: ' ~ messages[0].content) }}",
            "chat template: line 2: it refuses this conversation: roles must alternate: hi",
        ),
        (
            "{% for a in b %}" * 30 + "{% endfor %}" * 30,
            "chat template: SyntaxError: too many statically nested blocks",
        ),
        ("{{ 'a' + missing }}", "chat template: line 1: 'missing' is undefined"),
        (
            "{{ messages[0].nothing.at_all }}",
            "chat template: line 1: 'dict object' has no attribute 'nothing'",
        ),
        (
            "{{ messages.append(1) }}",
            "chat template: line 1: the sandbox forbids it: access to attribute 'append' of 'list' "
            "object is unsafe.",
        ),
        (
            "{% set ns = namespace(_a=1) %}",
            "chat template: line 1: the sandbox forbids it: a namespace cannot have the attribute "
            "'_a'",
        ),
        (
            "{% set ns = namespace() %}{% set ns._a = 1 %}",
            "chat template: line 1: the sandbox forbids it: a namespace cannot have the attribute "
            "'_a'",
        ),
        (
            "{% macro f(n) %}{{ f(n) }}{% endmacro %}\n{{ f(1) }}",
            "chat template: line 1: it calls itself without end",
        ),
        ("{{ 1 // (messages|length - 1) }}", "chat template: line 1: ZeroDivisionError: "),
    ],
)
def test_message(source: str, message: str) -> None:
    assert error_of(source).startswith(message)


def test_a_long_message_with_control_characters_is_one_short_line() -> None:
    message = error_of("{{ raise_exception(text) }}", text="\x1b[31m\r\n" + "x" * 10_000)
    assert len(message) == 500
    assert message.endswith("...")


@pytest.mark.parametrize("width", range(440, 490, 6))
def test_a_long_message_that_is_cut_inside_a_key_shows_none_of_it(width: int) -> None:
    key = KEYS[0]
    message = error_of("{{ raise_exception(text) }}", text=f"{'x ' * (width // 2)}{key} end")
    assert not shows(message, key)


ENDLESS = {
    "silent loops": (
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
    ),
    "printing loops": (
        "{% for i in range(99999) %}{% for j in range(99999) %}a{% endfor %}{% endfor %}"
    ),
    "doubling macro": (
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}"
    ),
    "recursive loop": "{% for n in [60] recursive %}{{ loop([n - 1, n - 1]) if n }}{% endfor %}",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_template_that_does_not_end_is_stopped(source: str) -> None:
    threads = threading.active_count()
    message = error_of(source, timeout=0.1)
    assert message.endswith("it did not finish within the time limit")
    assert threading.active_count() == threads


def test_the_time_limit_holds_in_another_thread() -> None:
    messages: list[str] = []
    thread = threading.Thread(
        target=lambda: messages.append(error_of(ENDLESS["silent loops"], timeout=0.1))
    )
    thread.start()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert messages[0].endswith("it did not finish within the time limit")


def test_a_template_can_be_rendered_after_it_was_stopped() -> None:
    source = "{% for i in range(n) %}{% for j in range(n) %}{% endfor %}{% endfor %}ok"
    error_of(source, timeout=0.1, n=99_999)
    assert render_template(source, messages=USER, arguments={"n": 3}, now=NOW).text == "ok"
