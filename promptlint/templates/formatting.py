"""The `%` operator and `str.format` with provenance."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2.sandbox import SandboxedFormatter

from promptlint.templates.traced_data import retraced
from promptlint.templates.traced_markup import TracedMarkup, escaped
from promptlint.templates.traced_text import concatenated, plain_text, traced
from promptlint.templates.written import printed

_FIELD = re.compile(r"%(?:\((?P<key>[^)]*)\))?(?P<form>[-#0 +]*\d*(?:\.\d+)?[a-zA-Z%])")


def percent(pattern: str, arguments: Any) -> str:
    """`pattern % arguments`."""
    text = str.__mod__(plain_text(pattern), arguments)
    parts = concatenated(_percent_parts(traced(pattern), arguments))
    return parts if parts == text else retraced(text, pattern, arguments)


def _percent_parts(pattern: str, arguments: Any) -> Iterator[str]:
    values = iter(arguments if isinstance(arguments, tuple) else (arguments,))
    end = 0
    for field in _FIELD.finditer(pattern):
        yield pattern[end : field.start()]
        end = field.end()
        form = field["form"]
        if form == "%":
            yield pattern[end - 1]
            continue
        value = next(values) if field["key"] is None else arguments[field["key"]]
        yield printed(value) if form == "s" else retraced(f"%{form}" % (value,), value)
    yield pattern[end:]


class TracingFormatter(SandboxedFormatter):
    """`str.format` that notes the parts it puts together. Make a new one for each call."""

    _pattern: str
    _parts: list[str]
    _in_field: bool

    def vformat(self, format_string: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        """`format_string.format(*args, **kwargs)`."""
        self._pattern, self._parts, self._in_field = format_string, [], False
        text = super().vformat(plain_text(format_string), args, kwargs)
        parts = concatenated(self._parts)
        return parts if parts == text else retraced(text, format_string, args, kwargs)

    def parse(self, format_string: str) -> Iterable[Any]:
        """The literal texts and fields, noting those texts that are no format of a field."""
        outermost, self._in_field = not self._in_field, True
        for literal, *field in super().parse(format_string):
            if outermost:
                self._parts.append(retraced(literal, self._pattern))
            yield literal, *field

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """`repr(value)` and its like, where the field asks for it."""
        return retraced(super().convert_field(value, conversion), value)

    def format_field(self, value: Any, format_spec: str) -> str:
        """One field as text, noting it."""
        text = retraced(format(value, format_spec), value) if format_spec else printed(value)
        if isinstance(self._pattern, TracedMarkup):
            text = escaped(text)
        self._parts.append(text)
        return text
