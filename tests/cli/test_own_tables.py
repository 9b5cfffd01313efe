"""Calls and sinks that a project names itself, in its configuration."""

import pytest

from tests.project import Project

RULES = 'RULES = "Ask before you delete a file. " * 80\n'
CLOCK = """
[[call]]
names = ["acme.now"]
kind = "clock"
source = "timestamp"
axis = "minute"
"""
SINK = """
[[sink]]
callee = '(^|\\.)dispatch$'
system = ["persona"]
"""


def _found(project: Project) -> list[tuple[str, str, int]]:
    _, result = project.json("check", ".", "--static")
    return [(f["rule"], f["path"], f["line"]) for f in result["findings"]]


def test_a_clock_is_found_once_it_is_named(project: Project) -> None:
    project.write(
        "app.py", f"import acme\n{RULES}def system_prompt():\n    return acme.now() + RULES"
    )
    assert _found(project) == []
    project.write("promptlint.toml", CLOCK)
    assert _found(project) == [("sub-day-clock", "app.py", 4)]


@pytest.mark.parametrize("folder", ["", "src/"])
def test_a_named_function_of_the_tree_is_not_followed(project: Project, folder: str) -> None:
    project.write(f"{folder}acme/__init__.py", "")
    project.write(f"{folder}acme/clock.py", "import native\n\ndef now():\n    return native.tick()")
    project.write(
        f"{folder}app.py",
        f"from acme.clock import now\n{RULES}def system_prompt():\n    return now() + RULES",
    )
    assert _found(project) == []
    project.write("promptlint.toml", CLOCK.replace("acme.now", "acme.clock.now"))
    assert _found(project) == [("sub-day-clock", f"{folder}app.py", 4)]


def test_the_form_says_how_it_is_printed(project: Project) -> None:
    project.write(
        "app.py",
        f"import acme\n{RULES}def system_prompt():\n"
        '    return acme.now().strftime("%Y-%m-%d %H:%M") + RULES\n',
    )
    own = CLOCK.replace('"minute"', '"second"') + 'form = "datetime"\n'
    project.write("promptlint.toml", own)
    assert _found(project) == [("sub-day-clock", "app.py", 4)]
    project.fix("check", ".", "--static", "--unsafe-fixes")
    assert '.strftime("%Y-%m-%d") + RULES' in (project.folder / "app.py").read_text("utf-8")
    assert _found(project) == [("date-in-prefix", "app.py", 4)]


SENT = f"""import time
from wire import dispatch
{RULES}
def answer(question):
    return dispatch(question, persona=time.ctime() + RULES)
"""


@pytest.mark.parametrize("wire", [None, "def dispatch(question, persona):\n    return 1\n"])
def test_a_sink_is_found_once_it_is_named(project: Project, wire: str | None) -> None:
    project.write("app.py", SENT)
    if wire is not None:
        project.write("wire.py", wire)
    assert _found(project) == []
    project.write("promptlint.toml", SINK)
    assert _found(project) == [("sub-day-clock", "app.py", 6)]


def test_what_the_configuration_excludes_is_not_fixed(project: Project) -> None:
    text = f'{RULES}def system_prompt(names):\n    return ", ".join(set(names)) + RULES\n'
    project.write("app.py", text)
    project.write("promptlint.toml", 'exclude = ["app.py"]\n')
    project.fix("check", ".", "--static", "--fix")
    assert (project.folder / "app.py").read_text("utf-8") == text


def test_own_rows_are_shown(project: Project) -> None:
    project.write("promptlint.toml", CLOCK + SINK)
    _, out, _ = project.run("config")
    assert "[[call]]\nnames = acme.now\nkind = clock\nsource = timestamp\naxis = minute\n" in out
    assert "[[sink]]\ncallee = (^|\\.)dispatch$\nsystem = persona\n" in out


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (CLOCK.replace("names", "name"), "call 1: unknown key `name`, did you mean `names`?"),
        (CLOCK.replace('names = ["acme.now"]\n', ""), "call 1: `names` is missing"),
        (CLOCK.replace('["acme.now"]', "[]"), "call 1.names: must name a function"),
        (CLOCK.replace("acme.now", "acme.now()"), "call 1.names: `acme.now()` is no dotted name"),
        (CLOCK.replace('"minute"', '"minutes"'), "call 1.axis: must be one of"),
        (CLOCK.replace('"minute"', '"minutes"'), "did you mean `minute`?"),
        (CLOCK.replace('"clock"', "3"), "call 1.kind: must be one of clock, identifier"),
        (CLOCK + 'form = "time"\n', "call 1.form: must be one of str, datetime"),
        (CLOCK + SINK.replace("callee", "caller"), "sink 1: unknown key `caller`"),
        (CLOCK * 2 + SINK + "stored = 1\n", "sink 1.stored: must be true or false"),
        (SINK.replace("(^", "((^"), "sink 1.callee: is no regular expression"),
        (SINK.replace('system = ["persona"]', ""), "one of `system`, `messages` and `tools`"),
        (SINK.replace("[[sink]]", "[sink]"), "sink: must be an array of tables: [[tool.promptl"),
    ],
)
def test_a_row_that_does_not_fit_is_one_line(project: Project, row: str, message: str) -> None:
    project.write("app.py", SENT)
    project.write("promptlint.toml", row)
    code, out, err = project.run("check", ".", "--static")
    assert code == 2
    assert out == ""
    assert message in err
    assert "promptlint.toml: " in err
    assert len(err.splitlines()) == 1
