"""What promptlint must say about an agent of deepagents 0.7.32."""

from outcome import Example

SECTIONS = ["skills", "project", "memory", "tools"]


def expect(example: Example) -> None:
    report = example.report("shop")
    order = [source for source in report.order if source in SECTIONS]
    assert order == SECTIONS, f"the sections stand as {order}"
    assert report.first_moving("within") is None, "nothing moves within a session"
    for axis in ("repeat", "turn", "minute", "mid-session-edit", "hash-seed"):
        assert report.exercised(axis), f"{axis} was tried"
    assert report.axes() == {"edit-skills", "edit-project", "edit-memory"}, "only files move it"
    _guidelines_behind_memory(example)


def _guidelines_behind_memory(example: Example) -> None:
    """The framework prints a thousand tokens of fixed guidelines behind the memory files."""
    findings = example.findings()
    assert {finding["scope"] for finding in findings} == {"between"}, "a session keeps its prefix"
    memory = [finding for finding in findings if finding["span"]["source"] == "memory"]
    assert [finding["rule"] for finding in memory] == ["volatile-before-stable"]
