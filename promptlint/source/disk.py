"""What reading looks at on disk. Every look is noted, so that it can be taken again."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field

from promptlint.source.files import TEXT_SUFFIXES, walk

Question = tuple[str, ...]


class Disk(Struct, eq=False):
    """The files of a tree, and all looks at them so far."""

    root: Path
    _found: dict[Question, str] = field(default_factory=dict)
    _read: dict[str, bytes | None] = field(default_factory=dict)

    def answers(self) -> dict[Question, str]:
        """What every look found: a digest of what was read or listed, a path, or empty for nothing.

        Digests of contents are only made here: most readings of a few files are not kept.
        """
        contents: dict[Question, str] = {
            ("content", path): "" if data is None else _digest(data)
            for path, data in self._read.items()
        }
        return {**self._found, **contents}

    def take(self, answers: Mapping[Question, str]) -> None:
        """Take the looks of another process over, which has read the same contents or more."""
        self._found.update(answers)

    def content(self, path: Path) -> bytes:
        """The octets of a file. Raises OSError."""
        self._read[str(path)] = None
        data = path.read_bytes()
        self._read[str(path)] = data
        return data

    def module(self, folder: Path, name: str) -> Path | None:
        """The file of a dotted name in a folder of sources; of a package without code, its folder.

        An empty name is the folder's own package.
        """
        return self._path(("module", str(folder), name))

    def member(self, package: Path, name: str) -> Path | None:
        """The module or the package of this name directly in a package's folder."""
        return self._path(("member", str(package), name))

    def documents(self) -> list[Path]:
        """The text files of the tree that are no code."""
        found = list(walk(self.root, self.root, TEXT_SUFFIXES))
        self._found["documents", str(self.root)] = _digest_of(found)
        return found

    def is_as(self, answers: Mapping[Question, str]) -> bool:
        """Whether every look gives what it gave before."""
        return all(self._again(question) == answer for question, answer in answers.items())

    def _path(self, question: Question) -> Path | None:
        if question not in self._found:
            self._found[question] = self._again(question)
        return Path(self._found[question]) if self._found[question] else None

    def _again(self, question: Question) -> str:
        match question:
            case known if known in self._found:
                return self._found[known]
            case ("content", path):
                try:
                    return _digest(self._read.get(path) or Path(path).read_bytes())
                except OSError:
                    return ""
            case ("module", folder, name):
                return str(_module_file(Path(folder), name.split(".") if name else []) or "")
            case ("member", package, name):
                return str(_member_file(Path(package), name) or "")
            case ("documents", root):
                return _digest_of(walk(Path(root), self.root, TEXT_SUFFIXES))
            case _:
                raise ValueError(question)


def _module_file(folder: Path, tail: list[str]) -> Path | None:
    base = folder.joinpath(*tail)
    if tail and (file := base.with_name(base.name + ".py")).is_file():
        return file
    if (file := base / "__init__.py").is_file():
        return file
    return base if base.is_dir() and (not tail or any(base.glob("*.py"))) else None


def _member_file(package: Path, name: str) -> Path | None:
    candidates = (package / f"{name}.py", package / name / "__init__.py", package / name)
    return next((candidate for candidate in candidates if candidate.exists()), None)


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _digest_of(paths: Iterable[Path]) -> str:
    return _digest("\0".join(map(str, paths)).encode())
