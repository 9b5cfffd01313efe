from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.captures.block_tokens import BlockTokens, Pieces, pieces_between
from promptlint.captures.turns import read_turns
from promptlint.models.hosted import hosted_model
from promptlint.models.model import Encoding
from tests.captures.agent import Body, capture

MODEL = hosted_model("anthropic")


def tokens_of(blocks: BlockTokens, pieces: Pieces) -> Encoding:
    """The tokens of pieces, of which the unknown ones are tokenised."""
    texts = blocks.unknown([pieces, pieces])
    blocks.learn(texts, map(MODEL.tokenizer.encode, texts))
    return blocks.put_together(pieces)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=60), ends=st.sets(st.integers(0, 60)))
def test_pieces_have_their_own_tokens(text: str, ends: set[int]) -> None:
    inside = {end for end in ends if end < len(text)}
    cut = tokens_of(BlockTokens(), pieces_between(text, 0, inside))
    expected: list[int] = []
    for start, end in pairwise(sorted({0, len(text), *inside})):
        expected += MODEL.tokenizer.encode(text[start:end]).ids
    assert list(cut.ids) == expected
    assert list(cut.starts) == sorted(cut.starts)
    assert len(cut.starts) == len(cut.ids)


def test_only_new_pieces_are_tokenised() -> None:
    blocks = BlockTokens()
    tokens_of(blocks, pieces_between("one\ntwo\n", 0, {4, 8}))
    assert blocks.unknown([pieces_between("one\ntwo\nthree", 0, {4, 8})]) == ["three"]


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
