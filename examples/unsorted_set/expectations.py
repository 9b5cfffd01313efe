"""What promptlint must say about a set that is written into a prompt."""

from outcome import Example


def expect(example: Example) -> None:
    unsorted, in_order = example.report("unsorted"), example.report("sorted")
    assert unsorted.axes() == {"hash-seed"}, "nothing but another hash seed moves the prompt"
    assert unsorted.data["stable_between_tokens"] < unsorted.data["tokens"] / 3
    assert in_order.exercised("hash-seed"), "hash seeds were tried on the sorted prompt"
    assert in_order.axes() == set(), "the sorted prompt never moves"
    faults = example.faults()
    assert len(faults) == 1, "the set is the only fault"
    (finding,) = faults
    assert finding["rule"] == "unordered-set", "the rule is the one about sets"
    assert (finding["prompt"], finding["severity"]) == ("unsorted", "warning")
    assert finding["lost_tokens"] > 400, "the examples and the tools are lost"
