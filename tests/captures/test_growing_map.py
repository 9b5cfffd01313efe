"""Only new items are mapped, and an item is known by what it is, not by what it equals."""

from hypothesis import given
from hypothesis import strategies as st

from promptlint.captures.growing_map import GrowingMap

ITEMS = [[number] for number in (0, 1, 1, 2)]
"""Lists: two of them are equal, none is another one."""
sequences = st.lists(st.lists(st.sampled_from(ITEMS), max_size=6), max_size=12)


@given(sequences)
def test_the_results_are_those_of_each_item(drawn: list[list[list[int]]]) -> None:
    growing = GrowingMap(id)
    for items in drawn:
        assert growing(items) == tuple(map(id, items))


def test_what_stood_there_is_not_mapped_again() -> None:
    mapped: list[str] = []
    growing = GrowingMap(mapped.append)
    first, second = ["a", "b"], ["x"]
    for new in "cdef":
        growing(first)
        growing(second)
        first, second = [*first, new], [*second, new.upper()]
    assert sorted(mapped) == sorted("abcdexCDE")


def test_equal_items_are_not_the_same() -> None:
    growing = GrowingMap(repr)
    assert growing([1]) == ("1",)
    assert growing([True]) == ("True",)
