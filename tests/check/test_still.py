"""What reading takes for moving, and a rendering of a configured prompt has seen stay still."""

import pytest

from tests.project import MakeProject, Project

BASE = 'BASE = "You are a careful agent, and you read before you write. " * 40\n'
MASK = 'MASK = str.maketrans("0123456789", "##########")\n'
END = "build = build_prompt\n"
# Digits become a mask: reading does not know what a table replaces.
MASKED = f"""\
import time
{BASE}{MASK}
def clock():
    return time.strftime("%Y-%m-%d %H:%M").translate(MASK)

def build_prompt():
    return clock() + BASE

{END}"""
UNORDERED = f"""\
{BASE}
NAMES = {{"read", "write", "list", "search"}}

def build_prompt():
    return "".join(sorted(", ".join(NAMES))) + BASE

{END}"""
UNDER_A_SWITCH = f"""\
import os, time
{BASE}
def build_prompt():
    if os.environ.get("SHOW_CLOCK"):
        return time.strftime("%H:%M") + BASE
    return BASE

{END}"""
MASKED_AND_MOVING = f"""\
import time
{BASE}{MASK}
def build_prompt():
    masked = time.strftime("%Y-%m-%d %H:%M").translate(MASK)
    return masked + time.strftime("%Y-%m-%d %H:%M") + BASE

{END}"""


def _lines(project: Project, *arguments: str) -> list[tuple[str, int]]:
    code, result = project.json("check", "agent.py", *arguments)
    assert code != 2
    return [(finding["rule"], finding["line"]) for finding in result["findings"]]


def test_a_clock_that_was_measured_to_stay_still_is_dropped(builder: MakeProject) -> None:
    project = builder(MASKED)
    assert _lines(project, "--static") == [("sub-day-clock", 6)]
    assert _lines(project) == []


def test_the_order_of_a_set_that_stays_still_is_dropped(builder: MakeProject) -> None:
    project = builder(UNORDERED)
    assert [rule for rule, _ in _lines(project, "--static")] == ["unordered-set"]
    assert _lines(project) == []


def test_a_line_that_did_not_run_stays(builder: MakeProject) -> None:
    assert _lines(builder(UNDER_A_SWITCH)) == [("sub-day-clock", 6)]


TWO_CLOCKS = f"""\
import os, time
{BASE}{MASK}
def build_prompt():
    text = time.strftime("%Y-%m-%d %H:%M").translate(MASK)
    if os.environ.get("SHOW_CLOCK"):
        text += time.strftime("%Y-%m-%d %H:%M")
    return text + BASE

{END}"""


def test_one_clock_that_stays_still_does_not_hide_another_that_did_not_run(
    builder: MakeProject,
) -> None:
    project = builder(TWO_CLOCKS)
    assert _lines(project, "--static") == [("sub-day-clock", 6)]
    assert _lines(project) == [("sub-day-clock", 8)]


def test_an_axis_that_was_not_exercised_stays(builder: MakeProject) -> None:
    assert _lines(builder(MASKED, 'rebuilt = "session"')) == [("sub-day-clock", 6)]


def test_another_way_to_another_prompt_stays(builder: MakeProject) -> None:
    sent = """
def send(client, history):
    system = BASE + clock().upper()
    return client.messages.create(model="m", system=system, messages=history)
"""
    assert _lines(builder(MASKED + sent)) == [("sub-day-clock", 6)]


STARTED = f"""\
import time
{BASE}{MASK}
NOW = time.strftime("%Y-%m-%d %H:%M")

def build_prompt():
    return NOW.translate(MASK) + BASE

def other_prompt():
    return BASE

"""


def test_a_clock_of_the_import_is_dropped_for_the_prompt_that_was_built(
    builder: MakeProject,
) -> None:
    project = builder(f"{STARTED}{END}")
    assert _lines(project, "--static") == [("sub-day-clock", 5)]
    assert _lines(project) == []


def test_a_clock_of_the_import_says_nothing_of_other_prompts(builder: MakeProject) -> None:
    assert _lines(builder(f"{STARTED}build = other_prompt\n")) == [("sub-day-clock", 5)]


def test_a_second_clock_that_moves_keeps_the_first(builder: MakeProject) -> None:
    # Both print the same text, so that nothing tells them apart.
    assert ("sub-day-clock", 6) in _lines(builder(MASKED_AND_MOVING))


def test_what_moves_is_still_one_finding(builder: MakeProject) -> None:
    source = f"import time\n{BASE}def build_prompt():\n    return time.ctime() + BASE\n{END}"
    assert _lines(builder(source)) == [("sub-day-clock", 4)]


MADE_ELSEWHERE = {
    "a clock that is named": (
        "import time\nfrom datetime import datetime\n"
        f"{BASE}def build_prompt():\n    now = datetime.now()\n"
        "    stamp = now.strftime('%H:%M')\n    return stamp + '\\n' + BASE\n",
        ("sub-day-clock", 5),
    ),
    "a clock of a helper": (
        f"from datetime import datetime\n{BASE}def now():\n    return datetime.now()\n\n"
        "def build_prompt():\n    return f'{now():%H:%M}' + '\\n' + BASE\n",
        ("sub-day-clock", 4),
    ),
    "a set that a helper joins": (
        f"{BASE}def names():\n    return {{'read', 'write', 'list', 'search'}}\n\n"
        "def shown(items):\n    return ', '.join(items)\n\n"
        "def build_prompt():\n    return shown(names()) + '\\n' + BASE\n",
        ("unordered-set", 6),
    ),
    "a choice": (
        f"import random\n{BASE}TIPS = ['Read first.', 'Ask first.', 'Plan first.', 'Wait.']\n"
        "def build_prompt():\n    tip = random.choice(TIPS)\n    return tip + '\\n' + BASE\n",
        ("random-content", 5),
    ),
}


@pytest.mark.parametrize("name", MADE_ELSEWHERE)
def test_a_line_and_the_call_that_it_came_from_are_one_finding(
    builder: MakeProject, name: str
) -> None:
    source, expected = MADE_ELSEWHERE[name]
    assert _lines(builder(source + END)) == [expected]


def test_which_call_made_which_line_is_not_guessed(builder: MakeProject) -> None:
    source = (
        f"from datetime import datetime\n{BASE}def build_prompt(late=False):\n"
        "    now = datetime.now()\n    then = datetime.now()\n"
        "    stamp = then.strftime('%H:%M')\n"
        "    return (now.strftime('%H') if late else '') + stamp + '\\n' + BASE\n"
    )
    assert ("sub-day-clock", 6) in _lines(builder(source + END))


@pytest.mark.parametrize("fault", ["raise SystemExit(3)", "return None"])
def test_a_builder_that_fails_proves_nothing(builder: MakeProject, fault: str) -> None:
    project = builder(MASKED + f"\ndef broken():\n    clock()\n    {fault}\n")
    project.write("promptlint.toml", '[[prompt]]\nname = "coder"\nbuilder = "agent.py:broken"\n')
    code, result = project.json("check", "agent.py")
    assert code == 2
    assert [finding["line"] for finding in result["findings"]] == [6]
