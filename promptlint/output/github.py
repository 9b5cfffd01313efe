"""GitHub workflow commands: one annotation a finding, with every value escaped."""

from collections.abc import Mapping

from promptlint.check.outcome import Problem
from promptlint.finding import Finding, Severity
from promptlint.output.plain import one_line, several_lines

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def finding_command(finding: Finding) -> str:
    """The workflow command for one finding."""
    place = finding.location
    properties = {}
    if place is not None:
        properties = {
            "file": place.path,
            "line": place.line or 1,
            "endLine": place.end_line,
            "col": place.column,
            "endColumn": place.end_column,
        }
    properties["title"] = f"promptlint {finding.rule}"
    facts = "; ".join(
        f"{label}: {text}" for label, text in (*finding.facts, ("move it", finding.advice))
    )
    text = _data(f"{finding.message}. {facts}")
    return f"::{_LEVELS[finding.severity]} {_shown(properties)}::{text}"


def problem_command(problem: Problem) -> str:
    """The workflow command for something that could not be checked."""
    place = problem.location
    properties = {"file": place.path, "line": place.line or 1} if place else {}
    shown = _shown({**properties, "title": "promptlint could not check"})
    return f"::error {shown}::{_data(problem.message)}"


def _shown(properties: Mapping[str, object]) -> str:
    return ",".join(f"{k}={_property(str(v))}" for k, v in properties.items() if v is not None)


def _data(text: str) -> str:
    return several_lines(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")
