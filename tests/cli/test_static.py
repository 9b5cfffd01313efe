"""Source that is only read: what a hook and an editor do."""

import io
import os
import subprocess
from pathlib import Path

import pytest

from tests.project import Project, tree

LONG = "You are a careful agent, and you read before you write. " * 30
AGENT = """\
from helpers import now_text, skills

BASE = "LONG"

def call(client, history):
    system = "\\n".join([now_text(), ", ".join(skills()), BASE])
    return client.chat.completions.create(
        model="m", messages=[{"role": "system", "content": system}] + history
    )
""".replace("LONG", LONG)
HELPERS = """\
import datetime

def now_text():
    return "Now: " + datetime.datetime.now().strftime("%Y-%m-%d %H:%M")

def skills():
    return {"pdf", "csv"}
"""


@pytest.fixture
def sources(project: Project) -> Project:
    project.write("agent.py", AGENT)
    project.write("helpers.py", HELPERS)
    return project


def _git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def _places(result: dict[str, object]) -> set[tuple[str, str, int]]:
    findings = result["findings"]
    assert isinstance(findings, list)
    return {(f["rule"], f["path"], f["line"]) for f in findings if f["severity"] != "info"}


def test_faults_are_found_in_another_module_at_their_own_line(sources: Project) -> None:
    code, result = sources.json("check", "agent.py", "--static")
    assert code == 1
    assert _places(result) == {
        ("sub-day-clock", "helpers.py", 4),
        ("unordered-set", "agent.py", 6),
    }
    clock = next(f for f in result["findings"] if f["rule"] == "sub-day-clock")
    way = [(r["path"], r["line"], r["note"]) for r in clock["related"]]
    assert way == [
        ("agent.py", 6, "its result is used here"),
        ("agent.py", 7, "the prompt is sent here"),
    ]


def test_nothing_is_imported(project: Project) -> None:
    project.write("agent.py", f"import nowhere_to_be_found\n{AGENT}")
    project.write("helpers.py", HELPERS)
    code, result = project.json("check", ".", "--static")
    assert code == 1
    assert result["errors"] == []


def test_a_file_without_a_prompt_passes(project: Project) -> None:
    project.write("tool.py", "from datetime import datetime\nprint(datetime.now())\n")
    assert project.run("check", "tool.py", "--static")[0] == 0


def test_a_syntax_error_does_not_stop_the_rest(sources: Project) -> None:
    sources.write("broken.py", 'messages = [{"role": "system", "content": "You are"}\ndef (:\n')
    code, result = sources.json("check", ".", "--static")
    assert code == 2
    assert len(result["errors"]) == 1
    assert result["errors"][0].startswith("broken.py:")
    assert ("sub-day-clock", "helpers.py", 4) in _places(result)


def test_no_general_rule_speaks_for_one_that_is_ignored(sources: Project) -> None:
    _, result = sources.json("check", "agent.py", "--static", "--ignore", "sub-day-clock")
    assert _places(result) == {("unordered-set", "agent.py", 6)}


def test_a_file_with_a_nul_character_is_named(project: Project) -> None:
    project.write("agent.py", "system_prompt = 1\n\0\n")
    code, _, err = project.run("check", ".", "--static")
    assert (code, err) == (2, "promptlint: agent.py:2: holds a NUL character, as no code does\n")


def test_what_cannot_be_read_has_its_place_in_a_log(project: Project) -> None:
    project.write("agent.py", "system_prompt = (\n")
    code, out, _ = project.run("check", ".", "--static", "--output-format", "github")
    assert code == 2
    assert out.startswith("::error file=agent.py,line=1,title=promptlint could not check::")


