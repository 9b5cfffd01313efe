import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from promptlint.models import Model, ModelError, find_model

WriteFolder = Callable[..., Path]
NAMED = [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "with tools"}]


def find(folder: Path) -> Model:
    return find_model(folder.name, base=folder.parent)


@pytest.mark.parametrize(
    ("files", "template", "file_name"),
    [
        ({"tokenizer_config.json": {"chat_template": "one"}}, "one", "tokenizer_config.json"),
        (
            {"tokenizer_config.json": {"chat_template": NAMED}},
            "with tools",
            "tokenizer_config.json",
        ),
        (
            {"tokenizer_config.json": {"chat_template": NAMED[:1]}},
            "plain",
            "tokenizer_config.json",
        ),
        ({"chat_template.json": {"chat_template": "processor"}}, "processor", "chat_template.json"),
        (
            {"chat_template.jinja": "own", "tokenizer_config.json": {"chat_template": "old"}},
            "own",
            "chat_template.jinja",
        ),
        (
            {"chat_template.jinja": "own", "chat_template.json": {"chat_template": "old"}},
            "own",
            "chat_template.jinja",
        ),
        (
            {"chat_template.jinja": "own", "additional_chat_templates/tool_use.jinja": "tools"},
            "tools",
            "additional_chat_templates/tool_use.jinja",
        ),
        (
            {"chat_template.jinja": "own", "additional_chat_templates/rag.jinja": "rag"},
            "own",
            "chat_template.jinja",
        ),
    ],
)
def test_where_the_template_is_found(
    model_folder: WriteFolder, files: dict[str, Any], template: str, file_name: str
) -> None:
    model = find(model_folder(files))

    assert model.template == template
    assert model.origin == f"{file_name} of tiny"
    assert not model.estimated


def test_special_tokens_are_texts_or_objects(model_folder: WriteFolder) -> None:
    config = {
        "chat_template": "x",
        "bos_token": {"content": "<s>", "lstrip": False},
        "eos_token": "</s>",
        "unk_token": None,
        "add_bos_token": True,
    }
    others = {"eos_token": "<old>", "pad_token": {"content": "<pad>"}}
    model = find(model_folder({"tokenizer_config.json": config, "special_tokens_map.json": others}))

    assert model.special_tokens == {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}


@pytest.mark.parametrize(
    ("files", "cause"),
    [
        ({}, "no chat template in it"),
        ({"tokenizer_config.json": {"chat_template": None}}, "no chat template in it"),
        ({"tokenizer_config.json": "{"}, "tokenizer_config.json is not JSON: "),
        ({"tokenizer_config.json": "[]"}, "tokenizer_config.json is not a JSON object"),
        ({"tokenizer_config.json": {"chat_template": 3}}, "chat_template in tokenizer_config.json"),
        ({"tokenizer_config.json": {"chat_template": ["x"]}}, "is no text and no list"),
        (
            {"tokenizer_config.json": {"chat_template": [{"name": "rag", "template": "x"}]}},
            "no template named default or tool_use (only rag)",
        ),
        ({"chat_template.jinja": "x", "tokenizer.json": None}, "no tokenizer in it"),
        ({"chat_template.jinja": "x", "tokenizer.json": "{}"}, "tokenizer.json cannot be read"),
    ],
)
def test_what_is_missing_or_broken_is_named_in_one_line(
    model_folder: WriteFolder, files: dict[str, Any], cause: str
) -> None:
    folder = model_folder(files)
    with pytest.raises(ModelError) as error:
        find(folder)

    assert str(error.value).startswith("tiny: ")
    assert cause in str(error.value)
    assert "\n" not in str(error.value)


def test_bytes_that_are_no_text(model_folder: WriteFolder) -> None:
    folder = model_folder({})
    (folder / "chat_template.jinja").write_bytes(b"\xff\xfe")
    with pytest.raises(ModelError, match=r"chat_template\.jinja cannot be read"):
        find(folder)


def write_vocabulary(folder: Path, tokenizer_json: str) -> None:
    Tokenizer.from_str(tokenizer_json).model.save(str(folder))


def test_other_vocabulary_files_are_read_by_transformers(
    model_folder: WriteFolder, tokenizer_json: str
) -> None:
    folder = model_folder(
        {
            "tokenizer_config.json": {"tokenizer_class": "Qwen2Tokenizer", "chat_template": "x"},
            "config.json": {},
        },
        tokenizer=None,
    )
    write_vocabulary(folder, tokenizer_json)
    encoding = find(folder).tokenizer.encode("the memory 🎉")

    expected = Tokenizer.from_str(tokenizer_json).encode("the memory 🎉")
    assert encoding.ids == tuple(expected.ids)
    assert encoding.starts == tuple(start for start, _ in expected.offsets)


@pytest.mark.parametrize(
    ("tokenizer_class", "cause"),
    [("CTRLTokenizer", "does not say where tokens start"), ("NoSuchTokenizer", "cannot load")],
)
def test_tokenizers_that_cannot_serve(
    model_folder: WriteFolder, tokenizer_json: str, tokenizer_class: str, cause: str
) -> None:
    config = {"tokenizer_class": tokenizer_class, "chat_template": "x"}
    folder = model_folder(
        {"tokenizer_config.json": json.dumps(config), "config.json": {}}, tokenizer=None
    )
    write_vocabulary(folder, tokenizer_json)
    with pytest.raises(ModelError, match=rf"\Atiny: [^\n]*{cause}[^\n]*\Z"):
        find(folder)
