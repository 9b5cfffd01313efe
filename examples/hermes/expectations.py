"""What promptlint must say about Hermes Agent 0.19.0."""

from outcome import Example, Report

MOVING = ["skills", "workspace", "project", "memory", "timestamp", "tools"]
MEMORIES = ("MEMORY.md", "USER.md")
HEADERS = "MEMORY (your personal notes) [1% — 22/2,200 chars]USER PROFILE (who the user is) [1%"


def expect(example: Example) -> None:
    report = example.report("hermes")
    order = [source for source in report.order if source in MOVING]
    assert order == MOVING, f"skills index and git snapshot stand before AGENTS.md, not {order}"
    assert report.first_moving("within") is None, "Hermes keeps its prompt for the session"
    assert report.lifetime("timestamp") == "day", "the line with the date lives a day"
    assert "edit-workspace" in report.axes("workspace"), "a commit moves the git snapshot"
    assert "edit-skills" in report.axes("skills"), "a skill's description moves the index"
    _memory_with_its_headers(report, example)
    warned = {fault["span"]["source"] for fault in example.faults()}
    assert {"skills", "workspace"} <= warned, f"what stands before AGENTS.md is a fault: {warned}"


def _memory_with_its_headers(report: Report, example: Example) -> None:
    """The percentage in a header moves with the file, so the header belongs to the memory."""
    folder = example.folder / "home" / ".hermes" / "memories"
    notes = sum(len((folder / name).read_text("utf-8")) for name in MEMORIES)
    assert report.characters("memory") >= notes + len(HEADERS), "headers belong to the memory"
    assert report.axes("memory") == {"edit-memory"}, "memory moves when it is edited"
