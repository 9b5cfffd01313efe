import pytest

from promptlint.captures.recorder.agents import resumed


@pytest.mark.parametrize(
    ("command", "following"),
    [
        ("codex exec hi", "codex exec resume --last hi"),
        ("sh setup.sh codex exec hi", "sh setup.sh codex exec resume --last hi"),
        ("npx --yes codex exec hi", "npx --yes codex exec resume --last hi"),
        ("node_modules/.bin/opencode run hi", "node_modules/.bin/opencode run --continue hi"),
        ("pi -p hi", "pi --continue -p hi"),
        ("claude -p hi", "claude --continue -p hi"),
    ],
)
def test_known_agents_go_on(command: str, following: str) -> None:
    assert resumed(command.split()) == tuple(following.split())


@pytest.mark.parametrize("command", ["my-agent hi", "codex hi", "exec codex"])
def test_unknown_commands_do_not(command: str) -> None:
    assert resumed(command.split()) is None


def test_the_users_arguments_stand_at_the_end() -> None:
    assert resumed(["my-agent", "hi"], ["--again"]) == ("my-agent", "hi", "--again")
    assert resumed(["codex", "exec"], ["--again"]) == ("codex", "exec", "--again")
