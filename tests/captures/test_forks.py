"""A fork has a new continuation; whoever rewrites a message goes on with those behind it."""

import pytest

from promptlint.captures.causes import Cause
from promptlint.captures.forks import is_fork
from promptlint.request import Block, Message, ToolCall
from tests.captures.planted import client, grow
from tests.captures.test_named_breaks import breaks
from tests.captures.wire import FORMATS, Body


def said(role: str, text: str) -> Message:
    return Message(role, (Block(text),))


def called(command: str, identifier: str | None = None) -> Message:
    return Message("assistant", tool_calls=(ToolCall("bash", {"command": command}, identifier),))


def answered(text: str, identifier: str | None = None) -> Message:
    return Message("tool", (Block(text),), tool_call_id=identifier)


ASKED = said("user", "Please rename the option in all files.")
NEXT = said("user", "Now the tests.")
ANSWER = said("assistant", "It is renamed.")


@pytest.mark.parametrize(
    ("earlier", "later", "index", "forked"),
    [
        ((ASKED, ANSWER, NEXT), (ASKED, said("assistant", "I cannot."), ASKED), 1, True),
        ((ASKED, ANSWER, NEXT), (ASKED, said("assistant", "I cannot."), NEXT), 1, False),
        ((ASKED, ANSWER, NEXT), (ASKED, NEXT, ANSWER, ASKED), 1, False),
        ((ASKED, called("ls"), answered("a")), (ASKED, called("rg"), answered("b")), 1, True),
        ((ASKED, called("ls"), answered("a")), (ASKED, called("rg"), answered("a")), 1, False),
        (
            (ASKED, called("ls", "1"), answered("a", "1")),
            (ASKED, called("rg", "2"), answered("a", "2")),
            1,
            True,
        ),
        (
            (ASKED, called("ls", "1"), answered("a", "1")),
            (ASKED, called("ls", "1"), answered("[old result removed]", "1"), ANSWER),
            2,
            False,
        ),
        ((said("user", f"It is 10:41. {ASKED.text}"),), (ASKED, ANSWER, NEXT), 0, False),
        ((NEXT,), (ASKED, ANSWER), 0, True),
    ],
    ids=[
        "another answer",
        "an edited answer",
        "a removed answer",
        "another call",
        "the same result by chance",
        "the same result of another call",
        "a result that was cut at once",
        "a question that lost its clock",
        "another question",
    ],
)
def test_forks_are_told_from_edits(
    earlier: tuple[Message, ...], later: tuple[Message, ...], index: int, forked: bool
) -> None:
    assert is_fork(earlier, later, index) == forked


def _attempts(form: str) -> tuple[list[Body], list[Body]]:
    """Two attempts at one question."""
    sent = []
    for attempt in ("first", "second"):
        agent = client(form)
        agent.ask("Please rename the option in all files.")
        agent.send()
        for number in range(2):
            agent.call(f"{attempt} result {number}", path=f"{attempt}_{number}.py")
            agent.send()
        sent.append(agent.sent)
    return sent[0], sent[1]


@pytest.mark.parametrize("form", FORMATS)
def test_two_attempts_at_one_question_fork_once(form: str) -> None:
    first, second = _attempts(form)
    interleaved = [body for pair in zip(first, second, strict=True) for body in pair]
    assert [(n, d.cause) for n, d in breaks(interleaved).items()] == [(4, Cause.FORKED)]
    assert [(n, d.cause) for n, d in breaks([*first, *second]).items()] == [(5, Cause.FORKED)]


def _scripted(form: str, answer: str) -> list[Body]:
    """The same questions, whatever the answers are."""
    agent = client(form)
    for number in range(3):
        agent.ask(f"Question {number}: what does module {number} do?")
        agent.send()
        agent.answer(f"{answer} {number}.")
    return agent.sent


@pytest.mark.parametrize("form", FORMATS)
def test_two_runs_of_one_script_fork_once(form: str) -> None:
    first, second = _scripted(form, "It reads"), _scripted(form, "It writes")
    interleaved = [body for pair in zip(first, second, strict=True) for body in pair]
    assert [(n, d.cause) for n, d in breaks(interleaved).items()] == [(4, Cause.FORKED)]
    assert [(n, d.cause) for n, d in breaks([*first, *second]).items()] == [(5, Cause.FORKED)]


@pytest.mark.parametrize("form", FORMATS)
def test_another_answer_to_a_question_that_was_asked_once_is_no_fork(form: str) -> None:
    first, second = _scripted(form, "It reads"), _scripted(form, "It writes")
    edited = breaks([*first, second[-1]])
    assert [(n, d.cause) for n, d in edited.items()] == [(4, Cause.HISTORY_REWRITTEN)]


@pytest.mark.parametrize("form", FORMATS)
def test_a_result_that_is_cut_in_the_second_run_is_named(form: str) -> None:
    first, second = (client(form) for _ in range(2))
    for agent in (first, second):
        for number in range(1, 6):
            grow(agent, number)
            if agent is second and number == 2:
                agent.history[-1].text = "Another result."
            if agent is second and number == 5:
                agent.history[2].text = "[old result removed]"
            agent.send()
    found = [(n, d.cause) for n, d in breaks([*first.sent, *second.sent]).items()]
    assert found[-1] == (10, Cause.HISTORY_REWRITTEN)
    assert {cause for _, cause in found[:-1]} <= {Cause.FORKED}


@pytest.mark.parametrize("form", FORMATS)
def test_going_back_with_breakpoints_that_move_is_no_break(form: str) -> None:
    agent = client(form)
    for number in range(1, 5):
        grow(agent, number)
        agent.send()
    agent.history[-2].marked = True
    del agent.history[-1]
    agent.ask("No, do something else.")
    agent.send()
    assert breaks(agent.sent) == {}
