"""The chat environment in which text keeps its provenance."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.runtime import Context

from promptlint.templates.environment import METHODS, ChatCodeGenerator, ChatEnvironment
from promptlint.templates.filters import tracing_filters
from promptlint.templates.formatting import TracingFormatter, percent
from promptlint.templates.leaf import UNKNOWN
from promptlint.templates.traced_data import TracedDict, retraced
from promptlint.templates.traced_number import untraced_number
from promptlint.templates.traced_text import concatenated, plain_text, text_from, traced
from promptlint.templates.written import printed

_IDENTITY_TESTS = ("boolean", "true", "false", "integer", "sameas")
"""The tests that ask whether a value is the constant True or False itself."""


_UNTRACING = (bytes, int, float, list, tuple)
"""What has methods that do not trace."""


class _TracingCodeGenerator(ChatCodeGenerator):
    """Puts texts together with `environment.tilde` where jinja would flatten them."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - jinja's name
        self.write("environment.tilde((")
        for operand in node.nodes:
            self.visit(operand, frame)
            self.write(", ")
        self.write("))")


def _on_plain_values(test: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: test(*map(untraced_number, values))


class TracingEnvironment(ChatEnvironment):
    """A ChatEnvironment for traced data. Its templates give the same text, traced.

    Data flow is followed, control flow is not: a counter of rounds, or a text that the
    template chose because of an input, is the template's own. So are the single numbers of
    `text.encode()`.
    """

    code_generator_class = _TracingCodeGenerator
    concat = staticmethod(concatenated)
    intercepted_binops = frozenset({"%"})

    def __init__(self) -> None:
        super().__init__()
        self.filters |= tracing_filters()
        tests: dict[str, Any] = self.tests
        tests |= {name: _on_plain_values(tests[name]) for name in _IDENTITY_TESTS}
        self.finalize = printed

    def tilde(self, operands: Iterable[Any]) -> str:
        """The `~` operator."""
        return concatenated([printed(operand) for operand in operands])

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """The `%` operator."""
        if isinstance(left, str):
            return percent(left, right)
        return super().call_binop(context, operator, left, right)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute; the methods of a template's own text are those of TracedText."""
        if type(obj) is TracedDict and attribute in obj and not hasattr(obj, attribute):
            return obj[attribute]
        return super().getattr(traced(obj) if type(obj) is str else obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """An item, or an attribute under its name."""
        return super().getitem(traced(obj) if type(obj) is str else obj, argument)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """A `format` or `format_map` method of a text as a function that traces."""
        if not isinstance(value, METHODS) or not isinstance(value.__self__, str):
            return None
        pattern = value.__self__
        if value.__name__ == "format":
            return lambda *args, **kwargs: self._formatted(pattern, args, kwargs)
        if value.__name__ == "format_map":
            return lambda mapping: self._formatted(pattern, (), mapping)
        return None

    def _formatted(self, pattern: str, args: Any, kwargs: Any) -> str:
        return TracingFormatter(self).vformat(pattern, args, kwargs)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """A call; what a method of bytes, a number or a list gives has the method's origin."""
        result = super().call(__context, __obj, *args, **kwargs)
        receiver = getattr(__obj, "__self__", None)
        if isinstance(receiver, _UNTRACING):
            return retraced(result, receiver)
        return TracedDict(result, UNKNOWN) if __obj is str.maketrans else result

    def clock(self, now: datetime) -> Callable[[str], str]:
        """The `strftime_now` of templates; what it prints came from ("clock", format)."""

        def strftime_now(format: str) -> str:  # noqa: A002 - its name in transformers
            return text_from(now.strftime(format), ("clock", plain_text(format)), 0)

        return strftime_now
