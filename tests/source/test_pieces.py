"""The algebra of pieces: nothing that moves is lost, and texts stay of bounded size."""

from hypothesis import given
from hypothesis import strategies as st

from promptlint.layout import Axis, CauseKind
from promptlint.location import Location
from promptlint.source.pieces import (
    MOST_PIECES,
    Branch,
    Literal,
    Pieces,
    Stage,
    Unresolved,
    Volatile,
    branch,
    concatenate,
    frozen,
    literal_text,
    merge,
    size,
    volatiles,
)

literals = st.builds(Literal, st.text("ab \n", min_size=1, max_size=6))
unresolved = st.builds(Unresolved, st.sampled_from(["history", "rules"]))
moving = st.builds(
    Volatile,
    st.just(CauseKind.CLOCK),
    st.just("timestamp"),
    st.sampled_from([Axis.SECOND, Axis.DAY]),
    place=st.builds(Location, st.just("app.py"), st.integers(1, 5)),
    stage=st.sampled_from(list(Stage)),
)
flat_pieces = st.lists(literals | unresolved | moving, max_size=5).map(tuple)
pieces = st.lists(
    literals | unresolved | moving | flat_pieces.map(lambda p: (*branch((p, (Literal("x"),))),)[0]),
    max_size=5,
).map(tuple)


def causes(one: Pieces) -> set[tuple[Location | None, Axis]]:
    return {(piece.place, piece.axis) for piece in volatiles(one)}


@given(pieces, pieces)
def test_both_branches_keep_what_moves(one: Pieces, other: Pieces) -> None:
    assert causes(merge(one, other)) == causes(one) | causes(other)


@given(pieces)
def test_merging_a_text_with_itself_changes_nothing(one: Pieces) -> None:
    assert merge(one, one) == one
    assert merge(one, ()) == one
    assert merge((), one) == one


@given(flat_pieces, flat_pieces)
def test_an_optional_tail_is_kept_as_if_it_were_always_there(one: Pieces, tail: Pieces) -> None:
    longer = one + tail
    assert merge(one, longer) == longer
    assert merge(longer, one) == longer


@given(st.lists(pieces, max_size=6))
def test_concatenation_keeps_the_order_of_what_moves(parts: list[Pieces]) -> None:
    expected = [piece for part in parts for piece in volatiles(part)]
    assert list(volatiles(concatenate(parts))) == expected


@given(st.lists(st.text("ab"), max_size=6))
def test_literal_parts_become_one_text(parts: list[str]) -> None:
    joined = concatenate((Literal(part),) for part in parts)
    assert literal_text(joined) == "".join(parts)
    assert len(joined) <= 1


@given(pieces, st.sampled_from(list(Stage)))
def test_storing_only_shortens_no_life(one: Pieces, stage: Stage) -> None:
    assert all(piece.stage <= stage for piece in volatiles(frozen(one, stage)))
    assert frozen(one, Stage.CALL) == one


def test_alternatives_of_alternatives_do_not_grow_without_bound() -> None:
    text: Pieces = (Literal("start"),)
    for number in range(200):
        clock = Volatile(CauseKind.CLOCK, "timestamp", Axis.DAY, place=Location("a.py", number))
        other = concatenate((text, (Unresolved(f"n{number}"), clock)))
        text = concatenate((branch((text, other)), (Literal("."),), branch((other, text))))
    assert size(text) <= 2 * MOST_PIECES
    assert list(volatiles(text))


def test_a_branch_of_one_option_is_that_option() -> None:
    assert branch([(Literal("a"),), (Literal("a"),), ()]) == (Literal("a"),)
    (two,) = branch([(Literal("a"),), (Literal("b"),)])
    assert isinstance(two, Branch)
    assert two.size == 2
