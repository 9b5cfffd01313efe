"""Only what a change touches: the findings on lines that differ from a revision."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from promptlint.check.outcome import CheckError
from promptlint.finding import Finding

_DIFF = ("diff", "--unified=0", "--no-color", "--relative", "--no-ext-diff")
_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


class ChangedLinesError(CheckError):
    """Git could not say what changed. One line: the revision, then the cause."""


def on_changed_lines(findings: Iterable[Finding], revision: str, base: Path) -> tuple[Finding, ...]:
    """The findings that sit on lines added or changed since `revision`."""
    changed = changed_lines(revision, base)
    return tuple(
        finding
        for finding in findings
        if (place := finding.location) is not None
        and place.line is not None
        and changed.get(place.path, set())
        & set(range(place.line, (place.end_line or place.line) + 1))
    )


def changed_lines(revision: str, base: Path) -> dict[str, set[int]]:
    """The changed lines by file, relative to `base`; files that git does not track are all new.

    Raises ChangedLinesError.
    """
    diff = _git(
        base,
        revision,
        "diff",
        "--unified=0",
        "--no-color",
        "--relative",
        "--no-ext-diff",
        revision,
        "--",
    )
    lines: dict[str, set[int]] = {}
    path = ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line[4:].removeprefix("b/")
        elif hunk := _HUNK.match(line):
            start, length = int(hunk[1]), int(hunk[2] or 1)
            lines.setdefault(path, set()).update(range(start, start + length))
    for name in _git(base, revision, "ls-files", "--others", "--exclude-standard").splitlines():
        count = (base / name).read_bytes().count(b"\n") + 1
        lines[name] = set(range(1, count + 1))
    return lines


def _git(base: Path, revision: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", *arguments],
            cwd=base,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise ChangedLinesError(f"--diff {revision}: git cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
        raise ChangedLinesError(f"--diff {revision}: {said[0]}")
    return done.stdout.decode("utf-8", "replace")
