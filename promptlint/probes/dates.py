"""Dates that a template prints by itself, also on the branches that few conversations reach."""

from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from promptlint.captures.common_prefix import common_prefix
from promptlint.layout import Axis
from promptlint.models.model import Model
from promptlint.probes.conversation import Shape, base_request, user
from promptlint.probes.printing import NOW, accepted
from promptlint.probes.switch import Switch, switches_of
from promptlint.render import Rendered
from promptlint.request import Request

_CLOCK = "strftime_now"
_STEPS = (
    (Axis.SECOND, timedelta(seconds=1)),
    (Axis.MINUTE, timedelta(minutes=1)),
    (Axis.HOUR, timedelta(hours=1)),
    (Axis.DAY, timedelta(days=1)),
    (Axis.DAY, timedelta(days=404)),
)
"""The steps of the clock, finest first. A month or a year alone changes with a day as well."""


class PrintedDate(Struct, frozen=True):
    """A time that the template prints.

    `format` is its strftime format, `precision` the finest step that changes it, `char` the
    character of the first request that differs when the clock has gone on by that much.
    `when` names the branch that prints it: empty for an ordinary request with a system
    text and tools.
    """

    format: str
    precision: Axis
    char: int
    when: str = ""


def asks_for_time(model: Model) -> bool:
    """Whether the template's text has the function that tells the time."""
    return _CLOCK in (model.template or "")


def printed_dates(shape: Shape, model: Model) -> tuple[PrintedDate, ...]:
    """Every clock format that a probe could make the template print, by its first branch."""
    if not asks_for_time(model):
        return ()
    found: dict[str, PrintedDate] = {}
    for when, request, switch in _branches(shape, model):
        arguments = {switch.name: switch.value} if switch else {}
        rendered = accepted(request, model, arguments)
        for date in _dates(rendered, when) if rendered else ():
            found.setdefault(date.format, date)
    return tuple(found.values())


def _branches(shape: Shape, model: Model) -> Iterator[tuple[str, Request, Switch | None]]:
    """Requests with and without a system text and tools, then each with every switch."""
    whole = replace(base_request(shape), messages=(user("Firstuserword: hello."),))
    requests = (
        ("", whole),
        ("without tools", replace(whole, tools=())),
        ("without a system text", replace(whole, system=())),
        ("without a system text and tools", replace(whole, system=(), tools=())),
    )
    for when, request in requests:
        yield when, request, None
    for switch in switches_of(model.template or ""):
        for when, request in requests:
            yield f"{when} with {switch}".strip(), request, switch


def _dates(rendered: Rendered, when: str) -> Iterator[PrintedDate]:
    for run in rendered.runs:
        if run.leaf is None or run.leaf[0] != "clock":
            continue
        pattern, text = str(run.leaf[1]), rendered.text[run.start : run.end]
        for precision, step in _STEPS:
            later = (NOW + step).strftime(pattern)
            if later != NOW.strftime(pattern):
                yield PrintedDate(pattern, precision, run.start + common_prefix(text, later), when)
                break
