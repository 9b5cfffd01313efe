import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.secrets import masked_part, without_keys

KEYS = (
    "sk-proj-" + "Ab3-dEf6_hIj9k" * 3,
    "ghp_" + "aB3dE6" * 5,
    "AKIA" + "ABCD" * 4,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.abc-def",
)


def shows(text: str, key: str) -> bool:
    """Whether a part of the key that tells something of it stands in the text."""
    return any(key[at : at + 6] in text for at in range(len(key) - 5))


@pytest.mark.parametrize(
    "key",
    [
        "sk-" + "ant-api03-" + "aB3" * 8,
        "ghp_" + "aB3" * 8,
        "AKIA" + "ABCD" * 4,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.abc-def",
    ],
)
def test_a_key_is_replaced_and_nothing_around_it(key: str) -> None:
    assert without_keys(f"use {key}, please", lambda _: "X") == "use X, please"
    assert without_keys(key, str.lower) == key.lower()


@pytest.mark.parametrize(
    "text", ["hf_hub_download(name)", "npm_config_registry", "the task-force", "sk-learn", "eyJ"]
)
def test_names_are_no_keys(text: str) -> None:
    assert without_keys(text, lambda _: "X") == text


@pytest.mark.parametrize("front", ["\n", "\t", "\\n", "\\u001b", "=", '"', "é"])
def test_a_key_behind_a_line_break_is_a_key_escaped_or_not(front: str) -> None:
    assert without_keys(f"{front}{KEYS[0]}", lambda _: "X") == f"{front}X"


@given(st.sampled_from(KEYS), st.sampled_from(KEYS), st.integers(0, 200), st.integers(0, 200))
def test_no_cut_shows_a_part_of_a_key(one: str, other: str, start: int, end: int) -> None:
    text = f"Use key {one} at minute 7.\nToken={other}\n"
    shown = masked_part(text, start, end)
    assert not shows(shown, one)
    assert not shows(shown, other)


@given(st.text(alphabet="ab -_.\n", max_size=60), st.integers(0, 70), st.integers(0, 70))
def test_a_part_without_keys_is_what_was_cut(text: str, start: int, end: int) -> None:
    assert masked_part(text, start, end) == text[start:end]
