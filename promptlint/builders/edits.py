"""Edits of files between two renderings. Each carries a marker that can be found in the prompt."""

import json
import os
import re
from pathlib import Path
from typing import Any

from promptlint.builders.copies import remove
from promptlint.builders.error import BuilderError, FailureKind
from promptlint.worlds.world import Edit, EditKind

_STRUCTURED = re.compile(r"^(\s*[\w.-]+\s*[:=]\s*)(\"?)([^\"\n{\[|>]+)(\"?)\s*$", re.MULTILINE)


def apply_edit(root: Path, edit: Edit, when: float) -> None:
    """Edit, create or remove a file below `root`; its time becomes `when`, in seconds.

    Raises BuilderError where that cannot be done.
    """
    path = root / edit.path
    try:
        if edit.kind is EditKind.REMOVE:
            remove(path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_new_content(path, edit).encode("utf-8", "surrogateescape"))
        os.utime(path, (when, when))
    except OSError as error:
        message = f"{edit.root}/{edit.path}: cannot be edited: {error.strerror}"
        raise BuilderError(FailureKind.TARGET, message, fatal=False) from error


def _new_content(path: Path, edit: Edit) -> str:
    if edit.text is not None:
        return edit.text
    if edit.kind is EditKind.CREATE:
        return created_text(path, edit.marker)
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return edited_text(path.name, text, edit.marker)


def created_text(path: Path, marker: str) -> str:
    """What a new file of this name says."""
    if path.name == "SKILL.md":
        return f"---\nname: {path.parent.name}\ndescription: {marker}\n---\n\n{marker}\n"
    if path.suffix == ".json":
        return json.dumps({"note": marker}) + "\n"
    return f"- {marker}\n"


def edited_text(name: str, text: str, marker: str) -> str:
    """The text with its first content line changed and a line more, both with the marker.

    Data files stay well formed: the first text value of JSON, YAML or TOML is changed.
    """
    suffix = Path(name).suffix
    if suffix == ".json":
        return _edited_json(text, marker)
    if suffix in (".yaml", ".yml", ".toml"):
        changed = _STRUCTURED.sub(rf"\g<1>\g<2>\g<3> {marker}\g<4>", text, count=1)
        return f"{_with_newline(changed)}# {marker}\n"
    lines = text.splitlines(keepends=True)
    place = _first_content_line(lines)
    if place is not None:
        content = lines[place].rstrip("\r\n")
        lines[place] = f"{content} {marker}{lines[place][len(content) :]}"
    return f"{_with_newline(''.join(lines))}- {marker}\n"


def _with_newline(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _first_content_line(lines: list[str]) -> int | None:
    """The description in a front matter, else the first line that is no heading."""
    start = 0
    if lines and lines[0].strip() == "---":
        end = next((i for i, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
        for place in range(1, end):
            if re.match(r"description:\s*[^\s|>]", lines[place]):
                return place
        start = end + 1
    filled = [i for i in range(start, len(lines)) if lines[i].strip()]
    return next(
        (i for i in filled if not lines[i].lstrip().startswith("#")), next(iter(filled), None)
    )


def _edited_json(text: str, marker: str) -> str:
    try:
        data = json.loads(text)
    except ValueError:
        return f"{_with_newline(text)}{marker}\n"
    changed, _ = _mark(data, marker)
    indent = 2 if "\n" in text.strip() else None
    return json.dumps(changed, indent=indent, ensure_ascii=False) + "\n"


def _mark(data: Any, marker: str) -> tuple[Any, bool]:
    """The data with the marker in its first text value, and whether there was one."""
    if isinstance(data, str):
        return f"{data} {marker}", True
    if isinstance(data, list):
        pairs = list(enumerate(data))
    elif isinstance(data, dict):
        pairs = list(data.items())
    else:
        return data, False
    for key, item in pairs:
        changed, done = _mark(item, marker)
        if done:
            data[key] = changed
            return data, True
    return data, False
