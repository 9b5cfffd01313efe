"""The full output of `check`: what moved, where, what it costs, where to move it."""

import linecache
from collections.abc import Iterator, Mapping
from pathlib import Path

from promptlint.captures.names import is_capture
from promptlint.finding import Finding
from promptlint.location import Location
from promptlint.output.plain import one_line
from promptlint.output.styled import SEVERITY_STYLES, Line
from promptlint.phrases import count

_LABEL = 12


def finding_lines(finding: Finding, base: Path, *, brief: bool = False) -> Iterator[Line]:
    """One finding as lines of styled text; its source line is quoted where it can be read.

    `brief` leaves out everything but the message and the place.
    """
    head = f"{finding.severity}[{finding.rule}]"
    yield ((head, SEVERITY_STYLES[finding.severity]), (f": {one_line(finding.message)}", "bold"))
    place = finding.location
    where = f"  {one_line(str(place))}" if place else "  "
    prompt = " · ".join(one_line(name) for name in (finding.prompt, finding.model) if name)
    yield ((f"{where}{'  ' if place and prompt else ''}", ""), (prompt, "dim"))
    if brief:
        yield (("", ""),)
        return
    yield from _quoted(place, base)
    for label, text in (*finding.facts, ("move it", finding.advice)):
        yield ((f"  {label:<{_LABEL}} ", "dim"), (one_line(text), ""))
    for related in finding.related:
        elsewhere = related.location if related.location != place else None
        where = f" at {elsewhere}" if elsewhere else ""
        yield ((f"  {'see also':<{_LABEL}} {one_line(related.note + where)}", "dim"),)
    yield (("", ""),)


def _quoted(place: Location | None, base: Path) -> Iterator[Line]:
    line = _source_line(place, base)
    if place is None or line is None:
        return
    number = str(place.line)
    yield ((f"  {number:>5} │ ", "dim"), (one_line(line.rstrip("\n")), ""))
    if place.column is not None:
        end = place.end_column if place.end_column and place.end_line == place.line else None
        width = max((end or place.column + 1) - place.column, 1)
        # Control characters are shown longer than they are, so the marks follow the shown text.
        indent = len(one_line(line[: place.column - 1]))
        yield ((f"  {'':>5} │ {' ' * indent}{'^' * width}", "dim"),)


def _source_line(place: Location | None, base: Path) -> str | None:
    if place is None or place.line is None:
        return None
    path = base / place.path
    if is_capture(path):  # a captured request fills one very long line
        return None
    linecache.checkcache(str(path))
    return linecache.getline(str(path), place.line) or None


def summary_lines(summary: Mapping[str, int]) -> Iterator[Line]:
    """The last line: what was found in how much."""
    found = [count(summary[level], level) for level in ("error", "warning") if summary[level]]
    if summary["info"]:
        found.append(f"{summary['info']} info")
    suppressed = f", {summary['suppressed']} ignored" if summary["suppressed"] else ""
    checked = [count(summary[what], what[:-1]) for what in ("prompts", "files") if summary[what]]
    where = f" in {' and '.join(checked)}" if checked else ""
    failed = summary["errors_to_check"]
    unchecked = f", {failed} could not be checked" if failed else ""
    yield ((f"{', '.join(found) or 'Nothing found'}{where}{suppressed}{unchecked}.", ""),)
