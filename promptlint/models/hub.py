"""A model out of a Hugging Face repository: only its small files are downloaded."""

import logging
import re
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from promptlint.models.folder import (
    SMALL_FILES,
    VOCABULARY_FILES,
    FolderTokenizer,
    first_line,
    model_from_folder,
    tokenizer_in_folder,
)
from promptlint.models.hosted import nearest_hosted
from promptlint.models.model import Model, ModelError

_REPOSITORY_ID = re.compile(r"\w[\w.-]*/\w[\w.-]*(@.+)?", re.ASCII)


def is_repository_id(name: str) -> bool:
    """Whether `name` has the form `owner/name` or `owner/name@revision`."""
    return _REPOSITORY_ID.fullmatch(name) is not None


def model_from_hub(name: str, given: FolderTokenizer | None = None) -> Model:
    """The template of a repository, with the `given` tokenizer or else its own.

    A copy in the local cache serves where there is no network. Raises ModelError.
    """
    folder = _download(name, SMALL_FILES)
    if given is None:
        folder = _with_tokenizer(name, folder)
    model = model_from_folder(name, folder, given)
    return replace(model, origin=f"{model.origin} at commit {folder.name[:12]}")


def tokenizer_from_hub(name: str) -> FolderTokenizer:
    """The tokenizer of a repository."""
    return tokenizer_in_folder(name, _with_tokenizer(name, _download(name, SMALL_FILES)))


def _with_tokenizer(name: str, folder: Path) -> Path:
    if (folder / "tokenizer.json").is_file():
        return folder
    return _download(name, (*SMALL_FILES, "config.json", *VOCABULARY_FILES))


def _download(name: str, patterns: Iterable[str]) -> Path:
    """The snapshot folder of a repository with those of its files that match."""
    import huggingface_hub
    from huggingface_hub import errors
    from huggingface_hub.utils.tqdm import disable_progress_bars

    repository, _, revision = name.partition("@")
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    disable_progress_bars()
    try:
        return Path(
            huggingface_hub.snapshot_download(
                repository, revision=revision or None, allow_patterns=list(patterns)
            )
        )
    except errors.GatedRepoError as error:
        cause = "the repository is gated; ask for access and set HF_TOKEN to your token"
        raise ModelError(f"{name}: {cause}") from error
    except errors.RepositoryNotFoundError as error:
        raise ModelError(f"{name}: {_not_found(repository)}") from error
    except errors.RevisionNotFoundError as error:
        raise ModelError(f"{name}: the repository has no revision {revision}") from error
    except errors.HFValidationError as error:
        raise ModelError(f"{name}: no such model: {first_line(error)}") from error
    except errors.LocalEntryNotFoundError as error:
        raise ModelError(f"{name}: {_unreachable(error)}") from error
    except Exception as error:  # the client lets errors of its HTTP library through (a bad proxy)
        raise ModelError(f"{name}: the download failed: {first_line(error)}") from error


def _not_found(repository: str) -> str:
    cause = (
        "no such folder here, and no such repository on the Hugging Face hub"
        " (or a private one: set HF_TOKEN)"
    )
    hosted = nearest_hosted(repository)
    return f"{cause}; a hosted model is named {hosted!r} alone" if hosted else cause


def _unreachable(error: BaseException) -> str:
    from huggingface_hub.errors import HfHubHTTPError

    cure = "give a local folder, or set HF_HOME to a cache that holds it"
    if isinstance(error.__cause__, HfHubHTTPError):
        status = error.__cause__.response.status_code
        return f"not in the local cache, and the Hugging Face hub answered {status}; {cure}"
    return f"not in the local cache, and the Hugging Face hub cannot be reached; {cure}"
