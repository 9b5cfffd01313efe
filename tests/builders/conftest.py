"""Every test gets a project of its own, and must leave it as it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    folder = tmp_path / "project"
    folder.mkdir()
    made = Project(folder)
    yield made
    made.check_untouched()
