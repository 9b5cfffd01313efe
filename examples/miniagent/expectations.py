"""What promptlint must say about miniagent."""

from pathlib import Path

from outcome import Example, Report


def expect(example: Example) -> None:
    refresh, frozen = example.reports("refresh"), example.reports("frozen")
    for report in (*refresh.values(), *frozen.values()):
        _sections(report)
    for report in refresh.values():
        assert report.first_moving("within") == "memory", "refresh: memory moves within a session"
    for report in frozen.values():
        assert report.first_moving("within") is None, "frozen: nothing moves within a session"
        assert report.axes("memory") == {"edit-memory"}, "frozen: memory moves between sessions"
        assert report.lifetime("memory") == "edit", "frozen: memory lives until it is edited"
    _tools_behind(refresh["qwen3"])
    _tools_in_front(refresh["tools_first.jinja"])
    _findings(example)


def _sections(report: Report) -> None:
    order = [source for source in report.order if source not in {"template", "tools"}]
    assert order == ["base", "project", "memory", "user"], f"the sections are {order}"
    assert report.lifetime("base") == report.lifetime("tools") == "static"
    assert report.axes("project") == {"edit-project"}, "AGENTS.md moves when it is edited"


def _tools_behind(report: Report) -> None:
    assert report.data["tools_position"] == "after-system", "Qwen3 prints the tools behind"
    assert report.data["stable_within_tokens"] < report.data["tokens"] / 2


def _tools_in_front(report: Report) -> None:
    assert report.data["tools_position"] == "before-system"
    assert report.order.index("tools") < report.order.index("memory")
    assert report.data["stable_within_tokens"] > report.data["tokens"] * 0.9


def _findings(example: Example) -> None:
    findings = [f for f in example.findings() if f["span"]["source"] == "memory"]
    warned = [finding for finding in findings if finding["severity"] == "warning"]
    assert len(warned) == 1, "one line of the code is at fault, in refresh"
    (finding,) = warned
    assert finding["rule"] == "tools-after-volatile"
    assert finding["prompt"] == "refresh"
    assert Path(finding["model"]).name == "qwen3"
    assert finding["history_lost"], "the conversation stands behind the memory"
    assert finding["lost_tokens"] > 400, "all tools are lost"