def test_standard_input_has_a_name(sources: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    source = AGENT.replace("now_text()", "str(__import__('time').time())")
    monkeypatch.setattr("sys.stdin", io.StringIO(source))
    code, result = sources.json("check", "-", "--stdin-filename", "agent.py")
    assert code == 1
    assert ("unordered-set", "agent.py", 6) in _places(result)


def test_only_changed_lines_count_with_a_revision(sources: Project) -> None:
    _git(sources.folder, "init", "--quiet")
    _git(sources.folder, "add", ".")
    _git(sources.folder, "commit", "--quiet", "-m", "start")
    assert sources.run("check", ".", "--static", "--diff", "HEAD")[0] == 0
    sources.write("helpers.py", HELPERS.replace("Now:", "It is:"))
    code, result = sources.json("check", ".", "--static", "--diff", "HEAD")
    assert code == 1
    assert _places(result) == {("sub-day-clock", "helpers.py", 4)}
    code, _, err = sources.run("check", ".", "--static", "--diff", "no-such-revision")
    assert code == 2
    assert "no-such-revision" in err


def test_fixes_are_shown_without_writing(sources: Project) -> None:
    _, out, _ = sources.run("check", ".", "--static", "--diff")
    assert '", ".join(sorted(skills())), BASE])' in out
    assert "%H:%M" not in out


def test_a_fixed_file_is_clean_and_otherwise_the_same(sources: Project) -> None:
    before = tree(sources.folder)
    sources.fix("check", ".", "--static", "--fix")
    after = tree(sources.folder)
    assert {name for name in after if after[name] != before[name]} == {"agent.py"}
    text = (sources.folder / "agent.py").read_text("utf-8")
    assert text == AGENT.replace("skills())", "sorted(skills()))")
    _, result = sources.json("check", ".", "--static")
    assert _places(result) == {("sub-day-clock", "helpers.py", 4)}


def test_unsafe_fixes_cut_a_clock_to_its_date(sources: Project) -> None:
    sources.fix("check", ".", "--static", "--unsafe-fixes")
    text = (sources.folder / "helpers.py").read_text("utf-8")
    assert 'strftime("%Y-%m-%d")' in text
    code, result = sources.json("check", ".", "--static")
    assert code in {0, 1}
    assert not [place for place in _places(result) if place[0] == "sub-day-clock"]


def test_all_faults_of_a_prompt_are_fixed_at_once(project: Project) -> None:
    """A reading may show but the first of several."""
    dumps = " + ".join(f"json.dumps(json.loads({name}))" for name in "abc")
    source = "import glob, json, os\n\ndef system_prompt(a, b, c):\n"
    source += '    text = " ".join(os.listdir(".")) + " ".join(glob.glob("*"))\n'
    file = project.write("app.py", f"{source}    return text + {dumps} + {LONG!r}\n")
    project.fix("check", "app.py", "--static", "--fix")
    fixed = file.read_text("utf-8")
    assert fixed.count("sorted(") == 2
    assert fixed.count("sort_keys=True") == 3
    compile(fixed, "app.py", "exec")


def test_what_the_configuration_excludes_is_followed_but_not_judged(sources: Project) -> None:
    sources.write("promptlint.toml", 'exclude = ["helpers.py"]\n')
    _, result = sources.json("check", ".", "--static")
    assert _places(result) == {("unordered-set", "agent.py", 6)}


def test_a_folder_that_git_ignores_is_not_read(sources: Project) -> None:
    sources.write(".gitignore", "old/\n")
    sources.write("old/agent.py", AGENT)
    sources.write("old/helpers.py", HELPERS)
    _, result = sources.json("check", ".", "--static")
    assert not [f for f in result["findings"] if f["path"].startswith("old/")]


def test_reading_and_rendering_tell_one_story(sources: Project) -> None:
    sources.write(
        "agent.py",
        AGENT + "\ndef build():\n    return '\\n'.join([BASE, now_text()])\n",
    )
    sources.write(
        "promptlint.toml",
        '[[prompt]]\nname = "coder"\nbuilder = "agent.py:build"\nrebuilt = "request"\n',
    )
    _, result = sources.json("check", ".")
    clocks = [f for f in result["findings"] if f["rule"] == "sub-day-clock"]
    assert len(clocks) == 1
    assert clocks[0]["confidence"] == "high"


def test_a_line_that_somebody_accepted_is_not_fixed(sources: Project) -> None:
    file = sources.folder / "agent.py"
    kept = file.read_text().replace(
        "skills()), BASE])", "skills()), BASE])  # promptlint: ignore[unordered-set]"
    )
    assert kept != file.read_text()
    file.write_text(kept)
    sources.run("check", ".", "--static", "--fix")
    assert file.read_text() == kept


@pytest.mark.parametrize(
    "arguments",
    [("--ignore", "unordered-set,volatile-before-stable"), ("--select", "sub-day-clock")],
    ids=" ".join,
)
def test_what_is_not_reported_is_not_fixed(sources: Project, arguments: tuple[str, str]) -> None:
    before = tree(sources.folder)
    sources.run("check", ".", "--static", "--fix", *arguments)
    assert tree(sources.folder) == before


def test_a_fix_keeps_the_encoding_of_a_file(project: Project) -> None:
    text = '# -*- coding: latin-1 -*-\nNAME = "é"\n' + AGENT.replace("skills()", '{"pdf", "csv"}')
    project.write("helpers.py", HELPERS)
    (project.folder / "agent.py").write_bytes(text.encode("latin-1"))
    project.fix("check", ".", "--static", "--fix")
    after = (project.folder / "agent.py").read_bytes().decode("latin-1")
    assert after == text.replace('{"pdf", "csv"}', 'sorted({"pdf", "csv"})')


def test_a_link_to_nothing_is_left_out_and_a_named_one_is_said(sources: Project) -> None:
    link = sources.folder / "link.py"
    link.symlink_to("nowhere.py")
    assert sources.run("check", ".", "--static")[0] == 1
    code, _, err = sources.run("check", "link.py", "--static")
    assert code == 2
    assert "link.py: no such file or folder" in err


def test_the_quoted_line_is_the_one_that_python_counts(sources: Project) -> None:
    """A form feed ends no line, and text of another encoding is read as declared."""
    fed = HELPERS.replace("import datetime", "# coding: latin-1\n# é\x0c\nimport datetime")
    (sources.folder / "helpers.py").write_bytes(fed.encode("latin-1"))
    _, output, _ = sources.run("check", "agent.py", "--static")
    assert '│     return "Now: " + datetime.datetime.now()' in output


def test_a_hostile_file_name_drives_no_terminal(project: Project) -> None:
    project.write("b\n::error::new\x1b[31mline.py", "system_prompt = (\n")
    code, out, err = project.run("check", ".", "--static")
    assert code == 2
    assert "\x1b" not in out + err
    assert not any(line.startswith("::") for line in (out + err).splitlines())


@pytest.mark.parametrize("output_format", ["full", "concise", "json", "sarif", "github"])
def test_a_name_that_is_no_text_is_shown(sources: Project, output_format: str) -> None:
    (sources.folder / os.fsdecode(b"\xff.py")).write_text(AGENT, "utf-8")
    code, out, _ = sources.run("check", ".", "--static", "--output-format", output_format)
    assert code == 1
    assert "udcff.py" in out or "%FF.py" in out


@pytest.mark.parametrize("text", ["crlf", "no newline", "tabs"])
def test_the_diff_is_a_patch_that_applies(project: Project, text: str) -> None:
    source = AGENT.replace("skills()", '{"pdf", "csv"}')
    source = {
        "crlf": source.replace("\n", "\r\n"),
        "no newline": source.rstrip("\n"),
        "tabs": source.replace("    ", "\t"),
    }[text]
    project.write("helpers.py", HELPERS)
    file = project.folder / "agent.py"
    file.write_bytes(source.encode())
    _git(project.folder, "init", "--quiet")
    _, patch, _ = project.run("check", ".", "--static", "--diff")
    (project.folder / "fix.patch").write_bytes(patch.encode())
    _git(project.folder, "apply", "--whitespace=nowarn", "fix.patch")
    expected = source.replace('{"pdf", "csv"}', 'sorted({"pdf", "csv"})')
    assert file.read_bytes() == expected.encode()
