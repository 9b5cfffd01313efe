"""The fields of captured bodies that no reader knows."""

import re
from collections.abc import Iterable

from promptlint.bodies import body_format
from promptlint.captures.read import CapturedRequest
from promptlint.location import Location

_INDEX = re.compile(r"\[\d+\]")
_MOST_NAMED = 8


def unknown_field_notes(captured: Iterable[CapturedRequest]) -> tuple[str, ...]:
    """One sentence for each format: its unknown fields, and where each was met first."""
    found: dict[str, dict[str, Location]] = {}
    for item in captured:
        for path in item.request.unknown_fields:
            places = found.setdefault(str(body_format(item.body)), {})
            places.setdefault(_INDEX.sub("[]", path), item.place)
    return tuple(_note(form, places) for form, places in found.items())


def _note(form: str, places: dict[str, Location]) -> str:
    named = [f"`{path}` ({place})" for path, place in places.items()]
    if len(named) > _MOST_NAMED:
        named = [*named[:_MOST_NAMED], f"and {len(named) - _MOST_NAMED} more"]
    return f"unknown fields of {form}, read as no part of the prompt: {', '.join(named)}"
