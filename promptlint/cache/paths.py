"""Fields inside of JSON objects, by dotted paths."""

from collections.abc import Mapping

from promptlint.request import Json


def at_path(value: Mapping[str, Json], path: str) -> Json:
    """The value at a path (`usage.cached_tokens`); None where there is none."""
    found: Json = dict(value)
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found
