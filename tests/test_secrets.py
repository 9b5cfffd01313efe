import pytest

from promptlint.secrets import without_keys


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
