"""The files worth reading: those that mention a prompt. The others are only looked through."""

import re
from collections.abc import Sequence
from pathlib import Path

from promptlint.config_tables import OwnRows
from promptlint.prompt_words import mentions_prompt
from promptlint.source.files import python_files
from promptlint.source.modules import Tree

_TESTS = re.compile(r"(^|/)(tests?|testing|conftest\.py|test_[^/]*\.py|[^/]*_test\.py)(/|$)")


def scan(tree: Tree, paths: Sequence[Path], own: OwnRows) -> dict[Path, str]:
    """The texts of the Python files under `paths` that mention a prompt; tests do not count."""
    found: dict[Path, str] = {}
    for path in python_files([path.resolve() for path in paths], tree.root):
        text = tree.text(path)
        if text is None or _TESTS.search(tree.shown(path)):
            continue
        if mentions_prompt(text) or any(word in text for word in own.keywords):
            found[path] = text
    return found
