"""Reading a configuration's values: each with its type, every fault with its place."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct, field

Fields = Mapping[str, Callable[[Any], Any]]


class Reader(Struct):
    """Reads typed values and gathers every fault, so that a user meets all of them at once."""

    place: str
    faults: list[str] = field(default_factory=list)

    def read(self, table: Mapping[str, Any], where: str, fields: Fields) -> dict[str, Any]:
        """The values that can be read, by their names in Python."""
        values = {}
        for key, value in table.items():
            if key not in fields:
                self.fault(where, f"unknown key `{key}`{nearest(key, fields)}")
                continue
            try:
                values[key.replace("-", "_")] = fields[key](value)
            except (TypeError, ValueError) as error:
                self.faults.append(f"{self.place}: {where}.{key}: {error}")
        return values

    def fault(self, where: str, cause: str) -> None:
        """Keep a fault: the place, then the cause."""
        self.faults.append(f"{self.place}: {where}: {cause}")


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at the known name that was probably meant; empty where none is near."""
    import difflib

    near = difflib.get_close_matches(name, list(known), 1)
    return f", did you mean `{near[0]}`?" if near else ""


def text(value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise TypeError("must be a text")
    return value


def texts(value: Any) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError("must be a list of texts")
    return tuple(value)


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise TypeError("must be true or false")
    return value


def count(value: Any) -> int:
    """A whole number, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError("must be a whole number, 0 or more")
    return value


def seconds(value: Any) -> float:
    """A duration above 0 (seconds)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise TypeError("must be a number of seconds above 0")
    return float(value)


def choice(*allowed: str) -> Callable[[Any], str]:
    """One of these words."""

    def read(value: Any) -> str:
        if value not in allowed:
            hint = nearest(value, allowed) if isinstance(value, str) else ""
            raise ValueError(f"must be one of {', '.join(allowed)}{hint}")
        return str(value)

    return read


def pattern(value: Any) -> re.Pattern[str]:
    """A regular expression."""
    try:
        return re.compile(text(value))
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from None


def tables(name: str) -> Callable[[Any], list[dict[str, Any]]]:
    """An array of the tables called `name`."""

    def read(value: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise TypeError(f"must be an array of tables: [[tool.promptlint.{name}]]")
        return value

    return read
