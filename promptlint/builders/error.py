"""Why a builder could not be run."""

from enum import StrEnum


class FailureKind(StrEnum):
    """What went wrong."""

    INTERPRETER = "interpreter"
    NOT_FOUND = "not-found"
    TARGET = "target"
    IMPORT = "import"
    RAISED = "raised"
    HANGS = "hangs"
    EXITED = "exited"
    MEMORY = "memory"
    RECURSION = "recursion"
    NONE = "none"
    BYTES = "bytes"
    UNSUPPORTED = "unsupported"


class BuilderError(Exception):
    """A builder that could not be run. The message is one line: the target, then the cause.

    `traceback` is the user's own traceback, without our frames; it may be empty.
    `output` is the end of what the builder printed. `fatal` says that the process
    in which it ran is of no more use.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        traceback: str = "",
        output: str = "",
        fatal: bool = True,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.traceback = traceback
        self.output = output
        self.fatal = fatal
