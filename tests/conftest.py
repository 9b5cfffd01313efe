import signal
from pathlib import Path

import pytest

from tests.project import MakeProject, Project

# A job that was started in the background ignores interrupts, and hands that on to the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Project(folder, capsys)


@pytest.fixture
def builder(project: Project) -> MakeProject:
    """A project with one prompt called `coder`, made by the function `build` of agent.py."""

    def make(source: str, config: str = 'rebuilt = "request"', **files: str) -> Project:
        project.write("agent.py", source)
        project.write(
            "promptlint.toml",
            f'[[prompt]]\nname = "coder"\nbuilder = "agent.py:build"\n{config}\n',
        )
        for name, text in files.items():
            project.write(name.replace("__", "/"), text)
        return project

    return make


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test meets what another one, or the user, has kept."""
    monkeypatch.setenv("PROMPTLINT_CACHE_DIR", str(tmp_path / "promptlint-cache"))
