"""What a check found, and what it could not check."""

from msgspec import Struct, field

from promptlint.finding import Finding, Severity
from promptlint.location import Location


class CheckError(Exception):
    """Nothing can be checked. One line: the place, then the cause."""


class Problem(Struct, frozen=True):
    """Something that could not be checked: one line, and the user's traceback if any.

    `location` is where a file cannot be read.
    """

    message: str
    traceback: str = ""
    location: Location | None = None


class Outcome(Struct):
    """What a check found. `suppressed` counts what people accepted.

    `notes` are sentences about what was read otherwise than a reader may expect.
    `prompts` are the prompts and captured conversations that were checked, `files` the
    source files that were read.
    """

    findings: tuple[Finding, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    suppressed: int = 0
    prompts: int = 0
    files: int = 0

    def and_also(self, other: "Outcome") -> "Outcome":
        """Both outcomes as one."""
        return Outcome(
            (*self.findings, *other.findings),
            [*self.problems, *other.problems],
            (*self.notes, *other.notes),
            self.suppressed + other.suppressed,
            self.prompts + other.prompts,
            self.files + other.files,
        )

    def summary(self) -> dict[str, int]:
        """Counts by severity, of problems and of what was checked."""
        counts = {str(level): 0 for level in Severity}
        for finding in self.findings:
            counts[str(finding.severity)] += 1
        return {
            **counts,
            "suppressed": self.suppressed,
            "prompts": self.prompts,
            "files": self.files,
            "errors_to_check": len(self.problems),
        }
