from datetime import datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.captures.block_tokens import BlockTokens
from promptlint.captures.turns import read_turns
from promptlint.models.hosted import hosted_model
from promptlint.render import render
from promptlint.request import Block, Message, Request
from tests.captures.agent import Body, capture

MODEL = hosted_model("anthropic")
NOW = datetime(2026, 11, 29)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=60), ends=st.sets(st.integers(0, 60)))
def test_pieces_have_their_own_tokens(text: str, ends: set[int]) -> None:
    rendered = render(Request(messages=(Message("user", (Block(text),)),)), MODEL, NOW)
    cut = BlockTokens(MODEL.tokenizer).cut(rendered, {e for e in ends if e < len(text)})
    places = sorted({0, len(text), *(e for e in ends if e < len(text))})
    expected: list[int] = []
    for start, end in pairwise(places):
        expected += MODEL.tokenizer.encode(text[start:end]).ids
    assert list(cut.token_ids) == expected
    assert list(cut.token_starts) == sorted(cut.token_starts)
    assert len(cut.token_starts) == len(cut.token_ids)


def test_a_block_keeps_its_tokens_whatever_follows() -> None:
    """`one. ` at the end and `one. ` before a blank line are two tokens in one text."""
    first = {"role": "user", "content": "one. "}
    second = {"role": "assistant", "content": "two"}
    system = "You are an agent."
    one: Body = {"system": system, "messages": [first]}
    both: Body = {"system": system, "messages": [first, second]}
    short, long = list(read_turns(capture(one, both), MODEL))
    size = short.turn.tokens
    assert long.rendered.token_ids[:size] == short.rendered.token_ids
    assert size in long.turn.block_ends
