"""A small real tokenizer, trained anew for each run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

SENTENCES = ["the tools are listed before the memory", "the clock is read once in a session"]


def train_tokenizer() -> Tokenizer:
    """A byte-level BPE tokenizer with the ChatML control tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        show_progress=False,
        special_tokens=["<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer


@pytest.fixture(scope="session")
def tokenizer_json() -> str:
    return train_tokenizer().to_str()


@pytest.fixture
def model_folder(tmp_path: Path, tokenizer_json: str) -> Callable[..., Path]:
    """Write `tiny/` with the given files; a value that is no text is written as JSON."""

    def write(files: dict[str, Any], tokenizer: str | None = tokenizer_json) -> Path:
        folder = tmp_path / "tiny"
        for name, value in ({"tokenizer.json": tokenizer} | files).items():
            if value is None:
                continue
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
        return folder

    return write
