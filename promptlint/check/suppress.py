"""Accepted findings: `# promptlint: ignore[rule]` beside the call, and ignores in the config."""

import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from io import StringIO
from pathlib import Path

from msgspec import Struct

from promptlint import registry
from promptlint.captures.names import is_capture
from promptlint.config import PromptConfig
from promptlint.finding import Finding
from promptlint.ignore import UnusedIgnore
from promptlint.location import Location

_DIRECTIVE = re.compile(r"promptlint:\s*ignore(?:\[([\w\s,-]+)\])?")
_JINJA_COMMENT = re.compile(r"\{#(.*?)#\}", re.DOTALL)


class Directive(Struct, frozen=True):
    """One inline ignore: it covers findings of `rules` on the lines from `line` to `last_line`."""

    path: str
    line: int
    last_line: int
    rules: tuple[str, ...]


class Kept(Struct, frozen=True):
    """What is left after suppression, and the ignores that accepted something."""

    findings: tuple[Finding, ...]
    suppressed: int
    used: frozenset[object]


def suppress(findings: Sequence[Finding], prompts: Iterable[PromptConfig], base: Path) -> Kept:
    """Take away what people have accepted. An ignore names its rules: there is no blanket form."""
    by_name = {prompt.name: prompt for prompt in prompts}
    used: set[object] = set()
    kept = []
    for finding in findings:
        covering = [*_inline(finding, base), *_configured(finding, by_name)]
        used.update(covering)
        if not covering:
            kept.append(finding)
    return Kept(tuple(kept), len(findings) - len(kept), frozenset(used))


def unused_ignores(
    kept: Kept,
    paths: Iterable[str],
    prompts: Iterable[PromptConfig],
    rules: Collection[str],
    base: Path,
) -> Iterator[UnusedIgnore]:
    """The ignores of these files and prompts that accepted nothing, though these rules ran."""
    for path in sorted(set(paths)):
        for directive in directives(base / path, path):
            place = Location(path, directive.line)
            for rule in directive.rules:
                if not rule:
                    yield UnusedIgnore("promptlint: ignore", "names no rule in brackets", place)
                elif rule not in registry.names():
                    yield UnusedIgnore(rule, "is of no rule: `promptlint rule` lists them", place)
                elif rule in rules and (directive, rule) not in kept.used:
                    yield UnusedIgnore(rule, "accepts nothing", place)
    for prompt in prompts:
        for ignore in prompt.ignore:
            if ignore.rule in rules and (prompt.name, ignore) not in kept.used:
                yield UnusedIgnore(str(ignore), "accepts nothing", prompt=prompt.name)


@cache
def directives(path: Path, shown: str) -> tuple[Directive, ...]:
    """The inline ignores of a file: in comments of Python, and in comments of jinja."""
    if not path.is_file() or is_capture(path):  # what a prompt says of itself is data
        return ()
    text = path.read_text("utf-8", errors="replace")
    if not _DIRECTIVE.search(text):
        return ()
    found = _python_comments(text) if path.suffix in {".py", ".pyi"} else _jinja_comments(text)
    return tuple(
        Directive(shown, line, last, tuple(name.strip() for name in (match[1] or "").split(",")))
        for line, last, comment in found
        if (match := _DIRECTIVE.search(comment))
    )


def _inline(finding: Finding, base: Path) -> Iterator[tuple[Directive, str]]:
    place = finding.location
    if place is None or place.line is None:
        return
    last = place.end_line or place.line
    for directive in directives(base / place.path, place.path):
        if finding.rule in directive.rules and (
            place.line <= directive.last_line and directive.line <= last
        ):
            yield directive, finding.rule


def _configured(finding: Finding, prompts: dict[str, PromptConfig]) -> Iterator[tuple[str, object]]:
    prompt = prompts.get(finding.prompt or "")
    source = finding.span.source if finding.span else None
    for ignore in prompt.ignore if prompt else ():
        if ignore.rule == finding.rule and ignore.source in {None, source}:
            yield finding.prompt or "", ignore


def _python_comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Comments with the lines that they cover: their own, or the next when they stand alone."""
    try:
        tokens = list(tokenize.generate_tokens(StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):  # code for a newer Python has no inline ignores
        return
    for token in tokens:
        if token.type == tokenize.COMMENT:
            line = token.start[0]
            alone = token.line.strip().startswith("#")
            yield line, line + 1 if alone else line, token.string


def _jinja_comments(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _JINJA_COMMENT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        last = line + match[0].count("\n")
        start = text.rfind("\n", 0, match.start()) + 1
        alone = not text[start : match.start()].strip()
        yield line, last + 1 if alone else last, match[1]
