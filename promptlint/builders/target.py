"""The text that names a builder: `package.module:function`, `path.py:OBJECT.method`."""

from pathlib import Path

from msgspec import Struct

from promptlint.builders.error import BuilderError, FailureKind


class Target(Struct, frozen=True):
    """A module, by dotted name or by file, and the attribute path within it."""

    text: str
    module: str | None
    path: Path | None
    attributes: tuple[str, ...]


def parse_target(text: str, base: Path) -> Target:
    """Read a target. A file is relative to `base`.

    Raises BuilderError where the text names nothing that could be called.
    """
    place, colon, attributes = text.rpartition(":")
    if not colon or not place or not attributes:
        raise _error(text, "write it as module:function or path.py:function")
    names = tuple(attributes.split("."))
    wrong = next((name for name in names if not name.isidentifier()), None)
    if wrong is not None:
        raise _error(text, f"{wrong!r} is no attribute name")
    if place.endswith(".py") or "/" in place:
        path = (base / place).resolve()
        if not path.is_file():
            raise BuilderError(FailureKind.NOT_FOUND, f"{text}: no file {path}")
        return Target(text, None, path, names)
    wrong = next((part for part in place.split(".") if not part.isidentifier()), None)
    if wrong is not None:
        raise _error(text, f"{wrong!r} is no module name")
    return Target(text, place, None, names)


def _error(text: str, cause: str) -> BuilderError:
    return BuilderError(FailureKind.TARGET, f"{text}: {cause}")
