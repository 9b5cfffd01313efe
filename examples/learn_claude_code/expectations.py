"""What promptlint must say about the three prompts of the course."""

from outcome import Example


def expect(example: Example) -> None:
    index, picked = example.report("index"), example.report("picked")
    every_round = example.report("every-round")
    assert index.first_moving("within") == "memory", "the memory index moves within a session"
    assert index.lifetime("memory") == "turn"
    assert picked.first_moving("within") == "memory", "picked memories move within a session"
    assert "turn" in picked.axes("memory"), "another user message picks other memories"
    assert "turn" not in index.axes(), "the index does not depend on the message"
    order = [s for s in every_round.order if s in {"memory", "project", "timestamp", "tools"}]
    assert order == ["memory", "project", "timestamp", "tools"], "memory stands before CLAUDE.md"
    assert every_round.lifetime("memory") == "turn", "memories are read in every round"
    assert every_round.lifetime("project") == "edit"
    assert every_round.lifetime("timestamp") == "day"
    _findings(example)


def _findings(example: Example) -> None:
    found = {(fault["rule"], fault["prompt"]) for fault in example.faults()}
    assert ("live-memory-file", "index") in found, "the index is read again within a session"
    assert ("live-memory-file", "every-round") in found, "so are the memories in every round"
    assert ("query-keyed-retrieval", "picked") in found, "the message chooses the memories"
