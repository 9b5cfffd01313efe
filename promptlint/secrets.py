"""What looks like a key, as issuers write theirs: a known prefix and a long random tail."""

import re
import string
from collections.abc import Callable, Iterator

# The letter of an escaped line break is no part of the word behind it: `\nsk-...` in JSON.
_KEY = re.compile(
    r"(?:\b|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4}))"
    r"(?:(?:sk-(?:ant-|proj-|or-)?|gh[pousr]_|github_pat_|glpat-|hf_|xox[abprs]-|AKIA|AIza|npm_"
    r"|pypi-)[A-Za-z0-9_\-]{16,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+)",
    re.ASCII,
)
_CHARACTERS = f"{string.ascii_letters}{string.digits}_-."
"""All that a key may hold."""


def without_keys(text: str, shown: Callable[[str], str]) -> str:
    """The text with every key replaced by what `shown` makes of it."""
    return _KEY.sub(lambda match: shown(match[0]), text)


def masked(text: str) -> str:
    """The text with everything that looks like a key masked."""
    return without_keys(text, _mask)


def masked_part(text: str, start: int, end: int) -> str:
    """`text[start:end]` with every key masked, and those that it would cut masked whole."""
    shown, at = [], start
    for first, last in keys(text, start, end):
        shown += [text[at:first], _mask(text[first:last])]
        at = last
    return "".join([*shown, text[at:end]])


def keys(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the keys stand that `text[start:end]` holds, in part or whole."""
    first = len(text[:start].rstrip(_CHARACTERS))
    last = len(text) - len(text[end:].lstrip(_CHARACTERS))
    for match in _KEY.finditer(text, first, last):
        if match.start() < end and start < match.end():
            yield match.span()


def _mask(key: str) -> str:
    return f"{key[:4]}…"
