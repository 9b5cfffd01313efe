"""A builder that runs in worlds gives the verdict that its author would agree with."""

import pytest

from tests.project import MakeProject

BASE = 'BASE = "You are a careful coding agent who reads before writing. " * 60\n'
TOOLS = (
    'TOOLS = [{"type": "function", "function": {"name": "run", "description": "Run it. " * 200,'
    ' "parameters": {"type": "object", "properties": {}}}}]\n'
)


def _rules(result: dict[str, object]) -> list[tuple[str, str]]:
    findings = result["findings"]
    assert isinstance(findings, list)
    return [(finding["rule"], finding["severity"]) for finding in findings]


def test_a_minute_clock_at_the_top_is_one_error_at_its_line(builder: MakeProject) -> None:
    project = builder(
        "from datetime import datetime\n"
        + BASE
        + "def build():\n"
        + '    now = datetime.now().strftime("%Y-%m-%d %H:%M")\n'
        + '    return f"Now: {now}\\n{BASE}"\n'
    )
    code, result = project.json("check")
    (finding,) = result["findings"]
    assert code == 1
    assert (finding["rule"], finding["severity"]) == ("sub-day-clock", "error")
    assert (finding["path"], finding["line"], finding["column"]) == ("agent.py", 4, 11)
    assert (finding["axis"], finding["scope"]) == ("minute", "within")
    assert finding["span"]["source"] == "timestamp"
    assert finding["history_lost"]
    assert finding["lost_tokens"] > 600
    assert finding["confidence"] == "high"


def test_without_knowing_how_often_it_is_built_it_is_a_warning(builder: MakeProject) -> None:
    project = builder(
        "from datetime import datetime\n"
        + BASE
        + "def build():\n    return f'{datetime.now():%H:%M} {BASE}'\n",
        config="",
    )
    _, result = project.json("check")
    (finding,) = result["findings"]
    assert (finding["severity"], finding["confidence"]) == ("warning", "medium")
    _, out, _ = project.run("check")
    assert "set rebuilt" in out


def test_a_clock_at_import_moves_between_sessions_only(builder: MakeProject) -> None:
    project = builder(
        "from datetime import datetime\n"
        + BASE
        + 'NOW = datetime.now().strftime("%Y-%m-%d %H:%M")\n'
        + 'def build():\n    return f"Now: {NOW}\\n{BASE}"\n'
    )
    code, result = project.json("check")
    (finding,) = result["findings"]
    assert code == 1
    assert (finding["rule"], finding["severity"]) == ("sub-day-clock", "warning")
    assert (finding["axis"], finding["scope"]) == ("clock-at-start", "between")
    assert finding["line"] == 3
    assert not finding["history_lost"]


def test_a_frozen_constant_gives_nothing(builder: MakeProject) -> None:
    project = builder(BASE + 'def build():\n    return f"Now: 2026-03-14 09:26\\n{BASE}"\n')
    assert project.json("check") == (
        0,
        {
            "version": 1,
            "findings": [],
            "summary": {
                "info": 0,
                "warning": 0,
                "error": 0,
                "suppressed": 0,
                "prompts": 1,
                "files": 0,
                "errors_to_check": 0,
            },
            "errors": [],
            "notes": [],
        },
    )


def test_a_date_as_the_last_line_is_information(builder: MakeProject) -> None:
    project = builder(
        "from datetime import date\n"
        + BASE
        + TOOLS
        + "def build():\n    return f'{BASE}\\nToday is {date.today()}.', TOOLS\n"
    )
    code, result = project.json("check")
    assert code == 0
    assert _rules(result) == [("date-in-prefix", "info")]
    assert result["findings"][0]["lost_tokens"] > 256


def test_a_date_in_front_of_stable_text_is_a_warning(builder: MakeProject) -> None:
    project = builder(
        "from datetime import date\n"
        + BASE
        + "def build():\n    return f'{date.today()}\\n{BASE}'\n"
    )
    code, result = project.json("check")
    assert (code, _rules(result)) == (1, [("date-in-prefix", "warning")])


def test_a_timestamp_that_agents_md_quotes_gives_nothing(builder: MakeProject) -> None:
    project = builder(
        "from pathlib import Path\n"
        + BASE
        + "def build():\n    return Path('AGENTS.md').read_text() + BASE\n",
    )
    project.write("AGENTS.md", "# Log format\nEach line begins with `2026-03-14 09:26:53`.\n")
    code, result = project.json("check")
    assert (code, result["findings"]) == (0, [])


