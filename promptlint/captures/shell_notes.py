"""What a shell command writes into a memory file: `echo "- tox" >> MEMORY.md`, a here-document."""

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

from promptlint.layout import Source
from promptlint.sections.names import source_of_file

_HERE_DOCUMENT = re.compile(
    r"<<-?[ \t]*(?P<quote>['\"]?)(?P<word>\w+)(?P=quote)(?P<rest>[^\n]*)\n"
    r"(?P<text>.*?)\n?^[ \t]*(?P=word)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_REDIRECTS = frozenset({">", ">>"})
_ENDS = frozenset({";", "&", "&&", "||"})
_SAYS = frozenset({"echo", "printf"})
_NO_TEXT = re.compile(r"-[neE]+|(?:%s|\\n|\s)+")
"""The switches of `echo`, and a format of `printf` that only joins what follows it."""


def shell_note(command: str) -> str | None:
    """The text that a command writes into a memory file; None where it is none for sure."""
    here = _HERE_DOCUMENT.search(command)
    line = f"{command[: here.start()]} {here['rest']}" if here else command
    for words in _commands(line):
        if any(source_of_file(path) == Source.MEMORY for path in _written(words)):
            return here["text"] if here else _said(words)
    return None


def _commands(line: str) -> Iterator[list[str]]:
    """The words of each command of a line; commands that are piped together are one."""
    lexer = shlex.shlex(line.replace("\n", ";"), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    try:
        for word in lexer:
            if word in _ENDS:
                yield words
                words = []
            else:
                words.append(word)
    except ValueError:
        return  # a quotation that does not end
    yield words


def _written(words: Sequence[str]) -> Iterator[str]:
    """The files that a command's output goes to."""
    yield from (path for sign, path in pairwise(words) if sign in _REDIRECTS)
    if "tee" in words:
        yield from words[words.index("tee") + 1 :]


def _said(words: Sequence[str]) -> str | None:
    """What `echo` or `printf` prints."""
    if not words or words[0] not in _SAYS:
        return None
    end = next((n for n, word in enumerate(words) if word in _REDIRECTS or word == "|"), None)
    return " ".join(word for word in words[1:end] if not _NO_TEXT.fullmatch(word))
