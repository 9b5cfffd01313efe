"""From the name of a model to its template and tokenizer."""

import re
from pathlib import Path

from promptlint.models.embedded import (
    EMBEDDED,
    NAME,
    TEMPLATE_ORIGIN,
    TOKENIZER_ORIGIN,
    chatml_template,
    embedded_model,
    embedded_tokenizer,
)
from promptlint.models.folder import (
    FolderTokenizer,
    model_from_folder,
    read_text,
    tokenizer_in_file,
    tokenizer_in_folder,
)
from promptlint.models.gguf_model import model_from_gguf, tokenizer_in_gguf
from promptlint.models.hosted import HOSTED, hosted_model, nearest_hosted
from promptlint.models.hub import is_repository_id, model_from_hub, tokenizer_from_hub
from promptlint.models.model import Model, ModelError

_SUFFIXES = (".jinja", ".gguf")
_GO_TEMPLATE = re.compile(r"\{\{-?\s*(?:(?:if|range|with|else if)\s+[^{}]*)?[.$][A-Z]\w*")
"""A field of Go's text/template (`{{ .System }}`), which no jinja template can have."""


def find_model(name: str | None, *, tokenizer: str | None = None, base: Path) -> Model:
    """The model called `name`, relative to the folder `base`.

    `name` is None or `embedded` (the embedded default), a path to a folder, to a `.jinja` or
    to a `.gguf` file, one of `HOSTED`, or a repository id `owner/name[@revision]`.
    `tokenizer` is a folder, a `tokenizer.json`, a `.gguf` file or a repository id, and takes
    the place of the model's own. Code out of a repository is never run. Raises ModelError.
    """
    given = _find_tokenizer(tokenizer, base) if tokenizer is not None else None
    if name is None or name == EMBEDDED:
        return _default_model(given)
    if name in HOSTED:
        return hosted_model(name, given.tokenizer if given else None)
    path = base / Path(name).expanduser()
    if path.is_dir():
        return model_from_folder(name, path, given)
    if path.is_file() and path.suffix == ".jinja":
        return _model_from_template(name, path, given)
    if path.is_file() and path.suffix == ".gguf":
        return model_from_gguf(name, path, given)
    if path.is_file():
        _refuse_go_template(name, path)
    elif is_repository_id(name) and path.suffix not in _SUFFIXES:
        return model_from_hub(name, given)
    raise ModelError(f"{name}: {_no_such_model(name)}")


def _default_model(given: FolderTokenizer | None) -> Model:
    if given is None:
        return embedded_model()
    return Model(
        NAME,
        given.tokenizer,
        chatml_template(),
        special_tokens=given.special_tokens,
        appends=True,
        origin=f"{TEMPLATE_ORIGIN}; tokens of the given tokenizer",
    )


def _model_from_template(name: str, path: Path, given: FolderTokenizer | None) -> Model:
    template = read_text(name, path)
    _refuse_go_template(name, path)
    if given is None:
        origin = f"{name}; tokens estimated with {TOKENIZER_ORIGIN}"
        return Model(name, embedded_tokenizer(), template, estimated=True, origin=origin)
    return Model(name, given.tokenizer, template, special_tokens=given.special_tokens, origin=name)


def _refuse_go_template(name: str, path: Path) -> None:
    """Raise ModelError for a file in the other language that people call chat template."""
    if _GO_TEMPLATE.search(path.read_text("utf-8", errors="replace")):
        raise ModelError(
            f"{name}: a template in Go's language, as Ollama has them: only jinja templates can"
            " be rendered; give the model's .gguf file or its repository"
        )


def _find_tokenizer(name: str, base: Path) -> FolderTokenizer:
    path = base / Path(name).expanduser()
    if path.is_dir():
        return tokenizer_in_folder(name, path)
    if path.suffix == ".gguf" and path.is_file():
        return tokenizer_in_gguf(name, path)
    if path.is_file():
        return tokenizer_in_file(name, path)
    if is_repository_id(name):
        return tokenizer_from_hub(name)
    raise ModelError(
        f"{name}: no such tokenizer"
        " (a folder, a tokenizer.json, a .gguf file or a repository id owner/name)"
    )


def _no_such_model(name: str) -> str:
    if name.endswith(_SUFFIXES):
        return "no such file"
    near = nearest_hosted(name)
    hint = f"; did you mean {near!r}?" if near else ""
    kinds = "a folder, a .jinja or .gguf file, a repository id owner/name, or one of"
    return f"no such model{hint} (a model is {kinds} {', '.join(HOSTED)})"
