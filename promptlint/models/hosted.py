"""Hosted models publish no template: only the order of their parts is known or assumed."""

import re
from difflib import get_close_matches

from promptlint.layout import Part
from promptlint.models.embedded import TOKENIZER_ORIGIN, embedded_tokenizer
from promptlint.models.model import Model, Tokenizer

# Anthropic documents its order under "prompt caching"; OpenAI and Google describe theirs only in
# their advice on caching, and put a system text of their own, which nobody sees, before it.
_PART_ORDERS = {
    "anthropic": (Part.TOOLS, Part.SYSTEM, Part.MESSAGES),
    "openai": (Part.TOOLS, Part.SYSTEM, Part.MESSAGES),
    "gemini": (Part.SYSTEM, Part.TOOLS, Part.MESSAGES),
}
_DOCUMENTED = frozenset({"anthropic"})

# How people call the models of these providers.
_FAMILIES = {"claude": "anthropic", "gpt": "openai"}

HOSTED = tuple(_PART_ORDERS)


def nearest_hosted(name: str) -> str | None:
    """The name in `HOSTED` that someone who wrote `name` may have meant."""
    words = (name.lower(), *re.split(r"\W+", name.lower()))
    near = [match for word in words for match in get_close_matches(word, (*HOSTED, *_FAMILIES), 1)]
    return _FAMILIES.get(near[0], near[0]) if near else None


def hosted_model(name: str, tokenizer: Tokenizer | None = None) -> Model:
    """The model behind one of the names in `HOSTED`; its token counts are estimates."""
    order = _PART_ORDERS[name]
    certainty = "documented" if name in _DOCUMENTED else "assumed"
    tokens = "the given tokenizer" if tokenizer else TOKENIZER_ORIGIN
    return Model(
        name=name,
        tokenizer=tokenizer or embedded_tokenizer(),
        part_order=order,
        estimated=True,
        appends=True,
        origin=f"{certainty} order {', '.join(order)}; tokens estimated with {tokens}",
    )
