"""Edits that cure a finding in source. The only module that edits, and so imports LibCST.

A safe edit cannot change what the code means: a sort of what has no order of its own.
An unsafe one changes the text of the prompt: a time is cut to its date, tools come by name.
"""

import re
from collections.abc import Iterator, Sequence

import libcst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from msgspec import Struct

from promptlint.layout import Axis, CauseKind, Layout, Span
from promptlint.source import clock
from promptlint.source.containers import TEXTS
from promptlint.source.reading import FactKind, SourceFact

_LINE_END = re.compile(r"\r\n|\r|\n")
_ITERATING = ("join", "list", "tuple", "set", "enumerate", "extend", "map")
_SORT_KEYS = {
    "listdir": "",
    "glob": "",
    "iglob": "",
    "rglob": "",
    "iterdir": "",
    "scandir": ", key=lambda entry: entry.name",
}
"""The listings whose entries can be sorted, and by what. `os.walk` reads back what it hands out."""


class Edit(Struct, frozen=True):
    """Replace the characters `start` to `end` of a file's text by `text`."""

    start: int
    end: int
    text: str
    safe: bool
    why: str


def fixes(
    text: str, path: str, layouts: Sequence[Layout], facts: Sequence[SourceFact] = ()
) -> tuple[Edit, ...]:
    """The edits for one file, in order of place, none of which overlap.

    `path` is the file's path as locations name it. Raises `libcst.ParserSyntaxError`
    where the text cannot be read.
    """
    causes = {
        (span.cause.location.line, span.cause.location.column): span
        for layout in layouts
        for span in layout.spans
        if span.moves and span.cause and span.cause.location and span.cause.location.path == path
    }
    dumps = {
        (fact.location.line, fact.location.column)
        for fact in facts
        if fact.kind is FactKind.UNSORTED_JSON and fact.location.path == path
    }
    unsorted = [fact for fact in facts if fact.kind is FactKind.UNSORTED_TOOLS]
    for place in (place for fact in unsorted for place in fact.trail if place.path == path):
        # Tools are no texts: where their set is walked, a plain sorted() would raise.
        causes.pop((place.line, place.column), None)
    tools = {
        (fact.location.line, fact.location.column): fact.detail
        for fact in unsorted
        if fact.location.path == path and fact.detail
    }
    if not causes and not dumps and not tools:
        return ()
    wrapper = MetadataWrapper(libcst.parse_module(text))
    finder = _Finder(text, causes, dumps, tools)
    wrapper.visit(finder)
    return tuple(_apart(sorted(finder.edits, key=lambda edit: edit.start)))


def applied(text: str, edits: Sequence[Edit], *, unsafe: bool = False) -> str:
    """The text with the safe edits made, and the unsafe ones too if asked for."""
    for edit in reversed(edits):
        if edit.safe or unsafe:
            text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _apart(edits: Sequence[Edit]) -> Iterator[Edit]:
    end = -1
    for edit in edits:
        if edit.start >= end:
            yield edit
            end = edit.end


Place = tuple[int | None, int | None]


