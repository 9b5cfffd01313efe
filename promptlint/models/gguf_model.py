"""A model out of a `.gguf` file: the chat template and the tokenizer of its metadata."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from promptlint.models.embedded import TOKENIZER_ORIGIN, embedded_tokenizer
from promptlint.models.folder import FolderTokenizer
from promptlint.models.gguf import read_metadata
from promptlint.models.model import Model, ModelError
from promptlint.models.tokenizer import FastTokenizer

if TYPE_CHECKING:
    import tokenizers

_TEMPLATE = "tokenizer.chat_template"
_SPECIAL = ("bos", "eos", "unknown", "padding", "seperator", "cls", "mask")
_NAMES = {"unknown": "unk", "padding": "pad", "seperator": "sep"}
_CONTROL, _USER_DEFINED = 3, 4
"""The types of tokens that are recognised as a whole, whatever stands around them."""

_WORDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?%s+|\p{N}%s| ?[^\s%s\p{N}]+[\r\n]*"
_SPACES = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
_SPLITS = {
    "llama-bpe": _WORDS % (r"\p{L}", "{1,3}", r"\p{L}") + _SPACES,
    "qwen2": _WORDS % (r"\p{L}", "", r"\p{L}") + _SPACES,
    "qwen35": _WORDS % (r"[\p{L}\p{M}]", "", r"\p{L}\p{M}") + _SPACES,
}
"""How texts are cut into words before they are merged, by the file's `tokenizer.ggml.pre`."""
_SINGLE_DIGITS = frozenset({"starcoder", "refact", "command-r", "smollm", "codeshell"})


def model_from_gguf(name: str, path: Path, given: FolderTokenizer | None = None) -> Model:
    """The template in a `.gguf` file, with the `given` tokenizer or else the file's own.

    Tokens are estimated where the file's tokenizer is of a kind that is not known here.
    Raises ModelError where the file is broken or has no template.
    """
    metadata = read_metadata(name, path)
    template, key = _chat_template(name, metadata)
    own = None if given else _tokenizer(metadata)
    tokens = "" if given or own else f"; tokens estimated with {TOKENIZER_ORIGIN}"
    return Model(
        name=name,
        tokenizer=given.tokenizer if given else own or embedded_tokenizer(),
        template=template,
        special_tokens=given.special_tokens if given else _special_tokens(metadata),
        estimated=not (given or own),
        origin=f"{key} in the metadata of {name}{tokens}",
    )


def tokenizer_in_gguf(name: str, path: Path) -> FolderTokenizer:
    """The tokenizer of a `.gguf` file. Raises ModelError where it is of no known kind."""
    metadata = read_metadata(name, path)
    tokenizer = _tokenizer(metadata)
    if tokenizer is None:
        kind = " ".join(str(metadata.get(f"tokenizer.ggml.{key}")) for key in ("model", "pre"))
        raise ModelError(f"{name}: its tokenizer is of a kind that is not supported ({kind})")
    return FolderTokenizer(tokenizer, _special_tokens(metadata))


def _chat_template(name: str, metadata: Mapping[str, Any]) -> tuple[str, str]:
    """The template that is used when there are tools, and its key."""
    for key in (f"{_TEMPLATE}.tool_use", _TEMPLATE):
        if isinstance(metadata.get(key), str):
            return metadata[key], key
    raise ModelError(f"{name}: no chat template in its metadata (looked for {_TEMPLATE})")


def _special_tokens(metadata: Mapping[str, Any]) -> dict[str, str]:
    tokens = metadata.get("tokenizer.ggml.tokens", [])
    found = {name: metadata.get(f"tokenizer.ggml.{name}_token_id") for name in _SPECIAL}
    return {
        f"{_NAMES.get(name, name)}_token": tokens[number]
        for name, number in found.items()
        if isinstance(number, int) and number < len(tokens)
    }


def _tokenizer(metadata: Mapping[str, Any]) -> FastTokenizer | None:
    """The file's own tokenizer: byte-level BPE with a known way of cutting words; else None."""
    split = _word_split(metadata.get("tokenizer.ggml.pre"))
    if metadata.get("tokenizer.ggml.model") != "gpt2" or split is None:
        return None
    import tokenizers

    tokens: list[str] = metadata["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ", 1)) for merge in metadata["tokenizer.ggml.merges"]]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    backend = tokenizers.Tokenizer(
        tokenizers.models.BPE(
            vocab=vocabulary,
            merges=merges,
            ignore_merges=metadata["tokenizer.ggml.pre"] == "llama-bpe",
        )
    )
    backend.pre_tokenizer = split
    kinds = metadata.get("tokenizer.ggml.token_type", [])
    whole = zip(tokens, kinds, strict=False)
    backend.add_special_tokens([t for t, kind in whole if kind in (_CONTROL, _USER_DEFINED)])
    return FastTokenizer(backend)


def _word_split(pre: str | None) -> "tokenizers.pre_tokenizers.PreTokenizer | None":
    from tokenizers import Regex, pre_tokenizers

    if pre in _SPLITS:
        words = pre_tokenizers.Split(Regex(_SPLITS[pre]), behavior="isolated")
        letters = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        return pre_tokenizers.Sequence([words, letters])
    letters = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if pre in _SINGLE_DIGITS:
        return pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), letters])
    return letters if pre == "gpt-2" else None
