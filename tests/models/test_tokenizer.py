from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from promptlint.models.embedded import embedded_tokenizer
from promptlint.models.model import ModelError
from promptlint.models.tokenizer import FastTokenizer, tokenizer_from_file

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


@settings(deadline=None)
@given(ANY_TEXT)
def test_starts_never_decrease_and_stay_inside_the_text(text: str) -> None:
    encoding = embedded_tokenizer().encode(text)

    assert len(encoding.ids) == len(encoding.starts)
    assert list(encoding.starts) == sorted(encoding.starts)
    assert all(0 <= start < len(text) for start in encoding.starts)
    assert bool(encoding.ids) == bool(text)


def test_starts_count_characters_not_bytes() -> None:
    text = "世界 🎉 é end"
    starts = embedded_tokenizer().encode(text).starts

    assert starts[-1] == text.index(" end")
    assert starts.count(text.index("🎉")) > 1, "an emoji is cut into tokens that share one start"


def test_special_tokens_in_the_text_are_recognised(tokenizer_json: str) -> None:
    tokenizer = FastTokenizer(Tokenizer.from_str(tokenizer_json))
    encoding = tokenizer.encode("<|im_start|>the<|im_end|>")

    assert (encoding.ids[0], encoding.ids[-1]) == (0, 1)
    assert encoding.starts[:2] == (0, len("<|im_start|>"))


def test_truncation_and_padding_of_the_file_are_switched_off(tokenizer_json: str) -> None:
    backend = Tokenizer.from_str(tokenizer_json)
    backend.enable_truncation(3)
    backend.enable_padding(length=500)
    text = "the memory of a session is read once"

    assert FastTokenizer(Tokenizer.from_str(backend.to_str())).encode(text) == FastTokenizer(
        Tokenizer.from_str(tokenizer_json)
    ).encode(text)


def test_texts_at_once_have_the_tokens_that_they_have_alone() -> None:
    texts = ["", "one", "caf\u00e9 \U0001f468\u200d\U0001f469", "\ud83d lone", "one", " \r\n"]
    tokenizer = embedded_tokenizer()
    assert list(tokenizer.encode_all(texts)) == list(map(tokenizer.encode, texts))
    assert list(tokenizer.encode_all([])) == []


def test_a_lone_surrogate_counts_as_the_replacement_character() -> None:
    tokenizer = embedded_tokenizer()
    assert tokenizer.encode("a\ud800b") == tokenizer.encode("a\ufffdb")


@pytest.mark.parametrize("text", ["", "{}", "not json", '{"model": {"type": "BPE"}}'])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(text)
    with pytest.raises(ModelError, match=r"\Atiny: tokenizer\.json cannot be read: [^\n]+\Z"):
        tokenizer_from_file(path, "tiny")
