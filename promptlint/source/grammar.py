"""Grammar newer than the interpreter, rewritten into what it reads.

Type parameters and type aliases (Python 3.12) say nothing about text: they are blanked
out, so that every column stays. F-strings that repeat their quotes need LibCST.
"""

import re

_ALIAS = re.compile(r"^([ \t]*)type[ \t]+(\w+)(?=[ \t]*[\[=])", re.MULTILINE)
_NAMED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+(?=\[)", re.MULTILINE)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_ALIASED = re.compile(r"^[ \t]*\w+[ \t]+(?=\[)", re.MULTILINE)


def without_type_parameters(source: str) -> str:
    """`type X[T] = ...` as `X = ...`, `def f[T](...)` as `def f(...)`; columns stay."""
    source = _ALIAS.sub(lambda match: f"{match[1]}{match[2]}     ", source)
    for pattern in (_NAMED, _ALIASED):
        at = 0
        while match := pattern.search(source, at):
            at = end = _closing(source, match.end())
            kept = "".join(c if c == "\n" else " " for c in source[match.end() : end])
            follows = source[end:].lstrip(" \t")[:1]
            if pattern is _NAMED or (follows == "=" and "     [" in match[0] + "["):
                kept = re.sub(r" \n", "\\\\\n", kept)
                source = source[: match.end()] + kept + source[end:]
            at = max(at, match.end() + 1)
    return source


def _closing(source: str, opening: int) -> int:
    """The offset behind the bracket that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(source)):
        depth += {"[": 1, "]": -1}.get(source[at], 0)
        if not depth:
            return at + 1
    return len(source)


def with_plain_strings(source: str) -> str | None:
    """F-strings that repeat their quotes, in triple quotes; None if LibCST cannot read the file."""
    import libcst

    class Requote(libcst.CSTTransformer):
        """Triple quotes where quotes repeat; escapes inside of braces become a space."""

        def __init__(self) -> None:
            super().__init__()
            self.braces = 0

        def visit_FormattedStringExpression(  # noqa: N802  LibCST's own naming
            self,
            node: libcst.FormattedStringExpression,  # noqa: ARG002
        ) -> None:
            self.braces += 1

        def leave_FormattedStringExpression(  # noqa: N802  LibCST's own naming
            self,
            original_node: libcst.FormattedStringExpression,  # noqa: ARG002
            updated_node: libcst.FormattedStringExpression,
        ) -> libcst.FormattedStringExpression:
            self.braces -= 1
            return updated_node

        def leave_SimpleString(  # noqa: N802  LibCST's own naming
            self,
            original_node: libcst.SimpleString,  # noqa: ARG002
            updated_node: libcst.SimpleString,
        ) -> libcst.SimpleString:
            if not self.braces or "\\" not in updated_node.value:
                return updated_node
            return updated_node.with_changes(value=_ESCAPE.sub(" ", updated_node.value))

        def leave_FormattedString(  # noqa: N802  LibCST's own naming
            self, original_node: libcst.FormattedString, updated_node: libcst.FormattedString
        ) -> libcst.FormattedString:
            quote = updated_node.quote
            inner = libcst.Module([]).code_for_node(original_node)
            body = inner[len(original_node.start) : -len(original_node.end)]
            if len(quote) == 3 or (quote not in body and "\n" not in body):
                return updated_node
            start = updated_node.start[: -len(quote)] + quote * 3
            return updated_node.with_changes(start=start, end=quote * 3)

    try:
        return libcst.parse_module(source).visit(Requote()).code
    except (libcst.ParserSyntaxError, RecursionError):
        return None
