"""One audit hook for everything that listens to audit events."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

Handler = Callable[..., None]


def install(*listeners: Mapping[str, Handler]) -> None:
    """Call every listener's handler for its events, with the event's arguments."""
    handlers: dict[str, list[Handler]] = {}
    for listener in listeners:
        for event, handler in listener.items():
            handlers.setdefault(event, []).append(handler)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        for handler in handlers.get(event, ()):
            handler(*arguments)

    sys.addaudithook(hook)
