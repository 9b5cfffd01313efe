"""When a captured request was sent."""

from datetime import UTC, datetime

from promptlint.request import Json

_MILLISECONDS = 1e11
"""Numbers above are milliseconds, as JavaScript counts: as seconds they lie 3,000 years ahead."""

_SHOWN = 40
"""Characters of what is no time."""


def seconds_since_1970(value: Json) -> float:
    """The time that a number of seconds or milliseconds, or an ISO 8601 text, stands for.

    Raises ValueError, in one line, where it stands for none.
    """
    if isinstance(value, str):
        return _in_calendar(_of_text(value), 1, value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("neither a number of seconds nor an ISO 8601 text")
    return _in_calendar(value, 1000 if value > _MILLISECONDS else 1, value)


def _of_text(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{text!r}, no ISO 8601 time") from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _in_calendar(number: float, a_second: int, value: Json) -> float:
    """The seconds in a number, if a calendar has that day."""
    try:
        seconds = number / a_second
        datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(f"{repr(value)[:_SHOWN]}, no time") from error
    return seconds
