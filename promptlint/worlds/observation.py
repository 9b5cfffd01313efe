"""What the outside world handed to the builder, as the worker wrote it down."""

from enum import StrEnum

from msgspec import Struct

from promptlint.location import Location


class ObservationKind(StrEnum):
    """What was asked."""

    CLOCK = "clock"
    FILE = "file"
    LISTING = "listing"
    IDENTIFIER = "identifier"
    RANDOM = "random"
    PROCESS = "process"
    HOST = "host"
    ENVIRONMENT = "environment"


class Phase(StrEnum):
    """When it was asked: while the module was imported, or in a call of the builder."""

    IMPORT = "import"
    CALL = "call"


class Observation(Struct, frozen=True):
    """One value that the world handed out.

    `key` says what was asked: a clock's function or format, a file or folder as
    `root:path` (root is workspace, home or base; other files are absolute), a
    command, a variable, a function. `value` is the text handed out, at most
    65,536 characters. `location` is the innermost line inside the project, else
    the innermost outside the standard library, None for a call from a thread
    without a user's frame. `library_location` is a library's line that stands
    nearer to the call. `call` counts the calls of one run from 0 (-1 for the
    import), `sequence` everything in one process.
    """

    kind: ObservationKind
    key: str
    value: str
    location: Location | None = None
    library_location: Location | None = None
    phase: Phase = Phase.CALL
    call: int = 0
    sequence: int = 0
