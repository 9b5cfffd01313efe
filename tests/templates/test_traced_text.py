"""TracedText is a str in every respect, and each character knows where it came from."""

from collections.abc import Callable
from typing import Any

import markupsafe
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.templates.leaf import UNKNOWN, Leaf, common_leaf
from promptlint.templates.pieces import as_runs
from promptlint.templates.traced_markup import TracedMarkup, escaped
from promptlint.templates.traced_number import TracedInt
from promptlint.templates.traced_text import (
    TracedText,
    concatenated,
    pieces_of,
    plain_text,
    text_from,
)

LEAF: Leaf = ("messages", 0, "content")

# Characters of the input and of the template never meet, so each character tells its origin.
INPUT = st.text("abcß \n\t<😀", max_size=12)
TEMPLATE = st.text("xyz-_", max_size=4)

Operation = tuple[str, Callable[[Any], Any]]


def on_first(method: str, *args: Any) -> Operation:
    return f"{method}{args}", lambda text: getattr(text, method)(*args)


def part_of(method: str, index: int, *args: Any) -> Operation:
    def operation(text: Any) -> Any:
        parts = getattr(text, method)(*args)
        return parts[index % len(parts)] if parts else text

    return f"{method}{args}[{index}]", operation


SEPARATOR = st.sampled_from(["a", "b", " ", "\n", "ab"])
COUNT = st.integers(-1, 3)
SLICE = st.tuples(
    st.none() | st.integers(-9, 9),
    st.none() | st.integers(-9, 9),
    st.none() | st.integers(-3, 3).filter(bool),
)

OPERATIONS: st.SearchStrategy[Operation] = st.one_of(
    st.builds(on_first, st.sampled_from(["strip", "lstrip", "rstrip"]), st.none() | SEPARATOR),
    st.builds(on_first, st.sampled_from(["removeprefix", "removesuffix"]), SEPARATOR),
    st.builds(on_first, st.sampled_from(["upper", "lower", "title", "capitalize", "swapcase"])),
    st.builds(
        on_first,
        st.sampled_from(["center", "ljust", "rjust"]),
        COUNT.map(lambda n: 9 * n),
        st.just("-"),
    ),
    st.builds(on_first, st.just("replace"), SEPARATOR | st.just(""), TEMPLATE, COUNT),
    st.builds(part_of, st.sampled_from(["split", "rsplit"]), COUNT, st.none() | SEPARATOR, COUNT),
    st.builds(part_of, st.just("splitlines"), COUNT, st.booleans()),
    st.builds(part_of, st.sampled_from(["partition", "rpartition"]), COUNT, SEPARATOR),
    SLICE.map(lambda key: (f"[{key}]", lambda text: text[slice(*key)])),
    TEMPLATE.map(lambda other: (f"+ {other!r}", lambda text: text + other)),
    TEMPLATE.map(lambda other: (f"{other!r} +", lambda text: other + text)),
    COUNT.map(lambda count: (f"* {count}", lambda text: text * count)),
    TEMPLATE.map(lambda other: (f"joins {other!r}", lambda text: text.join([other, other]))),
    st.just(("joined chars", lambda text: (text + "-")[-1].join(text))),
)


@settings(max_examples=400, deadline=None)
@given(INPUT, st.lists(OPERATIONS, max_size=6))
def test_any_chain_of_methods_gives_the_text_of_str_and_its_origin(
    source: str, operations: list[Operation]
) -> None:
    plain: str = source
    traced: str = text_from(source, LEAF, 0)
    for _, operation in operations:
        if len(plain) > 500:
            break
        plain, traced = operation(plain), operation(traced)
        assert traced == plain
        assert plain == "" or isinstance(traced, TracedText)
    runs = as_runs(pieces_of(traced))
    assert "".join(plain[run.start : run.end] for run in runs) == plain
    for run in runs:
        for index in range(run.start, run.end):
            if run.leaf is None:
                assert plain[index] in "xyz-_XYZ"
            elif run.leaf == LEAF:
                assert plain[index] not in "xyz-_XYZ"
            else:
                assert run.leaf == UNKNOWN
            if run.offset is not None:
                original = source[run.offset + index - run.start]
                assert original.casefold() == plain[index].casefold()


