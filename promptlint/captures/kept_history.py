"""Requests whose history is kept at the provider: what can be said of them, and what cannot."""

from collections.abc import Iterable

from promptlint.bodies import kept_by
from promptlint.captures.divergence import Divergence
from promptlint.captures.read import CapturedRequest
from promptlint.layout import Part
from promptlint.location import Location


def kept_history_notes(captured: Iterable[CapturedRequest]) -> tuple[str, ...]:
    """One sentence where a history is not in the capture, with the first place of each field."""
    places: dict[str, Location] = {}
    for item in captured:
        name = kept_by(item.body)
        if name is not None:
            places.setdefault(name, item.place)
    if not places:
        return ()
    named = " and ".join(f"`{name}` ({place})" for name, place in places.items())
    return (
        f"the history behind {named} is kept at the provider, not in the capture: "
        "tokens, reads and costs are too low",
    )


def is_told(divergence: Divergence, later: CapturedRequest) -> bool:
    """Whether a request really parts there: a history that is not sent again is not lost.

    The provider keeps the input, with a system text that stands in it, but no instructions.
    """
    if kept_by(later.body) is None or divergence.part is Part.TOOLS:
        return True
    return divergence.part is Part.SYSTEM and "instructions" in later.body
