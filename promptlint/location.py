"""A place in a source file."""

from msgspec import Struct


class Location(Struct, frozen=True, order=True):
    """A run of source code. Lines and columns count from 1; what is unknown is None.

    `path` is relative to the config file's folder; a file of an installed
    package is written `distribution:path`.
    """

    path: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    def __str__(self) -> str:
        parts = [self.path, *(str(n) for n in (self.line, self.column) if n is not None)]
        return ":".join(parts)