class _Finder(libcst.CSTVisitor):
    """Finds the nodes at the places of causes, and what to write there instead."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(
        self,
        text: str,
        causes: dict[Place, Span],
        dumps: set[Place],
        tools: dict[Place, str],
    ) -> None:
        super().__init__()
        self.edits: list[Edit] = []
        self._text = text
        self._causes = causes
        self._dumps = dumps
        self._tools = tools
        self._clocks: list[CodeRange] = []
        self._iterated: set[Place] = set()
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def visit_Call(self, node: libcst.Call) -> None:  # noqa: N802  LibCST's own naming
        place = self._place(node)
        if _is_call_of(node, *_ITERATING) and node.args:
            self._iterated.add(self._place(node.args[0].value))
        if place in self._dumps and not any(_may_sort_keys(argument) for argument in node.args):
            self._insert(self._range(node).end, "sort_keys=True", "sorted keys", call=node)
        span = self._causes.get(place)
        if span is None or span.cause is None:
            return
        if _is_unsorted(span) and (_is_listed(node) or place in self._iterated):
            self._sort_listing(node)
        elif span.cause.kind is CauseKind.SET_ORDER and _is_call_of(node, "join", "list", "tuple"):
            self._sort_argument(node)
        elif span.cause.kind is CauseKind.CLOCK:
            self._note_clock(node, span)

    def visit_Arg(self, node: libcst.Arg) -> None:  # noqa: N802  LibCST's own naming
        self._given(node.value)

    def visit_DictElement(self, node: libcst.DictElement) -> None:  # noqa: N802  LibCST's own naming
        self._given(node.value)

    def _given(self, tools: libcst.BaseExpression) -> None:
        """A list of tools as it is given: it is sorted by what names a tool."""
        name = self._tools.get(self._place(tools))
        if name is None:
            return
        items = tools
        if isinstance(tools, libcst.Call) and _is_call_of(tools, "list", "tuple"):
            items = tools.args[0].value if len(tools.args) == 1 else tools
        key = "" if name == "tool" else f", key=lambda tool: {name}"
        text = f"sorted({self._written(items)}{key})"
        self._edit(self._range(tools), text, safe=False, why="tools come in the order of names")

    def visit_For(self, node: libcst.For) -> None:  # noqa: N802  LibCST's own naming
        if node.asynchronous is None:
            self._walked(node.iter)

    def visit_CompFor(self, node: libcst.CompFor) -> None:  # noqa: N802  LibCST's own naming
        if node.asynchronous is None:
            self._walked(node.iter)

    def _walked(self, iterated: libcst.BaseExpression) -> None:
        """A `for` over a set: its own place is what is iterated."""
        self._iterated.add(self._place(iterated))
        span = self._causes.get(self._place(iterated))
        if span is not None and span.cause and _is_of_texts(span):
            self._wrap(iterated, "the order of a set is not settled")

    def _sort_listing(self, node: libcst.Call) -> None:
        key = next((key for name, key in _SORT_KEYS.items() if _is_call_of(node, name)), None)
        if key is not None:
            self._wrap(node, "the order of a listing is not settled", key)

    def _sort_argument(self, node: libcst.Call) -> None:
        """`join(names)`: names are sorted, whatever they are an iterable of."""
        if len(node.args) != 1:
            return
        argument = node.args[0].value
        if isinstance(argument, libcst.GeneratorExp | libcst.ListComp) or node.args[0].star:
            return
        span = self._causes.get(self._place(node))
        if not _is_call_of(node, "join") and not (span is not None and _is_of_texts(span)):
            return
        if _is_call_of(node, "list"):
            name = self._range(node.func)
            self._edit(name, "sorted", safe=True, why="the order of a set is not settled")
        else:
            self._wrap(argument, "the order of a set is not settled")

    def _note_clock(self, node: libcst.Call, span: Span) -> None:
        """Remember a clock finer than a day: the call around it formats it."""
        if any(move.axis is not Axis.DAY for move in span.moves):
            self._clocks.append(self._range(node))

    def leave_Call(self, original_node: libcst.Call) -> None:  # noqa: N802  LibCST's own naming
        """`now().strftime(...)`, `now().isoformat()` around a clock that was met inside."""
        if not _is_call_of(original_node, "strftime", "isoformat"):
            return
        if self._has_clock(self._range(original_node)):
            self._coarsen(original_node)

    def leave_FormattedStringExpression(  # noqa: N802  LibCST's own naming
        self, original_node: libcst.FormattedStringExpression
    ) -> None:
        """`f"{now():%H:%M}"` around a clock that was met inside."""
        match original_node.format_spec:
            case [libcst.FormattedStringText() as written]:
                if self._has_clock(self._range(original_node.expression)):
                    self._cut(written, written.value)
            case _:
                pass

    def _has_clock(self, where: CodeRange) -> bool:
        """Whether a clock was met in a range; places in one file compare by line and column."""
        start, end = _ends(where)
        return any(start <= _ends(one)[0] and _ends(one)[1] <= end for one in self._clocks)

    def _coarsen(self, node: libcst.Call) -> None:
        assert isinstance(node.func, libcst.Attribute)
        if node.func.attr.value == "isoformat":
            self._edit(
                self._range(node),
                f"{self._written(node.func.value)}.date().isoformat()",
                safe=False,
                why="the date stays for a day",
            )
        elif node.args and isinstance(node.args[0].value, libcst.SimpleString):
            literal = node.args[0].value
            self._cut(literal, literal.raw_value, literal.prefix + literal.quote, literal.quote)

    def _cut(self, node: libcst.CSTNode, template: str, before: str = "", after: str = "") -> None:
        """Cut a time's format to the date."""
        cut = clock.date_only(template)
        if cut is not None:
            where = self._range(node)
            self._edit(where, before + cut + after, safe=False, why="the date stays for a day")

    def _wrap(self, node: libcst.CSTNode, why: str, key: str = "") -> None:
        self._edit(self._range(node), f"sorted({self._written(node)}{key})", safe=True, why=why)

    def _insert(
        self, end: libcst.metadata.CodePosition, text: str, why: str, *, call: libcst.Call
    ) -> None:
        at = self._offset(end.line, end.column) - 1
        separator = ", " if call.args and not self._text[:at].rstrip().endswith(",") else ""
        self.edits.append(Edit(at, at, separator + text, safe=True, why=why))

    def _edit(self, where: CodeRange, text: str, *, safe: bool, why: str) -> None:
        start = self._offset(where.start.line, where.start.column)
        end = self._offset(where.end.line, where.end.column)
        self.edits.append(Edit(start, end, text, safe, why))

    def _range(self, node: libcst.CSTNode) -> CodeRange:
        found = self.get_metadata(PositionProvider, node)
        assert isinstance(found, CodeRange)
        return found

    def _written(self, node: libcst.CSTNode) -> str:
        """A node as it stands in the file."""
        where = self._range(node)
        start, end = where.start, where.end
        return self._text[
            self._offset(start.line, start.column) : self._offset(end.line, end.column)
        ]

    def _place(self, node: libcst.CSTNode) -> Place:
        start = self._range(node).start
        return (start.line, start.column + 1)

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column


