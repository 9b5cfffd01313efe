"""Extending, losing, and why: the comparison of two renderings."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.models.model import Model
from promptlint.probes.breaks import Cause, find_loss
from promptlint.probes.conversation import Shape, session, shapes
from promptlint.probes.history import goes_on, history_breaks
from promptlint.probes.printing import printed, with_special_tokens
from promptlint.probes.switch import Switch, arguments_of, switches_of
from promptlint.request import Block, Message, Request
from tests.probes.corpus import Characters, corpus_model

TEXTS = st.text(max_size=12)
MESSAGES = st.lists(
    st.builds(
        lambda role, text, thought: Message(role, (Block(text),), reasoning=thought or None),
        st.sampled_from(["user", "assistant", "tool"]),
        TEXTS,
        TEXTS,
    ),
    min_size=1,
    max_size=6,
)
APPENDING = Model(
    "appending",
    Characters(),
    "{% for m in messages %}<{{ m.role }}>{{ m.thinking }}{{ m.content }}{% endfor %}",
)
FORGETFUL = Model(
    "forgetful",
    Characters(),
    "{% for m in messages %}<{{ m.role }}>{% if loop.last or forget == 'nothing' %}"
    "{{ m.thinking }}{% endif %}{{ m.content }}{% endfor %}",
)


def growing(messages: list[Message]) -> list[Request]:
    return [Request(messages=tuple(messages[: end + 1])) for end in range(len(messages))]


@settings(deadline=None)
@given(MESSAGES)
def test_a_template_that_only_appends_never_breaks(messages: list[Message]) -> None:
    assert history_breaks(growing(messages), APPENDING) == ()


@settings(deadline=None)
@given(MESSAGES)
def test_a_break_is_where_the_texts_part(messages: list[Message]) -> None:
    requests = growing(messages)
    texts = [printed(request, FORGETFUL).text for request in requests]
    breaks = history_breaks(requests, FORGETFUL)

    extending = [new.startswith(old) for old, new in pairwise(texts)]
    assert [made.step for made in breaks] == [
        step for step, extends in enumerate(extending, start=2) if not extends
    ]
    for made in breaks:
        old, new = texts[made.step - 2], texts[made.step - 1]
        assert old[: made.char] == new[: made.char]
        assert old[made.char] != new[made.char : made.char + 1]
        assert made.lost_chars == made.lost_tokens == len(old) - made.char
        assert made.cause is Cause.REASONING_DROPPED
        assert made.switch == Switch("forget", "nothing")


def test_a_rendering_extends_itself() -> None:
    rendered = printed(session(Shape())[0], APPENDING)

    assert find_loss(rendered, rendered) is None


def test_shapes_give_up_the_least_first() -> None:
    every = list(shapes())

    assert every[0] == Shape()
    assert every[1] == Shape(arguments_as_object=False)
    assert every[-1] == Shape(
        arguments_as_object=False,
        text_beside_calls=False,
        reasoning=False,
        system=False,
        calls=False,
    )
    assert len(set(every)) == len(every) == 32


def test_each_request_of_every_shape_goes_on_from_the_one_before() -> None:
    for shape in shapes():
        requests = session(shape)
        assert len(requests) == (6 if shape.calls else 3)
        assert all(goes_on(*pair) for pair in pairwise(requests))


def test_arguments_are_read_from_the_template() -> None:
    template = (
        "{% if mode in ['fast', 'slow'] or effort == 3 %}{{ strftime_now('%d') }}{% endif %}"
        "{% set own = 1 %}{{ own }}{{ bos_token }}{% for m in messages %}{{ m }}{% endfor %}"
    )

    assert arguments_of(template) == ("effort", "mode")
    assert {(switch.name, switch.value) for switch in switches_of(template)} == {
        ("effort", True),
        ("effort", False),
        ("effort", 3),
        ("mode", True),
        ("mode", False),
        ("mode", "fast"),
        ("mode", "slow"),
    }
    assert str(Switch("mode", "fast")) == "mode='fast'"


def test_a_template_with_a_syntax_error_has_no_arguments() -> None:
    assert switches_of("{% if %}") == ()


def test_system_text_that_moves_is_told_from_tools_that_move() -> None:
    nemo = with_special_tokens(corpus_model("mistralai-Mistral-Nemo-Instruct-2407"))
    breaks = history_breaks(session(Shape()), nemo)

    assert [made.causes[0] for made in breaks] == [
        Cause.SYSTEM_MOVED,
        Cause.TOOLS_MOVED,
        Cause.SYSTEM_MOVED,
        Cause.TOOLS_MOVED,
    ]
