"""Each change of the world changes what it should, and nothing else."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from promptlint.builders.git import run_git
from promptlint.builders.settings import default_base_time
from promptlint.worlds.world import Edit, EditKind, World
from tests.builders.project import Project

EVERYTHING = """
import datetime, getpass, json, locale, os, pathlib, platform, pwd, random, secrets, socket
import subprocess, sys, tempfile, time, uuid

AT_IMPORT = {"clock": str(datetime.datetime.now()), "id": str(uuid.uuid4()), "pid": os.getpid()}

def shell(command):
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout

def build(world):
    return {
        "clock": [
            str(datetime.datetime.now()), str(datetime.date.today()), time.ctime(), time.time(),
            time.strftime("%x %X"), time.time_ns(), datetime.datetime.utcnow().isoformat(),
            time.asctime(), time.gmtime()[:6], time.clock_gettime(time.CLOCK_REALTIME),
            shell("date +%s"),
        ],
        "identifiers": [
            str(uuid.uuid4()), secrets.token_hex(), secrets.randbelow(10**9), os.urandom(8).hex(),
            random.random(), random.Random().random(), random.SystemRandom().random(), os.getpid(),
            os.getppid(), tempfile.mktemp(), world.session_id, random.choice(range(10**9)),
            str(uuid.uuid1())[-17:],
        ],
        "hash_seed": [list({"read", "write", "edit", "shell", "search", "fetch", "plan", "ask"})],
        "listing": [
            os.listdir("."), [p.name for p in pathlib.Path("skills").iterdir()],
            [p.name for p in pathlib.Path("skills").glob("*")],
            [d for _, d, _ in os.walk("skills")], [e.name for e in os.scandir("skills")],
            [p.name for p in pathlib.Path("skills").rglob("*")],
        ],
        "tool_order": [tool["name"] for tool in world.tools],
        "user": [
            os.environ["HOME"], str(pathlib.Path.home()), getpass.getuser(),
            os.path.expanduser("~"),
            pwd.getpwuid(os.getuid()).pw_name, shell("whoami"), shell("echo $USER ~"), world.user,
            world.home,
        ],
        "machine": [
            socket.gethostname(), platform.node(), platform.release(), os.uname().nodename,
            os.getcwd(), str(pathlib.Path.cwd()), shell("hostname"), shell("pwd"),
            shell("uname -n"), os.environ["LANG"], world.workspace, shell("uname -a"),
        ],
        "git": [shell("git log --format=%s"), shell("git status -sb"), shell("git branch")],
        "turn": world.user_message,
        "step": [world.step],
        "edits": [pathlib.Path("AGENTS.md").read_text(), pathlib.Path("~/.agent/MEMORY.md")
                  .expanduser().read_text()],
        "import": AT_IMPORT,
        "python": [sys.argv[0][-8:], sys.version, __name__, __file__],
    }
