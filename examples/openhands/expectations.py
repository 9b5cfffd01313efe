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
    """Both prompts meet one clock, at one line of the SDK: that is one finding, the worse."""
    (clock,) = (f for f in example.faults() if f["rule"] == "sub-day-clock")
    assert (clock["prompt"], clock["severity"]) == ("stateless", "error")
    assert clock["history_lost"], "the conversation stands behind the clock of a new agent"
    assert clock["lost_tokens"] > 3000, "under Qwen3's template the tools stand behind it"
    assert clock["path"].startswith("openhands-sdk:"), "the clock is read in the SDK"
    others = [related["note"] for related in clock["related"] if "conversation" in related["note"]]
    assert any("warning" in note and "whole history" not in note for note in others), (
        "another session has no history to lose"
    )
