"""Server-sent events, as all four formats stream them."""

import json
from collections.abc import Iterable

from promptlint.captures.recorder.completion import Object


def event_stream(events: Iterable[Object | str], *, named: bool = False) -> bytes:
    """The events as they go over the wire; `named` writes each one's type on a line of its own."""
    lines: list[str] = []
    for event in events:
        if named and isinstance(event, dict):
            lines.append(f"event: {event['type']}\n")
        data = event if isinstance(event, str) else json.dumps(event)
        lines.append(f"data: {data}\n\n")
    return "".join(lines).encode()
