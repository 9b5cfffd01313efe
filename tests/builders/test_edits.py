import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.builders.edits import apply_edit, created_text, edited_text
from promptlint.builders.error import BuilderError
from promptlint.worlds.world import Edit, EditKind

SKILL = "---\nname: review\ndescription: Reviews code.\n---\n\n# Review\n\nLook at it.\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("MEMORY.md", "Likes tea.\nMore.\n", "Likes tea. M\nMore.\n- M\n"),
        ("MEMORY.md", "# Memory\n\n- Likes tea.", "# Memory\n\n- Likes tea. M\n- M\n"),
        ("MEMORY.md", "# Only a heading\n", "# Only a heading M\n- M\n"),
        ("MEMORY.md", "", "- M\n"),
        ("a.txt", "one\r\ntwo\r\n", "one M\r\ntwo\r\n- M\n"),
        (
            "SKILL.md",
            SKILL,
            SKILL.replace("Reviews code.", "Reviews code. M") + "- M\n",
        ),
        ("x.md", "---\nname: x\n---\nText.\n", "---\nname: x\n---\nText. M\n- M\n"),
        ("a.yaml", "a: 1.2.3\nb: text\n", "a: 1.2.3 M\nb: text\n# M\n"),
        ("a.toml", '[tool]\nname = "x"\n', '[tool]\nname = "x M"\n# M\n'),
        ("a.json", '{"n": 1, "list": ["x"]}', '{"n": 1, "list": ["x M"]}\n'),
        ("a.json", "broken", "broken\nM\n"),
    ],
)
def test_an_edit_changes_the_first_content_line_and_adds_one(
    name: str, text: str, expected: str
) -> None:
    assert edited_text(name, text, "M") == expected


@given(st.text(), st.sampled_from(["a.md", "a.txt", "SKILL.md", "notes", "a.yml"]))
def test_every_edit_carries_its_marker(text: str, name: str) -> None:
    edited = edited_text(name, text, "marker-17")
    assert "marker-17" in edited
    assert edited.splitlines()[-1].endswith("marker-17")


_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_DATA)
def test_json_stays_json_and_changes_where_it_has_text(data: object) -> None:
    edited = json.loads(edited_text("a.json", json.dumps(data), "marker-17"))
    has_text = any(isinstance(value, str) for value in _values(data))
    assert (edited != data) == has_text


def _values(data: object) -> list[object]:
    if isinstance(data, list):
        return [found for item in data for found in _values(item)]
    if isinstance(data, dict):
        return [found for item in data.values() for found in _values(item)]
    return [data]


def test_created_files_fit_their_names() -> None:
    skill = created_text(Path("skills/zoo/SKILL.md"), "M")
    assert skill.startswith("---\nname: zoo\ndescription: M\n---\n")
    assert json.loads(created_text(Path("a.json"), "M")) == {"note": "M"}
    assert created_text(Path("MEMORY.md"), "M") == "- M\n"


def test_edits_are_applied_with_the_worlds_time(tmp_path: Path) -> None:
    apply_edit(tmp_path, Edit("home", "a/b.md", EditKind.CREATE, "M"), 1000.0)
    path = tmp_path / "a" / "b.md"
    assert (path.read_text(), path.stat().st_mtime) == ("- M\n", 1000.0)
    apply_edit(tmp_path, Edit("home", "a/b.md", EditKind.EDIT, text="whole"), 2000.0)
    assert (path.read_text(), path.stat().st_mtime) == ("whole", 2000.0)
    apply_edit(tmp_path, Edit("home", "a", EditKind.REMOVE), 3000.0)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_edited_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuilderError, match=r"^home/none\.md: cannot be edited: No such file"):
        apply_edit(tmp_path, Edit("home", "none.md", EditKind.EDIT, "M"), 0.0)
