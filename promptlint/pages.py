"""Rule pages: generated from each rule's docstring and examples."""

from typing import Any

from promptlint import registry
from promptlint.layout import Layout, Span
from promptlint.rule import Rule

_HEAD = """\
# Rules

Generated from the rules' files by `make docs`: do not edit. A rule's name is its only id.
"""


def rules_document() -> str:
    """All pages in one Markdown document."""
    names = list(registry.rules())
    contents = "\n".join(f"- [{name}](#{name})" for name in names)
    return "\n".join([_HEAD, contents, "", *(rule_page(name) for name in names)])


def rule_page(name: str) -> str:
    """One rule's page in Markdown: its docstring, and its examples as section orders."""
    rule = registry.rules()[name]
    title, _, body = registry.page(name).partition("\n")
    body = body.strip().replace("\n## ", "\n### ").removeprefix("## ")
    return f"## {name}\n\n{title}\n\n### {body}\n\n### Examples\n\n{_examples(rule)}\n"


def _examples(rule: Rule[Any]) -> str:
    lines = [f"- {bad.severity} at {', '.join(bad.at)}: {_shown(bad.given)}" for bad in rule.bad]
    lines += [f"- silent, because {good.why}: {_shown(good.given)}" for good in rule.good]
    return "\n".join(lines)


def _shown(given: object) -> str:
    if isinstance(given, Layout):
        return " | ".join(_section(span) for span in given.spans)
    return str(given)


def _section(span: Span) -> str:
    axes = ", ".join(dict.fromkeys(move.axis.value for move in span.moves))
    return f"{span.section} {span.tokens}" + (f" (moves on {axes})" if axes else "")
