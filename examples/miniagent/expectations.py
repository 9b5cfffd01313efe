"""What promptlint must say about miniagent."""

from pathlib import Path

from outcome import Example, Report


def expect(example: Example) -> None:
    refresh, frozen = example.reports("refresh"), example.reports("frozen")
    for report in (*refresh.values(), *frozen.values()):
        _sections(report)
    for report in refresh.values():
        assert report.first_moving("within") == "memory", "memory moves first within a session"
        assert "mid-session-edit" in report.axes("memory"), "a note moves the next request"
    for report in frozen.values():
        assert report.first_moving("within") is None, "nothing moves within a frozen session"
        assert report.axes("memory") == {"edit-memory"}, "a frozen memory moves between sessions"
        assert report.lifetime("memory") == "edit", "a frozen memory lives until it is edited"
    _tools_behind(refresh["qwen3"])
    _tools_in_front(refresh["tools_first.jinja"])
    _findings(example)


def _sections(report: Report) -> None:
    order = [source for source in report.order if source not in {"template", "tools"}]
    assert order == ["base", "project", "memory", "user"], "nothing else stands in the prompt"
    assert report.lifetime("base") == report.lifetime("tools") == "static"
    assert report.axes("project") == {"edit-project"}, "AGENTS.md moves when it is edited"


def _tools_behind(report: Report) -> None:
    assert report.order.index("tools") > report.order.index("memory"), "Qwen3 prints tools behind"
    assert report.data["stable_within_tokens"] < report.data["tokens"] / 2, "the tools are lost"


def _tools_in_front(report: Report) -> None:
    assert report.order.index("tools") < report.order.index("memory"), "tools stand in front"
    assert report.data["stable_within_tokens"] > report.data["tokens"] * 0.9, "tools are kept"


def _findings(example: Example) -> None:
    faults = example.faults()
    assert len(faults) == 1, "one line is at fault"
    (finding,) = faults
    assert finding["rule"] == "live-memory-file", "the memory file is read in every turn"
    assert (finding["prompt"], Path(finding["model"]).name) == ("refresh", "qwen3")
    assert finding["path"] == "agent.py", "the line that reads the file is named"
    assert finding["history_lost"], "the conversation is lost"
    assert finding["lost_tokens"] > 400, "the tools are lost"
