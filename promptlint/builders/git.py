"""Git in the copies: objects are borrowed from the original, and another history can be told."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

OBJECTS = str(Path(".git", "objects"))
_BRANCH = "another-branch"


def settle(source: Path, root: Path, linked: Sequence[str]) -> None:
    """Make the copy of a repository work: find its objects, ignore the linked folders."""
    if (source / ".git").is_symlink() or not (source / OBJECTS).is_dir():
        return
    _borrow_objects(source, root)
    if linked:
        excluded = root / ".git" / "info" / "exclude"
        excluded.parent.mkdir(exist_ok=True)
        with excluded.open("a") as lines:
            lines.writelines(f"/{path}\n" for path in linked)
    # The copies' inodes are new: without this every status would read all files again.
    if shutil.which("git") is not None:
        run_git(root, "update-index", "-q", "--refresh", check=False)


def copy_repository(source: Path, root: Path) -> None:
    """Copy the git folder alone; it still belongs to the files of the original."""
    ignored = shutil.ignore_patterns("objects")
    shutil.copytree(source / ".git", root / ".git", symlinks=True, ignore=ignored)
    _borrow_objects(source, root)


def top_folder(folder: Path) -> Path | None:
    """The root of the repository that a folder belongs to; None where there is none or no git."""
    if shutil.which("git") is None:
        return None
    found = run_git(folder, "rev-parse", "--show-toplevel", check=False)
    return Path(found) if found and (Path(found) / OBJECTS).is_dir() else None


def _borrow_objects(source: Path, root: Path) -> None:
    information = root / OBJECTS / "info"
    information.mkdir(parents=True)
    (root / OBJECTS / "pack").mkdir()
    (information / "alternates").write_text(f"{(source / OBJECTS).resolve()}\n")


def tell_another_story(work_tree: Path, git_folder: Path, when: datetime) -> bool:
    """Another branch, one commit more and one changed file: all true, in a copied repository.

    False where there is no git, or the folder is no repository of its own.
    """
    if git_folder.is_symlink() or not git_folder.is_dir():
        return False
    at = {"GIT_DIR": str(git_folder), "GIT_WORK_TREE": str(work_tree)}
    try:
        run_git(work_tree, "rev-parse", "--git-dir", environment=at)
    except (OSError, subprocess.CalledProcessError):
        return False
    head = run_git(work_tree, "rev-parse", "-q", "--verify", "HEAD", environment=at, check=False)
    if head:
        commit = _another_commit(work_tree, head, at, when)
        run_git(work_tree, "update-ref", f"refs/heads/{_BRANCH}", commit, environment=at)
    run_git(work_tree, "symbolic-ref", "HEAD", f"refs/heads/{_BRANCH}", environment=at)
    return True


def _another_commit(work_tree: Path, head: str, at: Mapping[str, str], when: datetime) -> str:
    """A commit on top of `head` in which the first file has one line more."""
    index = {**at, "GIT_INDEX_FILE": os.path.join(at["GIT_DIR"], "another-index")}  # noqa: PTH118
    run_git(work_tree, "read-tree", head, environment=index)
    entries = run_git(work_tree, "ls-files", "-s", "-z", environment=index).split("\0")
    first = next((entry for entry in entries if entry.startswith("100")), None)
    if first is not None:
        details, _, path = first.partition("\t")
        mode, blob, _stage = details.split()
        text = run_git(work_tree, "cat-file", "blob", blob, environment=index)
        changed = run_git(
            work_tree,
            *("hash-object", "-w", "--stdin"),
            environment=index,
            given=f"{text}\nanother line\n",
        )
        run_git(
            work_tree,
            *("update-index", "--cacheinfo", f"{mode},{changed},{path}"),
            environment=index,
        )
    tree = run_git(work_tree, "write-tree", environment=index)
    Path(index["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    stamp = f"{int(when.timestamp())} +0000"
    author = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", "Robin"), ("EMAIL", "robin@example.org"), ("DATE", stamp))
    }
    return run_git(
        work_tree,
        *("commit-tree", tree, "-p", head, "-m", "Another commit"),
        environment={**at, **author},
    )


def run_git(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    given: str | None = None,
    check: bool = True,
) -> str:
    """What a git command prints. The user's own git configuration is not read."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", *arguments],
        cwd=folder,
        env={**inherited, **quiet, **(environment or {})},
        input=given,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=check,
    )
    return done.stdout.strip()