def test_session_prompts_are_not_judged_within_a_session(builder: MakeProject) -> None:
    project = builder(
        "from datetime import datetime\n"
        + BASE
        + "def build():\n    return f'{datetime.now():%H:%M} {BASE}'\n",
        config='rebuilt = "session"',
    )
    _, result = project.json("check")
    (finding,) = result["findings"]
    assert (finding["axis"], finding["scope"]) == ("clock-at-start", "between")
    assert finding["severity"] == "warning"


def test_the_templates_own_date_is_told_apart(builder: MakeProject) -> None:
    project = builder(BASE + "def build():\n    return BASE\n", config='model = "dated.jinja"')
    project.write(
        "dated.jinja",
        'Today: {{ strftime_now("%Y-%m-%d") }}\n'
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}",
    )
    code, result = project.json("check")
    assert (code, _rules(result)) == (0, [("template-clock", "info")])
    assert result["findings"][0]["span"]["part"] == "template"
    assert result["findings"][0]["axis"] == "day"


def test_memory_in_front_of_project_rules(builder: MakeProject) -> None:
    project = builder(
        "from pathlib import Path\n"
        "MEMORY = (Path.home() / 'MEMORY.md').read_text()\n"
        "def build():\n    return f'# Memory\\n{MEMORY}\\n' + Path('AGENTS.md').read_text()\n",
        config='rebuilt = "request"\nhome = "home"\nworkspace = "work"',
    )
    project.write("home/MEMORY.md", "- the owner likes small commits\n")
    project.write("work/AGENTS.md", "Prices are integers in cents, never floats. " * 60)
    code, result = project.json("check")
    assert code == 1
    assert ("volatile-before-stable", "warning") in _rules(result)
    first = next(f for f in result["findings"] if f["severity"] == "warning")
    assert first["span"]["source"] == "memory"
    assert (first["axis"], first["scope"], first["line"]) == ("edit-memory", "between", 2)


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("def build():\n    raise ValueError('no profile')\n", "no profile"),
        ("def build():\n    return None\n", "returned None"),
        ("def build():\n    return b'prompt'\n", "bytes"),
        ("def build():\n    return '  '\n", "empty prompt"),
        ("import nowhere_to_be_found\ndef build():\n    return 'x'\n", "nowhere_to_be_found"),
        ("import sys\ndef build():\n    sys.exit(3)\n", "3"),
        ("import os\ndef build():\n    os._exit(4)\n", "4"),
        ("def build():\n    return build()\n", "recursion"),
        ("def built():\n    return 'x'\n", "build"),
        ("def build(:\n", "syntax"),
    ],
)
def test_what_cannot_be_checked_is_one_line_and_exit_2(
    builder: MakeProject, source: str, cause: str
) -> None:
    code, _, err = builder(source).run("check")
    assert code == 2
    (line,) = err.splitlines()
    assert line.startswith("promptlint: coder: ")
    assert cause.lower() in line.lower()


def test_a_builder_that_hangs_is_ended(builder: MakeProject) -> None:
    project = builder("import time\ndef build():\n    time.sleep(3600)\n", config="timeout = 0.5")
    code, _, err = project.run("check")
    assert code == 2
    assert "0.5 s" in err


def test_noise_on_standard_output_is_no_answer(builder: MakeProject) -> None:
    project = builder(
        'print("banner")\ndef build():\n    print("x" * 100000)\n    return "prompt"\n'
    )
    assert project.run("check")[0] == 0


def test_verbose_shows_the_users_own_traceback(builder: MakeProject) -> None:
    project = builder("def build():\n    return helper()\ndef helper():\n    raise KeyError('k')\n")
    code, _, err = project.run("check", "--verbose")
    assert code == 2
    assert "line 4, in helper" in err
    assert "promptlint/builders" not in err


def test_one_prompt_that_fails_does_not_stop_the_others(builder: MakeProject) -> None:
    project = builder("def build():\n    raise ValueError\ndef good():\n    return 'fine'\n")
    with (project.folder / "promptlint.toml").open("a") as config:
        config.write('[[prompt]]\nname = "other"\nbuilder = "agent.py:good"\n')
    code, result = project.json("check")
    assert code == 2
    assert result["summary"]["prompts"] == 2
    assert len(result["errors"]) == 1
