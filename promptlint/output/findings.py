"""The outcome of a check, in the format that was asked for."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from promptlint.check.outcome import Outcome
from promptlint.finding import Severity
from promptlint.rule import Rule

FORMATS = ("full", "concise", "json", "github", "sarif")


def write_findings(
    outcome: Outcome,
    output_format: str,
    rules: Mapping[str, Rule[Any]],
    base: Path,
    file: IO[str],
    *,
    verbose: bool,
) -> None:
    """Write the findings to `file`. Full output is styled where the file is a terminal."""
    problems = [problem.message for problem in outcome.problems]
    if output_format == "json":
        from promptlint.output.json_report import findings_json

        notes = outcome.notes
        file.write(findings_json(outcome.findings, outcome.summary(), problems, notes))
    elif output_format == "sarif":
        from promptlint.output.sarif import findings_sarif

        file.write(findings_sarif(outcome.findings, outcome.problems, rules))
    elif output_format == "github":
        from promptlint.output.github import finding_command, problem_command

        file.writelines(f"{finding_command(finding)}\n" for finding in outcome.findings)
        file.writelines(f"{problem_command(problem)}\n" for problem in outcome.problems)
    elif output_format == "concise":
        from promptlint.output.concise import finding_line

        file.writelines(f"{finding_line(finding)}\n" for finding in outcome.findings)
    else:
        _write_full(outcome, base, file, verbose=verbose)


def write_statistics(outcome: Outcome, file: IO[str]) -> None:
    """How often each rule spoke, most often first."""
    counts = Counter(finding.rule for finding in outcome.findings)
    for rule, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        file.write(f"{number:>5}  {rule}\n")


def _write_full(outcome: Outcome, base: Path, file: IO[str], *, verbose: bool) -> None:
    from promptlint.output.full import finding_lines, summary_lines
    from promptlint.output.styled import write_lines

    for finding in outcome.findings:
        brief = finding.severity is Severity.INFO and not verbose
        write_lines(finding_lines(finding, base, brief=brief), file)
    write_lines(summary_lines(outcome.summary()), file)