def _ends(where: CodeRange) -> tuple[tuple[int, int], tuple[int, int]]:
    return (where.start.line, where.start.column), (where.end.line, where.end.column)


def _may_sort_keys(argument: libcst.Arg) -> bool:
    """Whether an argument says how keys are sorted, or may hold what does."""
    return argument.star == "**" or (
        argument.keyword is not None and argument.keyword.value == "sort_keys"
    )


def _is_listed(node: libcst.Call) -> bool:
    """Whether a call makes a list; one that makes an iterator is sorted only where it is walked."""
    if _is_call_of(node, "listdir"):
        return True
    function = node.func
    module = function.value if isinstance(function, libcst.Attribute) else None
    of_module = isinstance(module, libcst.Name) and module.value == "glob"
    return _is_call_of(node, "glob") and (module is None or of_module)


def _is_of_texts(span: Span) -> bool:
    """Whether a set holds texts only: anything else may not be sortable."""
    cause = span.cause
    return cause is not None and cause.kind is CauseKind.SET_ORDER and cause.detail == TEXTS


def _is_call_of(node: libcst.Call, *names: str) -> bool:
    function = node.func
    name = function.attr if isinstance(function, libcst.Attribute) else function
    return isinstance(name, libcst.Name) and name.value in names


def _is_unsorted(span: Span) -> bool:
    return any(move.axis is Axis.LISTING_ORDER for move in span.moves)
