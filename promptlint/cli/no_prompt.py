"""The commonest run of a hook: `check --static` on files without a prompt, answered at once.

It imports nothing but what Python has loaded anyway; the whole command imports a great deal.
"""

import os
from collections.abc import Sequence

from promptlint.prompt_words import mentions_prompt


def nothing_to_read(arguments: Sequence[str]) -> bool:
    """Whether these arguments only read Python files, none of which can hold a prompt.

    A project with a configuration may have tables of its own, and is never answered here.
    """
    if len(arguments) < 3 or arguments[0] != "check" or arguments.count("--static") != 1:
        return False
    files = [argument for argument in arguments[1:] if argument != "--static"]
    if not all(name.endswith(".py") and not name.startswith("-") for name in files):
        return False
    return not _is_configured() and all(map(_has_no_prompt, files))


def _is_configured() -> bool:
    folder = os.getcwd()  # noqa: PTH109 - pathlib is not loaded yet
    while True:
        if os.path.exists(f"{folder}/promptlint.toml"):  # noqa: PTH110
            return True
        project = _text(f"{folder}/pyproject.toml")
        if project is not None and "promptlint" in project:
            return True
        parent = os.path.dirname(folder)  # noqa: PTH120
        if parent == folder:
            return False
        folder = parent


def _has_no_prompt(name: str) -> bool:
    source = _text(name)
    return source is not None and not mentions_prompt(source)


def _text(name: str) -> str | None:
    """A file's text, or None where only the whole command can say what is wrong with it."""
    try:
        with open(name, encoding="utf-8") as file:  # noqa: PTH123
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None
