"""A builder that yields the requests of a session turn by turn."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any


def changed(built: Any, change: Callable[[], None]) -> Any:
    """What was built, with a change of the world behind its first item if it is an iterator."""
    if hasattr(built, "__anext__"):
        return _asynchronous(built, change)
    if hasattr(built, "__next__"):
        return _synchronous(built, change)
    return built


def _synchronous(items: Iterator[Any], change: Callable[[], None]) -> Iterator[Any]:
    for item in items:
        yield item
        change()


async def _asynchronous(
    items: AsyncIterator[Any], change: Callable[[], None]
) -> AsyncIterator[Any]:
    async for item in items:
        yield item
        change()
