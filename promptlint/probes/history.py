"""A conversation request by request: where the template does not extend what it printed."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from promptlint.models.model import Model
from promptlint.probes.breaks import Break, Cause, Event, break_of, find_loss, printed_fields
from promptlint.probes.printing import accepted, printed, uncounted
from promptlint.probes.switch import Switch, switches_of
from promptlint.render import Rendered
from promptlint.request import Request

Pair = tuple[Request, Request]


def history_breaks(requests: Sequence[Request], model: Model) -> tuple[Break, ...]:
    """The breaks between each request and the next one, where that repeats it and goes on.

    A request that does not repeat the one before is the agent's doing, not the template's.
    Raises TemplateError where the template refuses one of the requests.
    """
    bare = uncounted(model)
    rendered = [printed(request, bare) for request in requests]
    found: list[Break] = []
    cures: dict[Cause, tuple[Switch, ...]] = {}
    for index, (old, new) in enumerate(pairwise(rendered)):
        pair = requests[index], requests[index + 1]
        loss = find_loss(old, new) if goes_on(*pair) else None
        if loss is None:
            continue
        made = break_of(index + 2, _event(pair), old, new, loss, model.tokenizer)
        if made.loses_content:
            # One cause has one cure: what removed it once is all that is tried again.
            tried = cures.get(made.cause, switches_of(model.template or ""))
            made = _with_switch(made, pair, (old, new), bare, tried)
            cures[made.cause] = () if made.switch is None else (made.switch,)
        found.append(made)
    return tuple(found)


def goes_on(earlier: Request, later: Request) -> bool:
    """Whether the later request repeats everything of the earlier one in front of what is new."""
    kept = replace(later, messages=later.messages[: len(earlier.messages)])
    return len(later.messages) > len(earlier.messages) and repr(kept) == repr(earlier)


def _event(pair: Pair) -> Event:
    turns = [sum(message.role == "user" for message in request.messages) for request in pair]
    return Event.STEP if turns[0] == turns[1] else Event.TURN


def _with_switch(
    made: Break,
    pair: Pair,
    default: tuple[Rendered, Rendered],
    bare: Model,
    switches: Iterable[Switch],
) -> Break:
    """The break with the switch that leaves least of it, if one leaves no more than marks."""
    best: tuple[int, Switch] | None = None
    for switch in switches:
        left = _left(switch, pair, default, bare)
        if left is not None and (best is None or left < best[0]):
            best = left, switch
        if left == 0:
            break
    return made if best is None else replace(made, switch=best[1], left_chars=best[0])


def _left(
    switch: Switch, pair: Pair, default: tuple[Rendered, Rendered], bare: Model
) -> int | None:
    """The characters still lost with a switch; None where it is no cure.

    A cure keeps all of the request's text that is printed without it, and what is lost
    with it is no text of the request.
    """
    old, new = (accepted(request, bare, {switch.name: switch.value}) for request in pair)
    if old is None or new is None or new.text == default[1].text:
        return None
    if not (_keeps(default[0], old) and _keeps(default[1], new)):
        return None
    loss = find_loss(old, new)
    if loss is None:
        return 0
    return None if loss.loses_content else loss.lost_chars


def _keeps(default: Rendered, switched: Rendered) -> bool:
    return printed_fields(default).keys() <= printed_fields(switched).keys()
