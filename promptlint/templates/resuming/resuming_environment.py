"""The chat environment in which a template's rendering is watched and resumed."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from jinja2 import nodes
from jinja2.runtime import LoopContext, Undefined

from promptlint.templates.environment import ChatEnvironment, RestrictedNamespace
from promptlint.templates.resuming import statements
from promptlint.templates.resuming.message_view import END, MessageView, UnwatchedError
from promptlint.templates.resuming.namespaces import WatchedNamespace, watched_value
from promptlint.templates.resuming.record import COMPARISONS
from promptlint.templates.resuming.rounds import Rounds, RoundsContext
from promptlint.templates.resuming.watch import Watch

_PLAIN = frozenset({bool, int, str, MessageView})
_LOOP_FACTS = frozenset(
    {"first", "index", "index0", "last", "length", "nextitem", "previtem", "revindex", "revindex0"}
)
_IMPORT = "from jinja2.runtime import LoopContext,"
_OWN_CONTEXT = "LoopContext = environment.loop_context; "


class ResumingEnvironment(ChatEnvironment):
    """A ChatEnvironment for one template, whose renderings follow each other. Not for threads."""

    watch: Watch

    def __init__(self) -> None:
        super().__init__()
        self.globals["namespace"] = self._namespace

    def _generate(
        self, source: nodes.Template, name: Any, filename: Any, defer_init: bool = False
    ) -> str:
        if not statements.can_be_watched(source):
            raise UnwatchedError
        statements.watch(source)
        code = super()._generate(source, name, filename, defer_init)
        before, _, after = code.partition("\n")
        if not before.startswith(_IMPORT):
            raise UnwatchedError
        # On the same line, since errors are told by the lines of this code.
        return f"{before}; {_OWN_CONTEXT}\n{after}"

    def rounds(self, number: int, items: Any, *entry: Any) -> Any:
        """What a loop goes over: the messages or the tools in a way that can be resumed."""
        is_view = isinstance(items, MessageView) and items.is_forward
        if is_view or (items is self.watch.tools and items is not None):
            return Rounds(self.watch, number, items, entry)
        return items

    def loop_context(
        self, items: Any, undefined: type[Undefined], recurse: Any = None, depth0: int = 0
    ) -> Any:
        """The variable `loop`."""
        if isinstance(items, Rounds):
            return RoundsContext(items, undefined)
        return LoopContext(items, undefined, recurse, depth0)

    def compare(self, owner: Any, name: str, operation: str, other: Any) -> Any:
        """Whether an attribute of something compares so."""
        if type(owner) is WatchedNamespace:
            answer = self.watch.compare(owner, name, operation, other)
            if answer is not None:
                return answer
        return COMPARISONS[operation](self.getattr(owner, name), other)

    def has_seen_new(self) -> bool:
        """Whether the template was handed all messages that are new."""
        return self.watch.has_seen_new()

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`obj.attribute`; what namespaces and loops say of themselves, without more checks."""
        kind = type(obj)
        if kind is WatchedNamespace:
            value = watched_value(obj, attribute)
            if type(value) in _PLAIN:
                return value
        elif kind is RoundsContext and attribute in _LOOP_FACTS:
            return getattr(obj, attribute)
        elif kind is MessageView:
            raise UnwatchedError
        return super().getattr(obj, attribute)

    def clock(self, now: datetime) -> Callable[[str], str]:
        """The `strftime_now` of templates: the time is another one in the next rendering."""

        def strftime_now(format: str) -> str:  # noqa: A002 - its name in transformers
            self.watch.note(END)
            return now.strftime(format)

        return strftime_now

    def _namespace(self, *mappings: Any, **attributes: Any) -> RestrictedNamespace:
        if self.watch.in_round:
            return RestrictedNamespace(*mappings, **attributes)
        return WatchedNamespace(self.watch, *mappings, **attributes)
