"""What differs between two requests of a command, and what of it is not known yet."""

import json
from collections.abc import Iterable, Mapping

from promptlint.measure.shot import Shot, newest_user
from promptlint.measure.unexplained import explained, same_text
from promptlint.request import Request
from promptlint.worlds.compare import Region, compare
from promptlint.worlds.hunks import Hunk
from promptlint.worlds.units import SYSTEM, TOOLS, Unit, UnitKey


def request_units(request: Request) -> dict[UnitKey, Unit]:
    """The units of a request before a template renders it: each stands in a text of its own."""
    tools = json.dumps([tool.definition for tool in request.tools], ensure_ascii=False, indent=1)
    texts = {SYSTEM: request.system_text, TOOLS: tools}
    for index, message in enumerate(request.messages):
        calls = message.tool_calls or ""
        texts["messages", index] = f"{message.text}\n{message.reasoning or ''}\n{calls}"
    return {key: Unit(key, text, ((0, len(text)),)) for key, text in texts.items()}


def moved(before: Shot, after: Shot) -> tuple[Region, ...]:
    """What reads otherwise in the second request; messages that were added move nothing."""
    newest = (newest_user(shot.request) for shot in (before, after))
    skip = frozenset(("messages", index) for index in newest if index is not None)
    return compare(request_units(before.request), request_units(after.request), skip)


def unknown(
    regions: Iterable[Region], known: Iterable[Region], base: Mapping[UnitKey, Unit]
) -> tuple[Region, ...]:
    """The regions of `base` that the known ones do not explain."""
    known = tuple(known)
    return tuple(region for region in regions if not _is_known(region, known, base))


def _is_known(found: Region, known: Iterable[Region], base: Mapping[UnitKey, Unit]) -> bool:
    here = [region for region in known if region.unit == found.unit]
    text = base[found.unit].text if found.unit in base else ""
    return explained(_hunk(found), map(_hunk, here), text) or any(
        same_text(found.after.strip(), region.after) for region in here
    )


def _hunk(region: Region) -> Hunk:
    return Hunk(region.unit_start, region.unit_end, region.after_start, region.after_end)
