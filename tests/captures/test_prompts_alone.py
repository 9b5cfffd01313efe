"""The prompts of requests that go on from each other are those of each request alone."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from promptlint.captures.growing_prompts import render_growing
from promptlint.models.embedded import embedded_model
from promptlint.models.model import Model
from promptlint.render import render
from promptlint.request import Block, Message, Request, Tool
from promptlint.templates import TemplateError
from tests.captures.growing import MODELS, NOW, assert_alone

TEXTS = st.sampled_from(
    ["", "x", "a unbeliev", "able", "<|im_", "end|>", " ", "a b \n", "<|im_end|>"]
)
OPAQUE = st.sampled_from([None, None, None, "image sha256:0"])
blocks = st.lists(st.builds(Block, TEXTS, opaque=OPAQUE), max_size=2).map(tuple)
messages = st.builds(Message, st.sampled_from(["user", "assistant"]), blocks)
NO_SEPARATORS = "{% for m in messages %}{{ m.content }}{% endfor %}"
TOOLS_LAST = (
    "{% for m in messages %}{{ m.content }}{% if loop.last %}"
    "{% for t in tools %}{{ t | tojson }}{% endfor %}{% endif %}|{% endfor %}"
)
TOOLS_TWICE = (
    "{% for t in tools %}{{ t | tojson }}{% endfor %}"
    "{% for m in messages %}{{ m.content }}|{% if loop.index == 4 %}"
    "{% for t in tools %}{{ t | tojson }}{% endfor %}{% endif %}{% endfor %}"
)
REPEATS = (
    "{% for m in messages %}{{ m.content }}|{% endfor %}"
    "{% if messages | length > 3 %}{{ messages[-3].content }}{% endif %}"
)
OWN = [
    replace(embedded_model(), name="own", template=source, appends=False)
    for source in (NO_SEPARATORS, TOOLS_LAST, TOOLS_TWICE, REPEATS)
]
TOOLS = (Tool("read", {"type": "function", "function": {"name": "read"}}),)


def user(*texts: str, opaque: str | None = None) -> Message:
    return Message("user", tuple(Block(text, opaque=opaque) for text in texts))


ANSWER = Message("assistant", (Block("Yes."),))


@pytest.mark.parametrize("model", [*MODELS.values(), *OWN], ids=lambda model: model.name)
@pytest.mark.parametrize(
    "sent",
    [
        [[user("x", "")], [user("x", ""), user("x")]],
        [[user("a unbeliev"), user("")], [user("a unbeliev"), user(""), user("able")]],
        [[user("x")], [user("x"), user("")], [user("x"), user(""), user("y")]],
        [[user("a"), user("b", opaque="image sha256:0")], [user("a"), user("c")]],
        [[user("a")] * 3, [user("a")] * 4, [user("a")] * 5],
        [[user("q"), *[ANSWER] * number] for number in range(1, 7)],
    ],
)
def test_prompts_after_odd_ones_are_those_of_each_request_alone(
    sent: list[list[Message]], model: Model
) -> None:
    asked = [(Request(messages=tuple(one), tools=TOOLS), NOW) for one in sent]
    for one, found in zip(asked, render_growing(asked, model), strict=True):
        assert_alone(one, found, model)


@settings(max_examples=400, deadline=None)
@given(
    first=st.lists(messages, min_size=1, max_size=5),
    second=st.lists(messages, max_size=3),
    cuts=st.lists(st.tuples(blocks, st.integers(1, 5), st.booleans()), min_size=2, max_size=6),
    model=st.sampled_from([*MODELS.values(), *OWN]),
)
def test_prompts_are_those_of_each_request_alone(
    first: list[Message],
    second: list[Message],
    cuts: list[tuple[tuple[Block, ...], int, bool]],
    model: Model,
) -> None:
    """Also where texts are empty, run into each other, or hold special tokens or parts of them."""
    asked = [
        (Request(system, TOOLS, (*first[:cut], *(second if forks else []))), NOW)
        for system, cut, forks in cuts
    ]
    refused = [_refused(one, model) for one in asked]
    kept = [one for one, is_refused in zip(asked, refused, strict=True) if not is_refused]
    for one, found in zip(kept, render_growing(kept, model), strict=True):
        assert_alone(one, found, model)


def _refused(asked: tuple[Request, datetime], model: Model) -> bool:
    try:
        render(asked[0], model, NOW, count_tokens=False)
    except TemplateError:
        return True
    return False
