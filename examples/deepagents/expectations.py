"""What promptlint must say about an agent of deepagents 0.7.32."""

from outcome import Example


def expect(example: Example) -> None:
    report = example.report("shop")
    assert report.moving == ["skills", "project", "memory"], f"what moves is {report.moving}"
    assert report.order.index("tools") > report.order.index("memory"), "Qwen3 prints tools behind"
    assert report.first_moving("within") is None, "nothing moves within a session"
    for axis in ("repeat", "turn", "minute", "mid-session-edit", "hash-seed"):
        assert report.exercised(axis), f"{axis} was tried"
    assert report.axes() == {"edit-skills", "edit-project", "edit-memory"}, "only files move it"
    _guidelines_behind_memory(example)


def _guidelines_behind_memory(example: Example) -> None:
    """The framework prints a thousand tokens of fixed guidelines behind the memory files."""
    faults = example.faults()
    assert {fault["scope"] for fault in faults} == {"between"}, "a session keeps its prefix"
    memory = [fault for fault in faults if fault["span"]["source"] == "memory"]
    assert [fault["rule"] for fault in memory] == ["volatile-before-stable"]
