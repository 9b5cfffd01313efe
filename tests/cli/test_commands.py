import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import MakeProject, Project

BASE = 'BASE = "You are a careful coding agent who reads before writing. " * 60\n'
CLOCK = (
    "from datetime import datetime\n"
    + BASE
    + "def build():\n    return f'{datetime.now():%H:%M} {BASE}'\n"
)


def test_a_text_file_needs_no_configuration(project: Project) -> None:
    project.write("prompt.md", "You are an agent.\n\n# Memory\n- likes tea\n")
    code, report = project.json("report", "prompt.md")
    assert code == 0
    assert report["version"] == 1
    assert [s["source"] for s in report["spans"] if s["part"] == "system"] == ["base", "memory"]
    assert report["stable_prefix_tokens"] == report["tokens"]


def test_a_target_needs_no_configuration(project: Project) -> None:
    project.write("agent/__init__.py", "")
    project.write(
        "agent/prompt.py",
        "class Agent:\n    @property\n    def text(self):\n        return 'Be kind.'\n",
    )
    for target in ("agent/prompt.py:Agent.text", "agent.prompt:Agent.text"):
        code, report = project.json("report", target)
        assert code == 0
        assert report["prompt"] == target


def test_spans_tile_the_text_and_the_tokens(builder: MakeProject) -> None:
    project = builder(CLOCK)
    _, report = project.json("report", "coder")
    ends = [(0, 0), *((s["end_char"], s["end_token"]) for s in report["spans"])]
    starts = [(s["start_char"], s["start_token"]) for s in report["spans"]]
    assert starts == ends[:-1]
    assert ends[-1][1] == report["tokens"]


def test_the_same_inputs_give_the_same_bytes(builder: MakeProject) -> None:
    project = builder(CLOCK)
    assert project.run("report", "coder") == project.run("report", "coder")


def test_the_only_prompt_needs_no_name(builder: MakeProject) -> None:
    code, out, _ = builder(BASE + "def build():\n    return BASE\n").run("report")
    assert code == 0
    assert out.startswith("coder · embedded ChatML")


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["report", "nowhere.md"], "nowhere.md: No such file"),
        (["report", "nowhere.py:build"], "no file"),
        (["report", "coder", "--model", "nowhere/"], "nowhere"),
        (["report", "coder", "--model", "empty"], "empty"),
        (["check", "nowhere"], "nowhere: no such file or folder"),
        (["check", "-", "--fix"], "fixes are made in files"),
        (["check", "--select", "sub-day-clok"], "did you mean sub-day-clock?"),
        (["check", "--config", "nowhere.toml"], "nowhere.toml: no such file"),
        (["rule", "sub-day-clok"], "did you mean sub-day-clock?"),
        (["chek"], "chek"),
        (["check", "--fail-on", "never"], "never"),
    ],
)
def test_bad_input_is_exit_2_and_says_where(
    builder: MakeProject, arguments: list[str], cause: str
) -> None:
    project = builder("def build():\n    return 'x'\n")
    (project.folder / "empty").mkdir()
    code, out, err = project.run(*arguments)
    assert code == 2
    assert out == ""
    assert cause in err


@pytest.mark.parametrize(
    ("template", "cause"),
    [
        ("{{ raise_exception('no system role') }}", "no system role"),
        ("{% for m in messages %}", "line 1"),
        ("{{ messages[0].content.nothing() }}", "nothing"),
    ],
)
def test_a_template_that_cannot_be_rendered_is_exit_2(
    project: Project, template: str, cause: str
) -> None:
    project.write("prompt.md", "You are an agent.")
    project.write("broken.jinja", template)
    code, _, err = project.run("report", "prompt.md", "--model", "broken.jinja")
    assert code == 2
    (line,) = err.splitlines()
    assert "prompt.md" in line
    assert cause in line


def test_nothing_to_check_is_exit_2(project: Project) -> None:
    code, _, err = project.run("check")
    assert code == 2
    assert "nothing to check" in err


def test_select_and_ignore(builder: MakeProject) -> None:
    project = builder(CLOCK)
    assert project.run("check", "--select", "sub-day-clock")[0] == 1
    assert project.run("check", "--ignore", "sub-day-clock")[0] in {0, 1}
    assert project.run("check", "--select", "date-in-prefix,template-clock")[0] == 0


def test_fail_on(builder: MakeProject) -> None:
    project = builder(CLOCK, config="")
    assert project.run("check")[0] == 1
    assert project.run("check", "--fail-on", "error")[0] == 0


def test_an_inline_ignore_accepts_one_rule_at_one_line(builder: MakeProject) -> None:
    accepted = CLOCK.replace("{BASE}'\n", "{BASE}'  # promptlint: ignore[sub-day-clock] measured\n")
    code, result = builder(accepted).json("check")
    assert (code, result["summary"]["suppressed"]) == (0, 1)


