"""The commands that stand before the real ones."""

import subprocess
from pathlib import Path

import pytest

from promptlint.builders.commands import write_commands


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    clock = tmp_path / "it's the $clock"
    clock.write_text("1935835810.123456")
    write_commands(tmp_path / "bin", clock, "buildhost", "robin")
    return tmp_path / "bin"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("date -u +%F", "2031-05-06"),
        ("date -u", "Tue May  6 12:10:10 UTC 2031"),
        ("date +%s.%N", "1935835810.123456000"),
        ("date -u -d @0 +%F", "1970-01-01"),
        ("date -u --date=@0 +%F", "1970-01-01"),
        ("hostname", "buildhost"),
        ("whoami", "robin"),
        ("uname -n", "buildhost"),
        ("uname -sn", "Linux buildhost"),
        ("uname", "Linux"),
    ],
)
def test_they_tell_the_worlds_story(folder: Path, command: str, output: str) -> None:
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "LANG": "C"}
    done = subprocess.run(
        command, shell=True, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == output