"""

OPTIONS: dict[str, Any] = {
    "workspace": "work",
    "home": "house",
    "tools": [{"name": "read"}, {"name": "write"}],
    "scratch": Path(tempfile.gettempdir(), f"promptlint-{os.getpid()}"),
    "base_time": default_base_time(),
}


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    project = Project(tmp_path_factory.mktemp("everything"))
    project.write("agent.py", EVERYTHING)
    project.write("work/AGENTS.md", "Be kind.\n")
    project.write("work/skills/one/SKILL.md", "One.\n")
    project.write("work/skills/two/SKILL.md", "Two.\n")
    project.write("house/.agent/MEMORY.md", "Likes tea.\n")
    run_git(project.path / "work", "init", "-q", "-b", "main")
    run_git(project.path / "work", "add", "-A")
    author = ("-c", "user.name=Robin", "-c", "user.email=robin@example.org")
    run_git(project.path / "work", *author, "commit", "-q", "-m", "First")
    yield project
    project.check_untouched()


@pytest.fixture(scope="module")
def base(everything: Project) -> Any:
    """What the builder gives in the base world."""
    return everything.ask(**OPTIONS)[0].value


def moved(before: Any, after: Any) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def test_twin_processes_agree_to_the_byte(everything: Project, base: Any) -> None:
    with everything.process(**OPTIONS) as process:
        assert process.ask([World()])[0].value == base
        assert process.ask([World()])[0].value == base


CHANGES = {
    "clock": (World(clock=61), {"clock"}),
    "identifiers": (World(identifiers=1), {"identifiers"}),
    "listing": (World(listing=1), {"listing"}),
    "tool order": (World(tool_order=1), {"tool_order"}),
    "git": (World(git=1), {"git"}),
    "turn": (World(turn=1), {"turn"}),
    "query": (World(query=1), {"turn"}),
    "step": (World(step=1), {"step"}),
    "workspace": (
        World(edits=(Edit("workspace", "AGENTS.md", EditKind.EDIT, "m1"),)),
        {"edits", "git"},
    ),
    "home": (World(edits=(Edit("home", ".agent/MEMORY.md", EditKind.EDIT, "m2"),)), {"edits"}),
    "created": (
        World(edits=(Edit("workspace", "skills/zoo/SKILL.md", EditKind.CREATE, "m3"),)),
        {"listing", "git"},
    ),
    "removed": (
        World(edits=(Edit("workspace", "skills/two", EditKind.REMOVE),)),
        {"listing", "git"},
    ),
}


def test_every_change_within_a_process(everything: Project, base: Any) -> None:
    with everything.process(**OPTIONS) as process:
        for name, (world, expected) in CHANGES.items():
            assert moved(base, process.ask([world])[0].value) == expected, name
        assert process.ask([World()])[0].value == base


STARTS = {
    "hash_seed": (World(hash_seed=3), {"hash_seed"}),
    "user": (World(user=1), {"user"}),
    "machine": (World(machine=1), {"machine", "clock", "import"}),
    "clock": (World(clock=86400), {"clock", "import"}),
    "identifiers": (World(identifiers=1), {"identifiers", "import"}),
    "listing": (World(listing=1), {"listing"}),
    "git": (World(git=1), {"git"}),
}


@pytest.mark.parametrize("axis", STARTS)
def test_every_change_of_a_new_process(everything: Project, base: Any, axis: str) -> None:
    """It moves what it should, by every way to ask for it, and nothing else."""
    world, expected = STARTS[axis]
    changed: Any = everything.ask(world=world, **OPTIONS)[0].value
    assert moved(base, changed) == expected
    assert [old for old, new in zip(base[axis], changed[axis], strict=True) if old == new] == []


def test_calls_of_one_ask_follow_the_worlds(everything: Project) -> None:
    edit = Edit("workspace", "AGENTS.md", EditKind.EDIT, "marker")
    worlds = (World(), World(clock=1, edits=(edit,)), World(clock=2, git=1), World(turn=1))
    with everything.process(**OPTIONS) as process:
        answers = [answer.value for answer in process.ask(worlds)]
    texts = [value["edits"][0] for value in answers]  # type: ignore[index, call-overload]
    assert texts == ["Be kind.\n", "Be kind. marker\n- marker\n", "Be kind.\n", "Be kind.\n"]


LATE = """
import os, sys
def build():
    late = "slow" in sys.modules
    import slow
    return [late, slow.NUMBER, open(slow.FILE).read()]
"""


def test_late_imports_are_learned(project: Project) -> None:
    project.write("agent.py", LATE)
    slow = "import random, os\nNUMBER = random.random()\nFILE = os.path.expanduser('~/slow')\n"
    project.write("slow.py", slow + "open(FILE, 'w').write('written')\n")
    with project.process() as process:
        assert not process.learn()
        before = process.ask([World()])[0].value
        assert process.learn()
        after = [process.ask([World()])[0].value for _ in range(2)]
        assert not process.learn()
    assert isinstance(before, list)
    assert before[0] is False
    assert after == [[True, *before[1:]]] * 2


def test_late_imports_that_start_threads_are_not_learned(project: Project) -> None:
    project.write("agent.py", LATE)
    text = "import threading, time\nNUMBER, FILE = 1, __file__\n"
    thread = "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
    project.write("slow.py", text + thread)
    with project.process() as process:
        before = process.ask([World()])[0]
        assert not process.learn()
        after = process.ask([World()])[0]
    assert before.value == after.value
    assert after.fresh_process == ""
