"""The arguments of a template that change what it prints, and from which character on."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.model import Model
from promptlint.probes.printing import accepted
from promptlint.probes.switch import Switch, switches_of
from promptlint.render import Rendered
from promptlint.request import Json, Request

_MARK = "Argumentword"
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LONGEST_DATE = len("Wednesday, 26 September 2024")


class Parameter(Struct, frozen=True):
    """An argument that changes the rendered text.

    `char` is the first character that any of its `values` changes; `printed` says that
    the template prints a text given to it, `is_date` that a date stands there else.
    """

    name: str
    char: int
    values: tuple[Json, ...]
    printed: bool = False
    is_date: bool = False


def parameters_of(
    request: Request, model: Model, names: Iterable[str] | None = None
) -> tuple[Parameter, ...]:
    """The template's arguments that change what it prints for this request, by place.

    All of them, or those of these `names`.
    """
    default = accepted(request, model)
    if default is None:
        return ()
    switches = [s for s in switches_of(model.template or "") if names is None or s.name in names]
    groups = groupby(switches, key=lambda switch: switch.name)
    found = (_parameter(name, list(group), request, model, default) for name, group in groups)
    return tuple(
        sorted(filter(None, found), key=lambda parameter: (parameter.char, parameter.name))
    )


def _parameter(
    name: str, switches: list[Switch], request: Request, model: Model, default: Rendered
) -> Parameter | None:
    changed: list[tuple[int, Json]] = []
    for switch in (*switches, Switch(name, _MARK)):
        rendered = accepted(request, model, {name: switch.value})
        if rendered is not None and rendered.text != default.text:
            changed.append((common_prefix(default.text, rendered.text), switch.value))
    if not changed:
        return None
    rendered = accepted(request, model, {name: _MARK})
    places = list(_places(rendered, name)) if rendered else []
    return Parameter(
        name,
        min(char for char, _ in changed),
        tuple(value for _, value in changed if value != _MARK),
        printed=bool(places),
        is_date=rendered is not None and any(_is_date(default, rendered, at) for at in places),
    )


def _places(rendered: Rendered, name: str) -> Iterator[int]:
    """Where an argument's own text starts."""
    for run in rendered.runs:
        if run.leaf is not None and run.leaf[:2] == ("arguments", name):
            yield run.start


def _is_date(default: Rendered, rendered: Rendered, at: int) -> bool:
    """Whether the default text has a date where the argument's text starts."""
    same_so_far = default.text[:at] == rendered.text[:at]
    return same_so_far and _YEAR.search(default.text[at : at + _LONGEST_DATE]) is not None
