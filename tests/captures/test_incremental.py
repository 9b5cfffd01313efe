"""Tokens taken over from an earlier text are those of the whole text."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, models, pre_tokenizers, processors, trainers
from tokenizers import Tokenizer as Backend

from promptlint.captures.incremental import IncrementalTokens
from promptlint.models.embedded import embedded_tokenizer
from promptlint.models.model import Encoding, Tokenizer
from promptlint.models.tokenizer import FastTokenizer

REAL = embedded_tokenizer(("<|im_start|>", "<|im_end|>"))

WORDS = ["<|im_start|>", "<|im_end|>", "a", "aa", "The ", "memory", "1234567", "'s", "-----"]
SPACES = ["\n", "\n\n", " ", "  ", "\t", "\r\n"]
CODE = ["def f(x):\n    return x", '{"path": "src/net"}']
BEYOND_ASCII = ["日本語", "é", "e\u0301", "\U0001f600", "\U0001f468\u200d\U0001f469", "…", "\ufffd"]
PIECES = WORDS + SPACES + CODE + BEYOND_ASCII


def trimming() -> FastTokenizer:
    """A small tokenizer that trims its offsets: a space starts where what is behind it does."""
    backend = Backend(models.BPE())
    bytes_of = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.pre_tokenizer = bytes_of
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=letters, show_progress=False)
    backend.train_from_iterator(["The memory of a long result"] * 9, trainer)
    backend.post_processor = processors.ByteLevel(trim_offsets=True)
    backend.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    return FastTokenizer(backend)


TRIMMING = trimming()


class Counting:
    """A real tokenizer that counts the characters it was given."""

    def __init__(self) -> None:
        self.characters = 0

    def encode(self, text: str) -> Encoding:
        self.characters += len(text)
        return REAL.encode(text)


class CountingWithBarriers(Counting):
    """A counting tokenizer that knows its special tokens."""

    barriers = REAL.barriers


def encoded(incremental: IncrementalTokens, texts: list[str]) -> list[Encoding]:
    """The tokens of texts that are cut before the first of them is put together."""
    cuts = [incremental.cut(text) for text in texts]
    return [incremental.whole(cut, incremental.tokenizer.encode(cut.tail)) for cut in cuts]


texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
histories = st.tuples(st.sampled_from(PIECES), st.integers(0, 4000), texts).map(
    lambda drawn: drawn[0] * (drawn[1] // len(drawn[0])) + drawn[2]
)


@settings(max_examples=300, deadline=None)
@given(history=histories, tails=st.lists(texts, min_size=1, max_size=4))
def test_a_text_that_goes_on_or_changes_has_the_tokens_of_the_whole(
    history: str, tails: list[str]
) -> None:
    incremental = IncrementalTokens(REAL)
    for tail in tails:
        assert encoded(incremental, [history + tail]) == [REAL.encode(history + tail)]


@settings(max_examples=300, deadline=None)
@given(
    history=histories,
    tails=st.lists(texts, min_size=2, max_size=5),
    tokenizer=st.sampled_from([REAL, Counting(), TRIMMING]),
)
def test_texts_that_are_cut_at_once_have_the_tokens_of_the_whole(
    history: str, tails: list[str], tokenizer: Tokenizer
) -> None:
    sent = [history + tail for tail in tails]
    assert encoded(IncrementalTokens(tokenizer), sent) == list(map(tokenizer.encode, sent))


@pytest.mark.parametrize("tokenizer", [REAL, TRIMMING])
@pytest.mark.parametrize(
    "sent",
    [
        ["<|im_start|>The <|im_end|>a", "<|im_start|>The <|im_end|>b"],
        ["The <|im_x", "The <|im_end|> memory"],
        ["The <|im_end|> memory", "The <|im_"],
    ],
)
def test_what_stands_before_a_special_token_keeps_its_tokens(
    tokenizer: Tokenizer, sent: list[str]
) -> None:
    assert encoded(IncrementalTokens(tokenizer), sent) == list(map(tokenizer.encode, sent))


def test_texts_without_tokens_have_none() -> None:
    backend = Backend(models.WordLevel({"?": 0}, unk_token="?"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    sent = [" " * 3000, " " * 4000, "? " * 2000]
    tokenizer = FastTokenizer(backend)
    assert encoded(IncrementalTokens(tokenizer), sent) == list(map(tokenizer.encode, sent))


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), cut=st.floats(0, 1))
def test_a_text_that_changes_anywhere_has_the_tokens_of_the_whole(seed: int, cut: float) -> None:
    drawn = random.Random(seed)
    text = "".join(drawn.choices(PIECES, k=800))
    at = int(cut * len(text))
    changed = text[:at] + drawn.choice(PIECES) + text[at:]
    incremental = IncrementalTokens(REAL)
    assert encoded(incremental, [text]) == [REAL.encode(text)]
    assert encoded(incremental, [changed]) == [REAL.encode(changed)]
    assert encoded(incremental, [text]) == [REAL.encode(text)]


@pytest.mark.parametrize("turns", [20, 40])
def test_only_what_is_new_is_cut_again(turns: int) -> None:
    """Twice the turns are twice the work, not four times."""
    counting = Counting()
    incremental = IncrementalTokens(counting)
    drawn = random.Random(7)
    text = ""
    for _ in range(turns):
        text += "<|im_start|>tool\n" + " ".join(drawn.choices(PIECES, k=600)) + "<|im_end|>\n"
        encoded(incremental, [text + "<|im_start|>assistant\n"])
    assert counting.characters < 1.5 * len(text)


def test_a_text_is_cut_again_from_its_last_special_token() -> None:
    counting = CountingWithBarriers()
    incremental = IncrementalTokens(counting)
    text = "<|im_start|>tool\n" + "a long result " * 200 + "<|im_end|>\n<|im_start|>"
    encoded(incremental, [text])
    counting.characters = 0
    encoded(incremental, [text + "assistant\nDone."])
    assert counting.characters == len("<|im_start|>assistant\nDone.")


def test_a_special_token_that_another_one_may_take_back_is_no_barrier() -> None:
    backend = Backend(models.WordLevel({"?": 0}, unk_token="?"))
    texts = ("<a>", "<a>b", "[x]", "{[y}", "<s>")
    backend.add_special_tokens(list(texts))
    backend.add_special_tokens([AddedToken("<s>", lstrip=True, special=True)])
    found = FastTokenizer(backend).barriers
    assert found == {"<a>b", "{[y}"}


def test_two_conversations_do_not_push_each_other_out() -> None:
    counting = Counting()
    incremental = IncrementalTokens(counting)
    texts = ["first " * 2000, "second " * 2000]
    for _ in range(10):
        for index in range(2):
            texts[index] += "and so on, "
            encoded(incremental, [texts[index]])
    assert counting.characters < 2 * sum(map(len, texts))
