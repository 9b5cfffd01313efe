"""A model out of a folder, in the file layouts that transformers has written over the years."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from promptlint.models.model import Model, ModelError, Tokenizer
from promptlint.models.tokenizer import FastTokenizer, tokenizer_from_file

_TEMPLATE_FILE = "chat_template.jinja"
_TEMPLATE_FOLDER = "additional_chat_templates"
_LEGACY_TEMPLATE_FILE = "chat_template.json"
_TOKENIZER_CONFIG = "tokenizer_config.json"
_SPECIAL_TOKENS_MAP = "special_tokens_map.json"

SMALL_FILES = (
    "tokenizer.json",
    _TOKENIZER_CONFIG,
    _SPECIAL_TOKENS_MAP,
    _TEMPLATE_FILE,
    _LEGACY_TEMPLATE_FILE,
    f"{_TEMPLATE_FOLDER}/*.jinja",
)
# What transformers builds a tokenizer from where there is no tokenizer.json, as file patterns.
VOCABULARY_FILES = (
    "added_tokens.json",
    "merges.txt",
    "tekken.json",
    "tokenizer.model",
    "vocab.json",
    "vocab.txt",
    "*.bpe.model",
    "*.tiktoken",
    "spiece.model",
)


class FolderTokenizer(Struct, frozen=True):
    """A tokenizer and the special tokens that it hands to a template."""

    tokenizer: Tokenizer
    special_tokens: dict[str, str]


def model_from_folder(name: str, folder: Path, given: FolderTokenizer | None = None) -> Model:
    """The template in `folder`, with the `given` tokenizer or else the folder's own.

    Raises ModelError where either is missing or broken.
    """
    template, file_name = _chat_template(name, folder)
    chosen = given or tokenizer_in_folder(name, folder)
    return Model(
        name=name,
        tokenizer=chosen.tokenizer,
        template=template,
        special_tokens=chosen.special_tokens,
        origin=f"{file_name} of {name}",
    )


def tokenizer_in_folder(name: str, folder: Path) -> FolderTokenizer:
    """The tokenizer of `folder`: tokenizer.json by itself, anything else through transformers."""
    path = folder / "tokenizer.json"
    if path.is_file():
        return tokenizer_in_file(name, path)
    if not any(any(folder.glob(pattern)) for pattern in VOCABULARY_FILES):
        raise ModelError(f"{name}: no tokenizer in it (looked for tokenizer.json)")
    tokenizer = _tokenizer_from_transformers(name, folder)
    return FolderTokenizer(tokenizer, _special_tokens(name, folder))


def tokenizer_in_file(name: str, path: Path) -> FolderTokenizer:
    """A `tokenizer.json`, with the special tokens that the files next to it name."""
    return FolderTokenizer(tokenizer_from_file(path, name), _special_tokens(name, path.parent))


def _tokenizer_from_transformers(name: str, folder: Path) -> FastTokenizer:
    os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")  # it misses PyTorch, we do not
    import transformers

    try:
        loaded = transformers.AutoTokenizer.from_pretrained(
            str(folder), trust_remote_code=False, local_files_only=True
        )
    except Exception as error:  # each tokenizer class fails in its own way
        cause = f"transformers cannot load its tokenizer: {first_line(error)}"
        raise ModelError(f"{name}: {cause}") from error
    if not loaded.is_fast:
        raise ModelError(
            f"{name}: its tokenizer ({type(loaded).__name__}) does not say where tokens start;"
            " a tokenizer.json is needed"
        )
    return FastTokenizer(loaded.backend_tokenizer)


def _chat_template(name: str, folder: Path) -> tuple[str, str]:
    """The template that is used when there are tools, and the file it stands in."""
    for file_name, templates in _template_files(name, folder):
        for key in ("tool_use", "default"):
            if key in templates:
                return templates[key], file_name
        if templates:
            raise ModelError(
                f"{name}: {file_name} has no template named default or tool_use"
                f" (only {', '.join(templates)})"
            )
    places = f"{_TEMPLATE_FILE}, {_LEGACY_TEMPLATE_FILE}, {_TOKENIZER_CONFIG}"
    raise ModelError(f"{name}: no chat template in it (looked for {places})")


def _template_files(name: str, folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The places of templates in order of precedence, each with its templates by name."""
    separate = {path.stem: path for path in sorted((folder / _TEMPLATE_FOLDER).glob("*.jinja"))}
    if (folder / _TEMPLATE_FILE).is_file():
        separate["default"] = folder / _TEMPLATE_FILE
    if "tool_use" in separate:
        yield f"{_TEMPLATE_FOLDER}/tool_use.jinja", _read_templates(name, separate)
    else:
        yield _TEMPLATE_FILE, _read_templates(name, separate)
    for file_name in (_LEGACY_TEMPLATE_FILE, _TOKENIZER_CONFIG):
        value = _read_json_object(name, folder / file_name).get("chat_template")
        yield file_name, _named_templates(name, file_name, value)


def _named_templates(name: str, file_name: str, value: Any) -> dict[str, str]:
    """A `chat_template` entry: one text, a mapping, or a list of `{"name", "template"}`."""
    match value:
        case None:
            return {}
        case str():
            return {"default": value}
        case list() if all(isinstance(v, dict) and {"name", "template"} <= v.keys() for v in value):
            value = {entry["name"]: entry["template"] for entry in value}
    if isinstance(value, dict) and all(isinstance(text, str) for text in value.values()):
        return value
    raise ModelError(f"{name}: chat_template in {file_name} is no text and no list of templates")


def _special_tokens(name: str, folder: Path) -> dict[str, str]:
    """`bos_token` and the like; the tokenizer's config has the last word."""
    tokens = {}
    for file_name in (_SPECIAL_TOKENS_MAP, _TOKENIZER_CONFIG):
        for key, value in _read_json_object(name, folder / file_name).items():
            text = value.get("content") if isinstance(value, dict) else value
            if key.endswith("_token") and isinstance(text, str):
                tokens[key] = text
    return tokens


def _read_templates(name: str, paths: dict[str, Path]) -> dict[str, str]:
    return {key: read_text(name, path) for key, path in paths.items()}


def _read_json_object(name: str, path: Path) -> dict[str, Any]:
    """The object in an optional JSON file, empty where there is no such file."""
    if not path.is_file():
        return {}
    try:
        value = json.loads(read_text(name, path))
    except json.JSONDecodeError as error:
        raise ModelError(f"{name}: {path.name} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ModelError(f"{name}: {path.name} is not a JSON object")
    return value


def read_text(name: str, path: Path) -> str:
    """The text of a file of model `name`; ModelError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{name}: {path.name} cannot be read: {error}") from error


def first_line(error: BaseException) -> str:
    """The first line of an error's message, which other libraries spread over several."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__
