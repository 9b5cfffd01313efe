from hypothesis import given
from hypothesis import strategies as st

from promptlint.worlds.hunks import hunks, same_words

_TEXT = st.text(alphabet="ab \n:1", max_size=60)


@given(_TEXT, _TEXT)
def test_hunks_turn_one_text_into_the_other(before: str, after: str) -> None:
    rebuilt, at = "", 0
    for hunk in hunks(before, after):
        assert at <= hunk.start <= hunk.end
        rebuilt += before[at : hunk.start] + after[hunk.after_start : hunk.after_end]
        at = hunk.end
    assert rebuilt + before[at:] == after


@given(_TEXT)
def test_equal_texts_have_no_hunks(text: str) -> None:
    assert hunks(text, text) == ()


def test_one_changed_number_is_one_small_hunk() -> None:
    before = "stable line\n" * 50 + "used 49 of 100\n" + "stable line\n" * 50
    after = before.replace("49", "51")
    (hunk,) = hunks(before, after)
    assert before[hunk.start : hunk.end] == "49"
    assert after[hunk.after_start : hunk.after_end] == "51"


def test_a_time_is_one_hunk_and_not_its_digits() -> None:
    before, after = "at 12:10:10 sharp", "at 13:11:11 sharp"
    (hunk,) = hunks(before, after)
    assert before[hunk.start : hunk.end] == "12:10:10"


def test_an_insertion_is_empty_in_the_first_text() -> None:
    (hunk,) = hunks("one\ntwo\n", "one\nnew\ntwo\n")
    assert hunk.start == hunk.end
    assert "one\nnew\ntwo\n"[hunk.after_start : hunk.after_end] == "new\n"


def test_the_same_words_in_another_order_are_seen() -> None:
    assert same_words("json, re, os", "os, re, json")
    assert not same_words("json, re", "json, os")
    assert not same_words("json", "json")


def test_a_key_is_one_word() -> None:
    """What is shown of a change is then no part of a key, which nobody would know as one."""
    before = "use sk-proj-aaaaaaaa-bbbbbbbb-cccccccc today"
    (hunk,) = hunks(before, before.replace("cccc", "dddd"))
    assert before[hunk.start : hunk.end] == "sk-proj-aaaaaaaa-bbbbbbbb-cccccccc"
