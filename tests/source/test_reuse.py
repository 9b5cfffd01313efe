"""A reading is used again exactly while all that it looked at is as it was."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from promptlint.config_tables import CallRow, OwnRows
from promptlint.layout import Axis, CauseKind
from promptlint.source import reader, reuse
from promptlint.source.disk import Disk
from promptlint.source.kept import MOST_KEPT
from promptlint.source.reading import SourceReading
from promptlint.source.reuse import read_or_reuse

AGENT = """
from clocks import now

def system_prompt():
    return open("head.md").read() + f"You are a helpful agent. It is {now()}. Be brief."
"""
CLOCKS = "import datetime\n\ndef now():\n    return datetime.datetime.now()\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "agent.py").write_text(AGENT)
    (folder / "clocks.py").write_text(CLOCKS)
    return folder


@pytest.fixture(autouse=True)
def _keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "WORTH_KEEPING", 1)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture
def times_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each time that source was really read."""
    times: list[int] = []
    original = reader.read_mentions

    def counted(*arguments: object) -> SourceReading:
        times.append(1)
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(reader, "read_mentions", counted)
    return times


def test_a_second_reading_of_the_same_tree_reads_nothing(
    tree: Path, kept: Path, times_read: list[int]
) -> None:
    first = read_or_reuse([tree], root=tree, folder=lambda: kept)
    second = read_or_reuse([tree], root=tree, folder=lambda: kept)
    assert first.layouts
    assert second == first == reader.read_source([tree], root=tree)
    assert len(times_read) == 2


def test_a_single_file_is_read_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "WORTH_KEEPING", 2)

    def folder() -> Path:
        raise AssertionError

    assert read_or_reuse([tree], root=tree, folder=folder).layouts


def test_a_file_that_was_only_touched_is_the_same(
    tree: Path, kept: Path, times_read: list[int]
) -> None:
    read_or_reuse([tree], root=tree, folder=lambda: kept)
    os.utime(tree / "clocks.py", (1, 1))
    read_or_reuse([tree], root=tree, folder=lambda: kept)
    assert len(times_read) == 1


def test_a_file_that_could_not_be_read_is_looked_for_again(tmp_path: Path) -> None:
    file = tmp_path / "gone.md"
    disk = Disk(tmp_path)
    with pytest.raises(FileNotFoundError):
        disk.content(file)
    assert Disk(tmp_path).is_as(disk.answers())
    file.write_text("here again")
    assert not Disk(tmp_path).is_as(disk.answers())


CHANGES: dict[str, Callable[[Path], object]] = {
    "the module of a helper": lambda tree: (tree / "clocks.py").write_text("def now(): return 1\n"),
    "the file itself": lambda tree: (tree / "agent.py").write_text(AGENT.replace("{now()}", "x")),
    "a helper is gone": lambda tree: (tree / "clocks.py").unlink(),
    "a nearer module": lambda tree: (tree / "datetime.py").write_text("datetime = None\n"),
    "another prompt": lambda tree: (tree / "more.py").write_text(AGENT),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_a_reading_depends_on_is_read_anew_when_it_changes(
    tree: Path, kept: Path, times_read: list[int], change: Callable[[Path], object]
) -> None:
    read_or_reuse([tree], root=tree, folder=lambda: kept)
    change(tree)
    again = read_or_reuse([tree], root=tree, folder=lambda: kept)
    assert len(times_read) == 2
    assert again == reader.read_source([tree], root=tree)


def test_a_project_s_own_rows_ask_another_question(
    tree: Path, kept: Path, times_read: list[int]
) -> None:
    row = CallRow(("acme.now",), CauseKind.CLOCK, "timestamp", Axis.MINUTE)
    read_or_reuse([tree], root=tree, folder=lambda: kept)
    read_or_reuse([tree], root=tree, folder=lambda: kept, own=OwnRows(calls=(row,)))
    assert len(times_read) == 2


class _Planted:
    """What a hostile file in the cache would have run."""

    def __init__(self, ran: Path) -> None:
        self.ran = ran

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.ran,)


@pytest.mark.parametrize("damage", ["", "not a pickle", "planted"])
def test_a_damaged_file_is_read_anew_and_runs_nothing(
    tree: Path, kept: Path, tmp_path: Path, times_read: list[int], damage: str
) -> None:
    first = read_or_reuse([tree], root=tree, folder=lambda: kept)
    (file,) = kept.glob("*.pickle")
    ran = tmp_path / "ran"
    file.write_bytes(pickle.dumps(_Planted(ran)) if damage == "planted" else damage.encode())
    assert read_or_reuse([tree], root=tree, folder=lambda: kept) == first
    assert len(times_read) == 2
    assert not ran.exists()


def test_a_folder_that_cannot_be_written_costs_no_answer(tree: Path, tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    reading = read_or_reuse([tree], root=tree, folder=lambda: occupied)
    assert reading == reader.read_source([tree], root=tree)


def test_the_oldest_readings_go(tree: Path, kept: Path) -> None:
    kept.mkdir()
    for number in range(MOST_KEPT + 3):
        old = kept / f"{number}.pickle"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    read_or_reuse([tree], root=tree, folder=lambda: kept)
    names = {file.stem for file in kept.iterdir()}
    assert len(names) == MOST_KEPT
    assert not {"0", "1", "2", "3"} & names


def test_the_tree_itself_is_never_written_to(tree: Path, kept: Path) -> None:
    before = sorted(path.name for path in tree.iterdir())
    read_or_reuse([tree], root=tree, folder=lambda: kept)
    assert sorted(path.name for path in tree.iterdir()) == before
