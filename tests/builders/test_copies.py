import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from promptlint.builders.copies import FolderCopy
from promptlint.builders.edits import apply_edit
from promptlint.builders.git import run_git, tell_another_story
from promptlint.worlds.world import Edit, EditKind
from tests.builders.project import fingerprint

DAY = 86400.0


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "source"
    (folder / "skills" / "one").mkdir(parents=True)
    (folder / "AGENTS.md").write_text("Be kind.")
    (folder / "skills" / "one" / "SKILL.md").write_text("One.")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o750)
    (folder / "CLAUDE.md").symlink_to("AGENTS.md")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "node_modules" / "left").mkdir(parents=True)
    (folder / ".venv").mkdir()
    (folder / ".venv" / "pyvenv.cfg").write_text("")
    os.mkfifo(folder / "pipe")
    before = fingerprint(folder)
    yield folder
    assert fingerprint(folder) == before


@pytest.fixture
def copy(source: Path, tmp_path: Path) -> FolderCopy:
    made = FolderCopy(source, tmp_path / "copy", tmp_path / "kept", DAY)
    made.create()
    return made


def tree(folder: Path) -> dict[str, object]:
    """Names, modes, times and contents below a folder."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        content: object = None
        if path.is_symlink():
            content = path.readlink()
        elif path.is_file():
            content = path.read_bytes()
        time = None if path.is_symlink() else state.st_mtime_ns
        found[str(path.relative_to(folder))] = (stat.S_IFMT(state.st_mode), time, content)
    return found


def test_a_copy_is_like_its_source_but_a_day_later(source: Path, copy: FolderCopy) -> None:
    assert (copy.root / "run.sh").stat().st_mode == (source / "run.sh").stat().st_mode
    for name in ("AGENTS.md", "skills", "skills/one", "skills/one/SKILL.md"):
        shift = (copy.root / name).stat().st_mtime_ns - (source / name).stat().st_mtime_ns
        assert shift == DAY * 1e9
    assert (copy.root / "CLAUDE.md").read_text() == "Be kind."
    assert (copy.root / "dangling").readlink() == Path("nowhere")
    assert not (copy.root / "pipe").exists()


def test_dependencies_are_linked(source: Path, copy: FolderCopy) -> None:
    assert (copy.root / "node_modules").readlink() == source / "node_modules"
    assert (copy.root / ".venv").readlink() == source / ".venv"


def vandalise(folder: Path) -> None:
    (folder / "AGENTS.md").write_text("Be rude.")
    (folder / "skills" / "one" / "SKILL.md").unlink()
    (folder / "skills" / "one").rmdir()
    (folder / "skills" / "one").write_text("a file instead")
    (folder / "run.sh").chmod(0o600)
    (folder / "CLAUDE.md").unlink()
    (folder / "CLAUDE.md").mkdir()
    (folder / "CLAUDE.md" / "inside").write_text("x")
    (folder / "new" / "deep").mkdir(parents=True)
    (folder / "new" / "deep" / "file").write_text("x")
    (folder / ".venv").unlink()


def test_restore_undoes_everything(copy: FolderCopy) -> None:
    before = tree(copy.root)
    for _ in range(2):
        vandalise(copy.root)
        copy.restore()
        assert tree(copy.root) == before


def test_a_change_that_hides_its_time_is_noticed(copy: FolderCopy) -> None:
    path = copy.root / "AGENTS.md"
    times = path.stat()
    path.write_text("Be rude.")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    copy.restore()
    assert path.read_text() == "Be kind."


def test_what_is_kept_comes_back(copy: FolderCopy) -> None:
    (copy.root / "AGENTS.md").write_text("Be careful.")
    (copy.root / "made" / "at").mkdir(parents=True)
    (copy.root / "made" / "at" / "import").write_text("x")
    (copy.root / "run.sh").unlink()
    copy.keep()
    before = tree(copy.root)
    vandalise_some = ("AGENTS.md", "made/at/import")
    for name in vandalise_some:
        (copy.root / name).unlink()
    (copy.root / "run.sh").write_text("back again")
    copy.restore()
    assert tree(copy.root) == before


def test_one_path_comes_back_as_it_is_in_the_original(copy: FolderCopy) -> None:
    before = tree(copy.root)
    (copy.root / "AGENTS.md").write_text("Be rude.")
    copy.keep()
    copy.restore_original("AGENTS.md")
    (copy.root / "skills" / "one" / "SKILL.md").unlink()
    (copy.root / "skills" / "one").rmdir()
    copy.restore_original("skills/one")
    (copy.root / "created.md").write_text("x")
    copy.restore_original("created.md")
    after = tree(copy.root)
    assert after.keys() == before.keys()
    assert (after["AGENTS.md"], after["skills/one/SKILL.md"]) == (
        before["AGENTS.md"],
        before["skills/one/SKILL.md"],
    )


def test_an_empty_folder_needs_no_source(tmp_path: Path) -> None:
    copy = FolderCopy(None, tmp_path / "tmp", tmp_path / "kept", 0.0)
    copy.create()
    (copy.root / "import").write_text("x")
    copy.keep()
    (copy.root / "import").unlink()
    (copy.root / "call").write_text("x")
    copy.restore()
    assert [path.name for path in copy.root.iterdir()] == ["import"]


def test_git_objects_are_borrowed_and_git_sees_a_clean_tree(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "AGENTS.md").write_text("Be kind.")
    (source / "node_modules").mkdir()
    (source / "node_modules" / "x").write_text("x")
    (source / ".gitignore").write_text("node_modules/\n")
    run_git(source, "init", "-q", "-b", "main")
    run_git(source, "add", "-A")
    run_git(source, "-c", "user.name=R", "-c", "user.email=r@example.org", "commit", "-qm", "First")
    before = fingerprint(source)
    copy = FolderCopy(source, tmp_path / "copy", tmp_path / "kept", DAY)
    copy.create()
    assert run_git(copy.root, "log", "--format=%s") == "First"
    assert run_git(copy.root, "status", "--porcelain") == ""
    assert [p.name for p in (copy.root / ".git" / "objects").iterdir()] == ["info", "pack"]
    assert fingerprint(source) == before


def test_no_edit_follows_a_link_out_of_the_copy(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "skills" / "one").mkdir(parents=True)
    (outside / "skills" / "one" / "SKILL.md").write_text("One.")
    (outside / "CLAUDE.md").write_text("Be kind.")
    source = tmp_path / "source"
    source.mkdir()
    (source / "AGENTS.md").symlink_to("../outside/CLAUDE.md")
    (source / "skills").symlink_to(outside / "skills")
    (source / "notes.md").write_text("A note.")
    (source / "absolute.md").symlink_to(source / "notes.md")
    before = fingerprint(outside), fingerprint(source)
    copy = FolderCopy(source, tmp_path / "deep" / "er" / "copy", tmp_path / "kept", DAY)
    copy.create()
    state = tree(copy.root)
    for name in ("AGENTS.md", "skills/one/SKILL.md", "absolute.md"):
        copy.detach(name)
        apply_edit(copy.root, Edit("workspace", name, EditKind.EDIT, "M"), 1.0)
        assert (copy.root / name).read_text().startswith(("Be kind. M", "One. M", "A note. M"))
    copy.detach("skills/one")
    apply_edit(copy.root, Edit("workspace", "skills/one", EditKind.REMOVE), 1.0)
    assert (copy.root / "notes.md").read_text().startswith("A note. M")
    assert (fingerprint(outside), fingerprint(source)) == before
    copy.restore_original("skills/one")
    copy.restore()
    assert tree(copy.root) == state
    assert (fingerprint(outside), fingerprint(source)) == before


def test_a_linked_repository_is_copied_whole(tmp_path: Path) -> None:
    real, source = tmp_path / "real", tmp_path / "source"
    real.mkdir()
    source.mkdir()
    (source / "AGENTS.md").write_text("Be kind.")
    run_git(real, "init", "-q", "-b", "main")
    (source / ".git").symlink_to(real / ".git")
    before = fingerprint(real)
    copy = FolderCopy(source, tmp_path / "copy", tmp_path / "kept", 0.0)
    copy.create()
    assert tell_another_story(copy.root, copy.root / ".git", datetime(2031, 5, 6, tzinfo=UTC))
    assert run_git(copy.root, "branch", "--show-current") == "another-branch"
    assert fingerprint(real) == before
