"""Prompt text made safe to print: no control characters, no secrets, no line breaks."""

import re

from promptlint.secrets import masked

_COMMAND = re.compile(r"(?<!\S):(?=:)|#(?=#\[)")
"""Where the log of a CI system would read a command: ` ::error::`, `##[error]`."""

_SHOWN_BREAKS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def one_line(text: str) -> str:
    """The text on one line: breaks are shown as `\\n`, other control characters as `\\x1b`."""
    return _visible(_COMMAND.sub(lambda match: f"\\x{ord(match[0]):02x}", text))


def several_lines(text: str) -> str:
    """The text with its own line breaks, and nothing that could drive a terminal."""
    return "\n".join(one_line(line) for line in text.splitlines())


def patch_line(text: str) -> str:
    """A line of a patch with its own end: tabs stay, what could drive a terminal does not."""
    body = text.rstrip("\r\n")
    shown = "\t".join(map(_visible, body.split("\t")))
    end = text[len(body) :]
    return shown + (end or "\n\\ No newline at end of file\n")


def excerpt(text: str, width: int) -> str:
    """The beginning of the text on one line, at most `width` characters."""
    line = one_line(text)
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _visible(text: str) -> str:
    safe = masked(text)
    return safe if safe.isprintable() else "".join(map(_shown, safe))


def _shown(character: str) -> str:
    if character in _SHOWN_BREAKS:
        return _SHOWN_BREAKS[character]
    if character.isprintable() or character == "\u00a0":
        return character
    point = ord(character)
    return (
        f"\\x{point:02x}"
        if point < 0x100
        else f"\\u{point:04x}"
        if point < 0x10000
        else f"\\U{point:08x}"
    )
