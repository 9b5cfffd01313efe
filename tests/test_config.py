from pathlib import Path

import pytest

from promptlint.config import ConfigError, Ignore, find_config, load_config
from promptlint.layout import Axis, Rebuilt


def _load(folder: Path, text: str, name: str = "promptlint.toml") -> object:
    path = folder / name
    path.write_text(text, "utf-8")
    return load_config(path, folder)


def test_every_key_is_read(tmp_path: Path) -> None:
    text = """
        model = "Qwen/Qwen3-8B"
        threshold = 100
        history-tokens = 5000
        fail-on = "error"
        rates = { minute = 50 }
        [[prompt]]
        name = "coder"
        builder = "agent.prompt:build"
        model = "anthropic"
        rebuilt = "session"
        ignore = ["date-in-prefix", "sub-day-clock:timestamp"]
        sources = { memory = "<notes>.*?</notes>" }
    """
    path = tmp_path / "promptlint.toml"
    path.write_text(text, "utf-8")
    config = load_config(path, tmp_path)
    assert config.base == tmp_path.resolve()
    assert config.rates == {Axis.MINUTE: 50}
    assert config.history_tokens == 5000
    prompt = config.prompts[0]
    assert prompt.models == ("anthropic",)
    assert prompt.rebuilt is Rebuilt.SESSION
    assert prompt.ignore == (Ignore("date-in-prefix"), Ignore("sub-day-clock", "timestamp"))


def test_a_command_is_a_builder_too(tmp_path: Path) -> None:
    text = """
        [[prompt]]
        name = "agent"
        command = ["my-agent", "-p", "hello"]
        resume = ["--continue"]
        replies = "replies.jsonl"
        timeout = 90
    """
    path = tmp_path / "promptlint.toml"
    path.write_text(text, "utf-8")
    (prompt,) = load_config(path, tmp_path).prompts
    assert prompt.builder is None
    assert prompt.command == ("my-agent", "-p", "hello")
    assert (prompt.resume, prompt.replies) == (("--continue",), "replies.jsonl")
    assert prompt.timeout == 90


def test_pyproject_is_read_from_its_table(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.promptlint]\nthreshold = 7\n", "utf-8")
    assert find_config(tmp_path / "a" / "b") == path
    assert load_config(path, tmp_path).threshold == 7


def test_a_pyproject_without_our_table_is_passed_by(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n", "utf-8")
    assert find_config(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("treshold = 3", "unknown key `treshold`, did you mean `threshold`?"),
        ("threshold = -1", "promptlint.threshold: must be a whole number, 0 or more"),
        ("threshold = true", "must be a whole number"),
        ('fail-on = "never"', "must be one of info, warning, error"),
        ("rates = { minutes = 3 }", "no axis `minutes`, did you mean `minute`?"),
        ("rates = { minute = 300 }", "`minute` must be between 0 and 100"),
        ("[[prompt]]\nname = 'a'", "prompt a: `builder` or `command` is missing"),
        (
            "[[prompt]]\nname='a'\nbuilder='a:b'\ncommand=['c']",
            "prompt a: a prompt has a `builder` or a `command`, not both",
        ),
        ("[[prompt]]\nname='a'\ncommand=[]", "prompt a.command: must name a program"),
        ("[[prompt]]\nname='a'\ncommand='my-agent -p hi'", "command: must be a list of texts"),
        (
            "[[prompt]]\nname='a'\ncommand=['c']\ntools='t'",
            "`tools` says nothing about a `command`",
        ),
        (
            "[[prompt]]\nname='a'\nbuilder='a:b'\nresume=[]",
            "`resume` says nothing about a `builder`",
        ),
        ("[[prompt]]\nbuilder = 'a:b'", "prompt 1: `name` is missing"),
        ("[[prompt]]\nname = 3\nbuilder = 'a:b'", "prompt 3.name: must be a text"),
        ("prompt = 3", "must be an array of tables"),
        ("[[prompt]]\nname='a'\nbuilder='a:b'\nbilder='c'", "did you mean `builder`?"),
        ("[[prompt]]\nname='a'\nbuilder='a:b'\nsources={x='('}", "`x` is no regular expression"),
        (
            "[[prompt]]\nname='a'\nbuilder='a:b'\n[[prompt]]\nname='a'\nbuilder='a:b'",
            "two prompts are called a",
        ),
        ("model = ", "Invalid value"),
    ],
)
def test_every_fault_is_one_line_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        _load(tmp_path, text)
    assert message in str(error.value)
    assert str(tmp_path / "promptlint.toml") in str(error.value)
    assert "\n" not in str(error.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        _load(tmp_path, "treshold = 1\nmodell = 'x'\n")
    assert len(str(error.value).splitlines()) == 2
