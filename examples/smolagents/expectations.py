"""What promptlint must say about smolagents 1.26.0."""

from outcome import Example


def expect(example: Example) -> None:
    report = example.report("code-agent")
    assert report.exercised("hash-seed"), "hash seeds were tried"
    assert report.axes() == set(), "smolagents sorts what it prints: nothing moves"
    assert report.data["stable_prefix_tokens"] == report.data["tokens"]
    assert not example.faults(), "the prompt is clean"
