"""One line a finding, for editors and for grep."""

from promptlint.finding import Finding
from promptlint.output.plain import one_line
from promptlint.phrases import count


def finding_line(finding: Finding) -> str:
    """`path:line:column: severity[rule] message, what it loses`."""
    place = f"{finding.location}: " if finding.location else ""
    lost = [count(finding.lost_tokens, "token")] if finding.lost_tokens else []
    lost += ["the history"] if finding.history_lost else []
    loss = f", loses {' and '.join(lost)}" if lost else ""
    return one_line(f"{place}{finding.severity}[{finding.rule}] {finding.message}{loss}")
