"""The fields of captured bodies, and beside them, that no reader knows."""

import re
from collections.abc import Iterable

from promptlint.bodies import body_format
from promptlint.captures.read import CapturedRequest
from promptlint.location import Location

_INDEX = re.compile(r"\[\d+\]")
_MOST_NAMED = 8


def unknown_field_notes(captured: Iterable[CapturedRequest]) -> tuple[str, ...]:
    """One sentence for each format, and one for what stands beside the bodies.

    They name the unknown fields, and where each was met first.
    """
    found: dict[str, dict[str, Location]] = {}
    beside: dict[str, Location] = {}
    for item in captured:
        for path in item.request.unknown_fields:
            places = found.setdefault(str(body_format(item.body)), {})
            places.setdefault(f"`{_INDEX.sub('[]', path)}`", item.place)
        for name in item.unread:
            beside.setdefault(name, item.place)
    notes = [
        f"unknown fields of {form}, read as no part of the prompt: {_named(places)}"
        for form, places in found.items()
    ]
    notes += [f"fields beside `request` that are not read: {_named(beside)}"] if beside else []
    return tuple(notes)


def _named(places: dict[str, Location]) -> str:
    named = [f"{name} ({place})" for name, place in places.items()]
    if len(named) > _MOST_NAMED:
        named = [*named[:_MOST_NAMED], f"and {len(named) - _MOST_NAMED} more"]
    return ", ".join(named)
