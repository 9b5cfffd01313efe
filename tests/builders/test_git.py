"""Another history of the same repository: every command tells the same story."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from promptlint.builders.git import run_git, tell_another_story, top_folder
from promptlint.worlds.world import World
from tests.builders.project import Project

WHEN = datetime(2031, 5, 6, 11, 0, tzinfo=UTC)
AUTHOR = ("-c", "user.name=Robin", "-c", "user.email=robin@example.org")


def repository(folder: Path, *, commits: int = 1) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "AGENTS.md").write_text("Be kind.\n")
    run_git(folder, "init", "-q", "-b", "main")
    for number in range(commits):
        run_git(folder, "add", "-A")
        run_git(folder, *AUTHOR, "commit", "-q", "--allow-empty", "-m", f"Commit {number}")
    return folder


def test_another_branch_one_commit_more_and_a_changed_file(tmp_path: Path) -> None:
    folder = repository(tmp_path / "repository", commits=2)
    assert tell_another_story(folder, folder / ".git", WHEN)
    assert run_git(folder, "branch", "--show-current") == "another-branch"
    assert run_git(folder, "log", "--format=%s %ct").splitlines()[0] == (
        f"Another commit {int(WHEN.timestamp())}"
    )
    assert run_git(folder, "rev-list", "--count", "HEAD") == "3"
    assert run_git(folder, "diff", "--name-only", "HEAD") == "AGENTS.md"
    assert run_git(folder, "fsck", "--strict") == ""


def test_the_same_story_twice(tmp_path: Path) -> None:
    heads = []
    for name in ("one", "two"):
        folder = repository(tmp_path / name)
        tree = run_git(folder, "rev-parse", "HEAD^{tree}")
        commit = run_git(folder, *AUTHOR, "-c", "user.useConfigOnly=true", "log", "--format=%T")
        assert tree == commit
        tell_another_story(folder, folder / ".git", WHEN)
        heads.append(run_git(folder, "rev-parse", "HEAD^{tree}"))
    assert heads[0] == heads[1]


def test_a_repository_without_commits_and_a_folder_without_one(tmp_path: Path) -> None:
    empty = repository(tmp_path / "empty", commits=0)
    assert tell_another_story(empty, empty / ".git", WHEN)
    assert run_git(empty, "branch", "--show-current") == "another-branch"
    plain = tmp_path / "plain"
    plain.mkdir()
    assert not tell_another_story(plain, plain / ".git", WHEN)
    assert top_folder(plain) is None


@pytest.mark.parametrize("workspace", ["work", None])
def test_a_builder_sees_the_other_story(project: Project, workspace: str | None) -> None:
    """In the copy of a workspace, or by a command that stands before git, where none is copied."""
    source = """
    import subprocess
    def run(*command): return subprocess.run(command, capture_output=True, text=True).stdout
    def build():
        return [run("git", "log", "--format=%s"), run("git", "-C", ".", "branch"),
                run("sh", "-c", "git status --porcelain --untracked-files=no")]
    """
    project.write("agent.py", source)
    repository(project.path / workspace if workspace else project.path)
    with project.process(workspace=workspace) as process:
        calm = process.ask([World()])[0].value
        moved = process.ask([World(), World(git=1)])[1].value
        back = process.ask([World()])[0].value
    assert calm == back == ["Commit 0\n", "* main\n", ""]
    assert moved == [
        "Another commit\nCommit 0\n",
        "* another-branch\n  main\n",
        "M  AGENTS.md\n",
    ]
