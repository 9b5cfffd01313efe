"""A time limit for code that asks for it: it works in any thread and starts none."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_deadline: ContextVar[float] = ContextVar("deadline", default=float("inf"))


class DeadlineExceededError(Exception):
    """The time limit was reached."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let `check_deadline` raise in this block once `seconds` have passed."""
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def check_deadline() -> None:
    """Raise DeadlineExceededError once the time limit around this call has passed."""
    if time.monotonic() > _deadline.get():
        raise DeadlineExceededError
