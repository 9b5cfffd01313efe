"""What promptlint must say about the OpenHands SDK 1.58.2."""

from outcome import Example, Report

PYTHON = "3.12"


def expect(example: Example) -> None:
    conversation, stateless = example.reports("conversation"), example.reports("stateless")
    for report in (*conversation.values(), *stateless.values()):
        _clock_is_last(report)
    for report in conversation.values():
        assert report.first_moving("within") is None, "a conversation keeps its system prompt"
        assert report.lifetime("timestamp") == "session", "its clock is that of its start"
    for report in stateless.values():
        assert report.first_moving("within") == "memory", "a new agent reads its files again"
        assert "minute" in report.axes("timestamp"), "a new agent has a new clock"
    _findings(example)


def _clock_is_last(report: Report) -> None:
    after = report.order[report.order.index("timestamp") + 1 :]
    assert set(after) <= {"template", "tools", "user"}, f"behind the clock stands {after}"
    assert report.order.index("project") < report.order.index("memory")


def _findings(example: Example) -> None:
    clocks = {f["prompt"]: f for f in example.faults() if f["rule"] == "sub-day-clock"}
    assert clocks["conversation"]["severity"] == "warning"
    assert not clocks["conversation"]["history_lost"], "another session has no history to lose"
    assert clocks["stateless"]["severity"] == "error"
    assert clocks["stateless"]["history_lost"], "the conversation stands behind the clock"
    for clock in clocks.values():
        assert clock["lost_tokens"] > 3000, "under Qwen3's template the tools stand behind it"
