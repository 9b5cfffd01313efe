"""A row that shares its chunks is the tuple of its numbers."""

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.tokens import NO_TOKENS, Tokens, rank

numbers = st.lists(st.integers(0, 3), max_size=8).map(tuple)
"""Few different ones, so that rows agree for a while."""


@st.composite
def rows(draw: st.DrawFn) -> list[tuple[Tokens, tuple[int, ...]]]:
    """Rows that go on from the start of an earlier one, each with its plain numbers."""
    found: list[tuple[Tokens, tuple[int, ...]]] = [(NO_TOKENS, ())]
    for _ in range(draw(st.integers(1, 8))):
        row, plain = draw(st.sampled_from(found))
        kept = draw(st.integers(0, len(plain)))
        new = draw(numbers)
        found.append((row[:kept] + new, plain[:kept] + new))
    return found


@given(rows(), st.integers(-40, 40), st.integers(-40, 40), st.sampled_from([1, 2, -1]))
def test_a_row_is_the_tuple_of_its_numbers(
    drawn: list[tuple[Tokens, tuple[int, ...]]], start: int, stop: int, step: int
) -> None:
    for row, plain in drawn:
        assert row == plain
        assert plain == row
        assert (hash(row), len(row), repr(row)) == (hash(plain), len(plain), repr(plain))
        assert row[start:stop:step] == plain[start:stop:step]
        assert [row[n] for n in range(-len(row), len(row))] == [*plain, *plain]


@given(rows())
def test_the_common_prefix_of_rows_is_that_of_their_numbers(
    drawn: list[tuple[Tokens, tuple[int, ...]]],
) -> None:
    for row, plain in drawn:
        for other, numbers_of_other in drawn:
            shared = common_prefix(row, other)
            assert shared == common_prefix(plain, numbers_of_other)
            assert row.shared(other) <= shared


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4)), st.integers(-1, 10))
def test_the_rank_in_a_row_that_never_decreases(chunks: list[list[int]], value: int) -> None:
    plain = tuple(sorted(number for chunk in chunks for number in chunk))
    row, start = NO_TOKENS, 0
    for chunk in chunks:
        row += plain[start : start + len(chunk)]
        start += len(chunk)
    assert rank(row, value) == rank(plain, value) == bisect_left(plain, value)


def test_a_row_that_goes_on_shares_all_but_the_chunk_that_was_cut() -> None:
    first, second, new = (1, 2, 3), (4, 5, 6), (7,)
    row = NO_TOKENS + first + second
    assert (row[:5] + new).shared(row) == 3
    assert (row + new).shared(row) == 6


def test_there_is_nothing_behind_the_end() -> None:
    with pytest.raises(IndexError):
        Tokens.of((1, 2))[2]