def test_an_ignore_of_another_rule_accepts_nothing(builder: MakeProject) -> None:
    other = CLOCK.replace("{BASE}'\n", "{BASE}'  # promptlint: ignore[date-in-prefix]\n")
    code, out, _ = builder(other).run("check")
    assert code == 1
    assert "info[unused-ignore]: the ignore `date-in-prefix` accepts nothing\n  agent.py:4" in out


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ignore[sub-day-clock, date-in-prefix]", "the ignore `date-in-prefix` accepts nothing"),
        ("ignore[sub-day-clok]", "the ignore `sub-day-clok` is of no rule"),
        ("ignore", "the ignore `promptlint: ignore` names no rule in brackets"),
        ("ignore[marker-on-volatile]", None),
    ],
)
def test_an_ignore_that_accepts_nothing_is_named(
    builder: MakeProject, written: str, said: str | None
) -> None:
    """Also in a file in which nothing is found; a rule that did not run may need its ignore."""
    project = builder(CLOCK)
    (project.folder / "promptlint.toml").unlink()
    for name, source in (("agent.py", CLOCK), ("clean.py", CLOCK.replace("%H:%M", "still"))):
        project.write(name, source.replace("{BASE}'\n", f"{{BASE}}'  # promptlint: {written}\n"))
        _, result = project.json("check", name, "--static")
        found = [f["message"] for f in result["findings"] if f["rule"] == "unused-ignore"]
        assert any(text.startswith(said) for text in found) if said else not found


def test_configured_ignores_are_for_a_rule_or_a_rules_source(builder: MakeProject) -> None:
    config = 'rebuilt = "request"\nignore = ["sub-day-clock:timestamp", "date-in-prefix"]'
    code, out, _ = builder(CLOCK, config=config).run("check")
    assert code == 0
    assert "1 ignored" in out
    assert "info[unused-ignore]: the ignore `date-in-prefix` accepts nothing\n  coder" in out


def test_github_output_is_one_command_a_finding(builder: MakeProject) -> None:
    _, out, _ = builder(CLOCK).run("check", "--output-format", "github")
    (line,) = out.splitlines()
    assert line.startswith("::error file=agent.py,line=4,endLine=4,col=")


def test_one_story_for_a_prompt_under_two_models(builder: MakeProject) -> None:
    config = 'rebuilt = "request"\nmodels = ["embedded", "anthropic"]'
    _, result = builder(CLOCK, config=config).json("check")
    (finding,) = result["findings"]
    assert len(finding["related"]) == 1
    assert "anthropic" in finding["related"][0]["note"]


def test_hosted_models_are_said_to_be_estimated(builder: MakeProject) -> None:
    _, out, _ = builder(CLOCK, config='model = "anthropic"').run("report")
    assert "Tokens are estimated" in out
    assert "about" in out.splitlines()[0]


def test_rules_are_listed_and_printed(project: Project) -> None:
    _, out, _ = project.run("rule")
    assert "sub-day-clock" in out
    _, page, _ = project.run("rule", "sub-day-clock")
    assert page.startswith("## sub-day-clock\n")


def test_the_documentation_is_what_the_rules_say(project: Project) -> None:
    _, out, _ = project.run("rule", "--all")
    root = Path(__file__).resolve().parents[2]
    assert out == (root / "docs/rules.md").read_text("utf-8")


def test_config_shows_what_is_in_force(builder: MakeProject) -> None:
    project = builder("", config='model = "anthropic"')
    code, out, _ = project.run("config")
    assert code == 0
    assert "models = anthropic" in out
    assert f"file = {project.folder / 'promptlint.toml'}" in out


def test_the_module_is_the_command(tmp_path: Path) -> None:
    (tmp_path / "prompt.md").write_text("You are an agent.")
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "promptlint", "report", "prompt.md", "--output-format", "json"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["prompt"] == "prompt.md"


def test_help_and_version(project: Project) -> None:
    assert project.run("--help")[0] == 0
    assert "promptlint, version" in project.run("--version")[1]


def test_below_the_caches_minimum_a_finding_is_information(builder: MakeProject) -> None:
    config = 'rebuilt = "request"\ncache = "anthropic/messages"'
    code, out, _ = builder(CLOCK, config=config).run("check", "--verbose")
    assert code == 0
    assert "info[sub-day-clock]" in out
    assert "that anthropic/messages keeps" in out


def test_an_unknown_cache_is_one_line_and_exit_2(builder: MakeProject) -> None:
    code, _, err = builder(CLOCK, config='cache = "antropic/messages"').run("check")
    assert code == 2
    (line,) = err.splitlines()
    assert line.startswith("promptlint: coder: ")
    assert "did you mean `anthropic/messages`?" in line
