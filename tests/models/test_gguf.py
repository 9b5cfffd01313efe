"""Models out of `.gguf` files, which are written here byte by byte as the format says."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from promptlint.models import ModelError, find_model
from promptlint.models.gguf import read_metadata

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}{{ m.content }}{% endfor %}{{ eos_token }}"
)
SENTENCE = "the clock is read <|im_start|>once in 1999, naïve 日本語 😀\n"


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def kind_of(value: Any) -> int:
    kinds = {bool: 7, int: 11, float: 12, str: 8, list: 9}
    return kinds[type(value)]


def plain(value: Any) -> bytes:
    match value:
        case bool():
            return struct.pack("<?", value)
        case int():
            return struct.pack("<q", value)
        case float():
            return struct.pack("<d", value)
        case list():
            kind = kind_of(value[0]) if value else 8
            return struct.pack("<IQ", kind, len(value)) + b"".join(map(plain, value))
        case _:
            return text(value)


def gguf(metadata: dict[str, Any], version: int = 3) -> bytes:
    head = b"GGUF" + struct.pack("<IQQ", version, 0, len(metadata))
    pairs = (text(key) + struct.pack("<I", kind_of(v)) + plain(v) for key, v in metadata.items())
    return head + b"".join(pairs)


@pytest.fixture
def metadata(tokenizer_json: str) -> dict[str, Any]:
    """What the format keeps of the small tokenizer, and a template."""
    model = json.loads(tokenizer_json)["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
    return {
        "general.architecture": "tiny",
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if token.startswith("<|im") else 1 for token in tokens],
        "tokenizer.ggml.merges": [" ".join(merge) for merge in model["merges"]],
        "tokenizer.ggml.eos_token_id": tokens.index("<|im_end|>"),
        "tokenizer.chat_template": TEMPLATE,
    }


def write(folder: Path, content: bytes) -> Path:
    path = folder / "tiny.gguf"
    path.write_bytes(content)
    return path


def test_template_and_tokenizer_come_out_of_the_file(
    tmp_path: Path, metadata: dict[str, Any], tokenizer_json: str
) -> None:
    write(tmp_path, gguf(metadata))
    model = find_model("tiny.gguf", base=tmp_path)
    expected = Tokenizer.from_str(tokenizer_json).encode(SENTENCE, add_special_tokens=False)

    assert model.template == TEMPLATE
    assert model.special_tokens == {"eos_token": "<|im_end|>"}
    assert model.origin == "tokenizer.chat_template in the metadata of tiny.gguf"
    assert not model.estimated
    assert list(model.tokenizer.encode(SENTENCE).ids) == expected.ids


def test_the_template_for_tools_goes_first(tmp_path: Path, metadata: dict[str, Any]) -> None:
    write(tmp_path, gguf(metadata | {"tokenizer.chat_template.tool_use": "tools"}))

    assert find_model("tiny.gguf", base=tmp_path).template == "tools"


@pytest.mark.parametrize(
    "other", [{"tokenizer.ggml.model": "llama"}, {"tokenizer.ggml.pre": "unheard-of"}]
)
def test_tokens_of_an_unknown_kind_are_estimated(
    tmp_path: Path, metadata: dict[str, Any], other: dict[str, str]
) -> None:
    write(tmp_path, gguf(metadata | other))
    model = find_model("tiny.gguf", base=tmp_path)

    assert model.estimated
    assert "tokens estimated with the DeepSeek tokenizer" in model.origin
    with pytest.raises(ModelError, match="its tokenizer is of a kind that is not supported"):
        find_model(None, tokenizer="tiny.gguf", base=tmp_path)


@pytest.mark.parametrize("pre", ["llama-bpe", "qwen2", "qwen35", "starcoder"])
def test_digits_are_cut_as_the_kind_says(
    tmp_path: Path, metadata: dict[str, Any], pre: str
) -> None:
    merged = {
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": [*metadata["tokenizer.ggml.tokens"], "19", "199"],
        "tokenizer.ggml.merges": ["1 9", "19 9"],
    }
    write(tmp_path, gguf(metadata | merged))
    tokenizer = find_model("tiny.gguf", base=tmp_path).tokenizer

    # Llama 3 cuts numbers into groups of three digits, the others into digits.
    assert len(tokenizer.encode("1999").ids) == (2 if pre == "llama-bpe" else 4)


def test_the_file_can_stand_for_a_tokenizer(tmp_path: Path, metadata: dict[str, Any]) -> None:
    write(tmp_path, gguf(metadata))
    (tmp_path / "chat.jinja").write_text("{{ eos_token }}")
    model = find_model("chat.jinja", tokenizer="tiny.gguf", base=tmp_path)

    assert model.special_tokens == {"eos_token": "<|im_end|>"}
    assert not model.estimated


VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(max_size=9).filter(lambda value: value.isprintable()),
    st.lists(st.integers(0, 99), min_size=1, max_size=4),
    st.lists(st.text(alphabet="aé日", max_size=3), min_size=1, max_size=4),
)


@given(st.dictionaries(st.text(alphabet="ab.", max_size=5), VALUES, max_size=5))
def test_all_kinds_of_values_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]
) -> None:
    path = write(tmp_path_factory.mktemp("gguf"), gguf(values))

    assert read_metadata("tiny", path) == values


def test_a_file_that_is_cut_off_anywhere_says_so(tmp_path: Path) -> None:
    content = gguf({"a.text": "words", "a.list": [1, 2, 3], "a.flag": True})

    for length in range(5, len(content)):
        with pytest.raises(ModelError, match=r"^tiny: its metadata is broken or cut off$"):
            read_metadata("tiny", write(tmp_path, content[:length]))


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "cannot be read: cannot mmap an empty file"),
        (b"PK\x03\x04 and more", "no GGUF file"),
        (gguf({}, version=1), "GGUF version 1 is not supported"),
        (gguf({"general.name": "tiny"}), "no chat template in its metadata"),
    ],
)
def test_what_is_no_model_says_why(tmp_path: Path, content: bytes, cause: str) -> None:
    write(tmp_path, content)

    with pytest.raises(ModelError, match=f"tiny.gguf: {cause}"):
        find_model("tiny.gguf", base=tmp_path)


def test_a_missing_file_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"models/tiny\.gguf: no such file"):
        find_model("models/tiny.gguf", base=tmp_path)


@pytest.mark.parametrize("name", ["Modelfile", "chat.jinja"])
def test_a_go_template_is_named_as_such(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{{- if .System }}<|system|>{{ .System }}{{ end }}{{ .Prompt }}")

    with pytest.raises(ModelError, match=f"{name}: a template in Go's language, as Ollama has"):
        find_model(name, base=tmp_path)
