"""Jinja's filters with provenance: each keeps it, or gives the common leaf of its inputs.

`_KEEPING` move values about or call methods that trace. `_ON_TEXT` do so once their first
argument is traced text. `_OWN` are written here. Whatever else jinja has, now or in a later
version, is wrapped: its result has the common leaf of everything that went in.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from jinja2 import pass_environment
from jinja2.environment import Environment
from jinja2.filters import FILTERS, make_attrgetter

from promptlint.templates.formatting import percent
from promptlint.templates.traced_data import retraced
from promptlint.templates.traced_markup import TracedMarkup, escaped
from promptlint.templates.traced_text import concatenated, interleaved, mapped, pieces_of, traced
from promptlint.templates.written import as_json, printed

# fmt: off
_KEEPING = (
    "attr", "batch", "d", "default", "dictsort", "first", "groupby", "items", "last", "list",
    "map", "max", "min", "random", "reject", "rejectattr", "reverse", "select", "selectattr",
    "slice", "sort", "sum", "truncate", "unique",
)
# fmt: on
_ON_TEXT = ("capitalize", "center", "lower", "trim", "upper")


def _on_text(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def filter_text(value: Any, *args: Any, **kwargs: Any) -> Any:
        return function(printed(value), *args, **kwargs)

    return filter_text


def _untraceable(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def filter_value(*args: Any, **kwargs: Any) -> Any:
        return retraced(function(*args, **kwargs), args, kwargs)

    return filter_value


def _escape(value: Any) -> str:
    return escaped(printed(value))


def _forceescape(value: Any) -> str:
    return escaped(traced(printed(value)))


def _format(value: Any, *args: Any, **kwargs: Any) -> str:
    return percent(printed(value), kwargs or args)


def _indent(value: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    indentation = width if isinstance(width, str) else " " * width
    parts: list[str] = []
    for index, line in enumerate(traced(value + "\n").splitlines(keepends=True)):
        body = line[: len(line.splitlines()[0])]
        if index or first:
            parts.append(indentation if body or blank else "")
        parts += [body, mapped(line[len(body) :], lambda _: "\n")]
    return concatenated(parts[:-1])


@pass_environment
def _join(
    environment: Environment, value: Iterable[Any], d: Any = "", attribute: str | int | None = None
) -> str:
    if attribute is not None:
        value = map(make_attrgetter(environment, attribute), value)
    return concatenated(interleaved(printed(d), [printed(item) for item in value]))


def _length(value: Any) -> int:
    length: int = retraced(len(value), value)
    return length


def _replace(value: Any, old: Any, new: Any, count: int | None = None) -> str:
    text = traced(printed(value))
    return text.replace(printed(old), printed(new), -1 if count is None else count)


def _safe(value: Any) -> str:
    text = printed(value)
    return TracedMarkup(text, pieces_of(text))


def _title(value: Any) -> str:
    return mapped(printed(value), FILTERS["title"])


_OWN: dict[str, Callable[..., Any]] = {
    "count": _length,
    "e": _escape,
    "escape": _escape,
    "forceescape": _forceescape,
    "format": _format,
    "indent": _indent,
    "join": _join,
    "length": _length,
    "replace": _replace,
    "safe": _safe,
    "string": printed,
    "title": _title,
    "tojson": as_json,
}


def tracing_filters() -> dict[str, Callable[..., Any]]:
    """Every filter of jinja, by name, with provenance."""
    filters = {name: _untraceable(function) for name, function in FILTERS.items()}
    filters |= {name: FILTERS[name] for name in _KEEPING}
    filters |= {name: _on_text(FILTERS[name]) for name in _ON_TEXT}
    return filters | _OWN
