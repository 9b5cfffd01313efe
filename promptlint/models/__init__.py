"""Models: where a chat template and a tokenizer come from."""

from promptlint.models.find import find_model
from promptlint.models.hosted import HOSTED
from promptlint.models.model import Encoding, Model, ModelError, Tokenizer

__all__ = ["HOSTED", "Encoding", "Model", "ModelError", "Tokenizer", "find_model"]