@given(INPUT)
def test_a_traced_text_equals_and_hashes_as_its_str(source: str) -> None:
    traced = text_from(source, LEAF, 0)
    assert traced == source
    assert hash(traced) == hash(source)
    assert {source: 1}[traced] == 1
    assert type(plain_text(traced)) is str
    assert str(traced) is traced


def runs_of(text: str) -> list[tuple[str, Leaf | None, int | None]]:
    return [(text[run.start : run.end], run.leaf, run.offset) for run in as_runs(pieces_of(text))]


def test_iterating_keeps_offsets() -> None:
    assert [runs_of(c) for c in text_from("ab", LEAF, 3)] == [[("a", LEAF, 3)], [("b", LEAF, 4)]]


def test_neighbours_that_continue_each_other_are_one_run() -> None:
    text = text_from("abcd", LEAF, 0)
    assert runs_of(concatenated([text[:2], text[2:]])) == [("abcd", LEAF, 0)]
    assert runs_of(concatenated([text[2:], text[:2]])) == [("cd", LEAF, 2), ("ab", LEAF, 0)]


@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize("width", [1, 4, 5])
def test_padding_of_centered_text(length: int, width: int) -> None:
    text = text_from("ab"[:length], LEAF, 0).center(width, "-")
    assert [part for part, leaf, _ in runs_of(text) if leaf == LEAF] == ["ab"[:length]]
    assert text == "ab"[:length].center(width, "-")


def test_a_longer_case_loses_offsets_of_its_piece_only() -> None:
    text = concatenated([text_from("ß", LEAF, 0), "x"])
    assert runs_of(text.upper()) == [("SS", LEAF, None), ("X", None, None)]


def test_counting_methods_give_numbers_with_the_leaf() -> None:
    found = text_from("abc", LEAF, 0).find("c")
    assert found == 2
    assert isinstance(found, TracedInt)
    assert found._leaf == LEAF


def test_translated_text_is_unknown() -> None:
    assert runs_of(text_from("ab", LEAF, 0).translate({97: "x"})) == [("xb", UNKNOWN, None)]


@pytest.mark.parametrize(
    ("leaves", "expected"),
    [
        ([], None),
        ([None, None], None),
        ([LEAF, LEAF], LEAF),
        ([LEAF, None], UNKNOWN),
        ([LEAF, ("messages", 0, "role")], ("messages", 0)),
        ([LEAF, ("messages", 1, "content")], ("messages",)),
        ([LEAF, ("tools", 0)], UNKNOWN),
        ([LEAF, LEAF[:2]], LEAF[:2]),
    ],
)
def test_common_leaf(leaves: list[Leaf | None], expected: Leaf | None) -> None:
    assert common_leaf(leaves) == expected


@given(st.text("<>&'\"ab", max_size=10))
def test_markup_behaves_as_markupsafe(source: str) -> None:
    safe: Any = markupsafe.Markup(source)
    traced: Any = TracedMarkup(source, pieces_of(text_from(source, LEAF, 0)))
    assert traced + "<" == safe + "<"
    assert "<" + traced == "<" + safe
    assert traced.join(["<", safe]) == safe.join(["<", safe])
    assert traced.replace("a", "<") == safe.replace("a", "<")
    assert traced.upper() + "<" == safe.upper() + "<"
    assert plain_text(escaped(source)) == str(markupsafe.escape(source))
    assert repr(traced) == repr(safe)
    assert traced[1:] + "<" == safe[1:] + "<"


def test_escapes_belong_to_the_leaf() -> None:
    text = concatenated([text_from("a", LEAF, 0), text_from("<", LEAF, 5)])
    assert runs_of(escaped(text)) == [("a", LEAF, 0), ("&lt;", LEAF, None)]
