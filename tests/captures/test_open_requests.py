"""Each request that was sent is answered once; a request sent twice has room for two answers."""

from promptlint.captures.open_requests import OpenRequests
from promptlint.request import Block, Message


def said(role: str, text: str) -> Message:
    return Message(role, (Block(text),))


ASKED = (said("user", "Who are you?"),)
NEXT = said("user", "What can you do?")
ONE, OTHER = said("assistant", "An agent."), said("assistant", "A program.")


def numbers(*histories: tuple[Message, ...], name: str = "one") -> list[int | None]:
    found = OpenRequests()
    return [found.answered_by(name, history) for history in histories]


def test_a_conversation_answers_each_request() -> None:
    assert numbers(ASKED, (*ASKED, ONE, NEXT), (*ASKED, ONE, NEXT, OTHER, NEXT)) == [None, 1, 3]


def test_a_second_answer_needs_a_second_request() -> None:
    one, other = (*ASKED, ONE, NEXT), (*ASKED, OTHER, NEXT)
    assert numbers(ASKED, one, other) == [None, 1, None]
    assert numbers(ASKED, one, ASKED, other) == [None, 1, None, 1]
    assert numbers(ASKED, ASKED, one, other) == [None, None, 1, 1]


def test_two_answers_at_once_were_not_asked_for() -> None:
    assert numbers(ASKED, ASKED, (*ASKED, OTHER, NEXT, ONE, NEXT)) == [None, None, None]


def test_an_answer_may_be_several_messages() -> None:
    assert numbers(ASKED, (*ASKED, ONE, OTHER, said("tool", "a"), said("tool", "b"))) == [None, 1]


def test_another_conversation_answers_its_own_requests() -> None:
    found = OpenRequests()
    assert found.answered_by("one", ASKED) is None
    assert found.answered_by("other", (*ASKED, ONE, NEXT)) is None
    assert found.answered_by("one", (*ASKED, ONE, NEXT)) == 1


def test_what_begins_with_the_model_answers_nothing() -> None:
    assert numbers((), (ONE,), (ONE, NEXT)) == [None, None, None]
