"""Each kind of observation, with the line that asked for it."""

import sys
from datetime import UTC, datetime

import pytest

from promptlint.builders.answer import Answer
from promptlint.worlds.observation import Observation, Phase
from promptlint.worlds.world import World
from tests.builders.project import Project

SOURCE = """\
import asyncio, datetime, getpass, glob, os, pathlib, platform, random, secrets
import socket, subprocess, sys, tempfile, time, uuid
from datetime import datetime as moment, date
from time import time as seconds
STARTED = moment.now()
def build():
    now = moment.now()
    f"{now:%H:%M}"
    now.strftime("%d.%m.%Y")
    now.isoformat()
    str(now)
    now.date().strftime("%A")
    date.today()
    time.strftime("%Y")
    time.ctime()
    seconds()
    open("AGENTS.md").read()
    pathlib.Path("notes.txt").read_text()
    (pathlib.Path.home() / ".agent").read_text()
    os.path.exists("MEMORY.md")
    pathlib.Path("skills/one/SKILL.md").is_file()
    try: open("USER.md")
    except FileNotFoundError: pass
    os.listdir(".")
    sorted(pathlib.Path("skills").iterdir())
    glob.glob("*.md")
    list(os.walk("skills"))
    [entry.name for entry in os.scandir()]
    uuid.uuid4()
    secrets.token_hex(4)
    os.urandom(4)
    os.getpid()
    tempfile.mkdtemp()
    random.choice(["tip one", "tip two"])
    random.randint(1, 10**9)
    subprocess.run(["echo", "one two"], capture_output=True)
    subprocess.check_output("echo three", shell=True, text=True)
    os.popen("echo four").read()
    asyncio.run(asynchronous())
    socket.gethostname()
    platform.node()
    os.uname()
    getpass.getuser()
    os.getcwd()
    pathlib.Path.cwd()
    os.environ["LANG"]
    os.getenv("USER")
    os.environ.get("TZ")
    return "prompt"
async def asynchronous():
    made = await asyncio.create_subprocess_exec("echo", "five", stdout=-1)
    await made.communicate()
"""

# kind, key, the beginning of the value, the line
EXPECTED = [
    ("clock", "datetime.now", "2031-05-06T12:10:10.123456", "STARTED = moment.now()"),
    ("clock", "datetime.now", "2031-05-06T12:10:10.123456", "now = moment.now()"),
    ("clock", "%H:%M", "12:10", 'f"{now:%H:%M}"'),
    ("clock", "%d.%m.%Y", "06.05.2031", 'now.strftime("%d.%m.%Y")'),
    ("clock", "isoformat", "2031-05-06T12:10:10.123456", "now.isoformat()"),
    ("clock", "isoformat", "2031-05-06 12:10:10.123456", "str(now)"),
    ("clock", "%A", "Tuesday", 'now.date().strftime("%A")'),
    ("clock", "date.today", "2031-05-06", "date.today()"),
    ("clock", "%Y", "2031", 'time.strftime("%Y")'),
    ("clock", "time.ctime", "Tue May  6 12:10:10 2031", "time.ctime()"),
    ("clock", "time.time", "1935835810.123456", "seconds()"),
    ("file", "workspace:AGENTS.md", "Be kind.", 'open("AGENTS.md").read()'),
    ("file", "workspace:notes.txt", "A note.", 'pathlib.Path("notes.txt").read_text()'),
    ("file", "home:.agent", "settings", '(pathlib.Path.home() / ".agent").read_text()'),
    ("listing", "workspace:.", "AGENTS.md\nnotes.txt\nskills", 'os.listdir(".")'),
    ("listing", "workspace:skills", "one\ntwo", 'sorted(pathlib.Path("skills").iterdir())'),
    ("listing", "workspace:.", "AGENTS.md\nnotes.txt\nskills", 'glob.glob("*.md")'),
    ("listing", "workspace:skills", "one\ntwo", 'list(os.walk("skills"))'),
    ("listing", "workspace:skills/one", "", 'list(os.walk("skills"))'),
    ("listing", "workspace:.", "AGENTS.md\nno", "[entry.name for entry in os.scandir()]"),
    ("identifier", "uuid.uuid4", "", "uuid.uuid4()"),
    ("identifier", "secrets.token_hex", "", "secrets.token_hex(4)"),
    ("identifier", "os.urandom", "", "os.urandom(4)"),
    ("identifier", "os.getpid", "2", "os.getpid()"),
    ("identifier", "tempfile", "", "tempfile.mkdtemp()"),
    ("random", "random.choice", "tip ", 'random.choice(["tip one", "tip two"])'),
    ("random", "random.randint", "", "random.randint(1, 10**9)"),
    (
        "process",
        "echo 'one two'",
        "one two\n",
        'subprocess.run(["echo", "one two"], capture_output=True)',
    ),
    (
        "process",
        "echo three",
        "three\n",
        'subprocess.check_output("echo three", shell=True, text=True)',
    ),
    ("process", "echo four", "four\n", 'os.popen("echo four").read()'),
    ("process", "echo five", "five\n", "await made.communicate()"),
    ("host", "socket.gethostname", "workstation", "socket.gethostname()"),
    ("host", "platform.node", "workstation", "platform.node()"),
    ("host", "os.uname", "posix.uname_result(sysname='Linux', node", "os.uname()"),
    ("host", "getpass.getuser", "alex", "getpass.getuser()"),
    ("host", "os.getcwd", "/srv/work", "os.getcwd()"),
    ("host", "os.getcwd", "/srv/work", "pathlib.Path.cwd()"),
    ("environment", "LANG", "C.UTF-8", 'os.environ["LANG"]'),
    ("environment", "USER", "alex", 'os.getenv("USER")'),
    ("environment", "TZ", "UTC", 'os.environ.get("TZ")'),
]


@pytest.fixture
def workspace(project: Project) -> Project:
    project.write("work/AGENTS.md", "Be kind.")
    project.write("work/notes.txt", "A note.")
    project.write("work/skills/one/README", "")
    project.write("work/skills/two/README", "")
    project.write("house/.agent", "settings")
    return project


def observe(project: Project, source: str) -> Answer:
    project.write("agent.py", source)
    base_time = datetime(2031, 5, 6, 12, 10, 10, 123456, UTC)
    return project.ask(workspace="work", home="house", base_time=base_time)[0]


def test_every_kind_of_observation(workspace: Project) -> None:
    answer = observe(workspace, SOURCE)
    lines = SOURCE.splitlines()
    missing = []
    for kind, key, value, line in EXPECTED:
        number = next(i for i, text in enumerate(lines, 1) if text.strip() == line)
        if not any(
            (found.kind, found.key) == (kind, key)
            and found.value.startswith(value)
            and found.location is not None
            and (found.location.path, found.location.line) == ("agent.py", number)
            for found in answer.observations
        ):
            missing.append((kind, key, value, line))
    assert missing == []
    assert {"workspace:MEMORY.md", "workspace:USER.md", "workspace:skills/one/SKILL.md"} == set(
        answer.looked_for
    )
    assert "agent.py" in [module.shown for module in answer.modules]


def test_phases_calls_and_sequence(workspace: Project) -> None:
    source = "import time\nSTART = time.ctime()\ndef build(): return time.ctime()"
    workspace.write("agent.py", source)
    first, second = workspace.ask(World(), World(clock=60))
    seen = [(o.phase, o.call, o.location and o.location.line) for o in second.observations]
    assert seen == [(Phase.IMPORT, -1, 2), (Phase.CALL, 1, 3)]
    assert [o.call for o in first.observations] == [-1, 0]
    numbers = [o.sequence for o in (*first.observations, second.observations[-1])]
    assert numbers == sorted(set(numbers))


def test_columns_name_the_call(workspace: Project) -> None:
    answer = observe(workspace, "import time\ndef build():\n    return 'at ' + time.ctime()\n")
    (found,) = answer.observations
    assert found.location is not None
    place = found.location
    assert (place.line, place.column, place.end_line, place.end_column) == (3, 20, 3, 32)


def test_the_lines_that_ran_are_known_from_python_3_12_on_and_when_traced(
    workspace: Project,
) -> None:
    source = """\
    import json
    def other(): return 1
    def build(world):
        if world.turn:
            return "later"
        return json.dumps("now")
    """
    workspace.write("agent.py", source)
    first, second = workspace.ask(World(), World(turn=1))
    if sys.version_info < (3, 12):
        assert first.executed is None
        first, second = workspace.ask(World(), World(turn=1), trace=True)
    assert first.executed == {"agent.py": frozenset({1, 2, 3, 4, 6})}
    assert second.executed == {"agent.py": frozenset({1, 2, 3, 4, 5, 6})}


def test_columns_are_characters(workspace: Project) -> None:
    answer = observe(workspace, "import time\ndef build():\n    return 'über ' + time.ctime()\n")
    (found,) = answer.observations
    assert found.location is not None
    assert (found.location.column, found.location.end_column) == (22, 34)


def test_the_library_line_is_told_where_it_is_nearer(workspace: Project) -> None:
    library = "import time\ndef now():\n    return time.ctime()\n"
    workspace.write("venv/lib/site-packages/clocks/__init__.py", library)
    workspace.write("venv/lib/site-packages/clocks-1.dist-info/METADATA", "Name: Clocks\n")
    workspace.write("venv/lib/site-packages/clocks-1.dist-info/RECORD", "clocks/__init__.py,,\n")
    source = """\
    import sys, time
    sys.path.append("venv/lib/site-packages")
    sys.path.append(__file__.replace("agent.py", "venv/lib/site-packages"))
    import clocks
    def build():
        time.ctime()
        return clocks.now()
    """
    near, far = observe(workspace, source).observations
    assert near.location is not None
    assert near.location.line == 6
    assert near.library_location is None
    assert far.location is not None
    assert far.location.line == 7
    assert far.library_location is not None
    assert (far.library_location.path, far.library_location.line) == (
        "Clocks:clocks/__init__.py",
        3,
    )


def test_a_read_in_a_thread_without_a_user_frame_is_kept(workspace: Project) -> None:
    source = """\
    import time
    from concurrent.futures import ThreadPoolExecutor
    def build():
        with ThreadPoolExecutor() as pool:
            return pool.submit(time.ctime).result()
    """
    found: Observation = observe(workspace, source).observations[-1]
    assert (found.key, found.location) == ("time.ctime", None)


def test_observations_are_bounded(workspace: Project) -> None:
    source = """\
    import time
    def build():
        open("big.txt", "w").write("x" * 10_000_000)
        open("big.txt").read()
        for number in range(100_000): time.strftime(f"{number}")
        return "prompt"
    """
    found = observe(workspace, source).observations
    assert len(found) == 4000
    assert max(len(o.value) for o in found) == 65536


def test_a_value_handed_out_again_on_the_same_line_counts_once(workspace: Project) -> None:
    source = "import time\ndef build():\n    for _ in range(9): time.ctime()\n    return 'x'\n"
    assert len(observe(workspace, source).observations) == 1


def test_binary_files_and_package_data_are_no_observations(workspace: Project) -> None:
    workspace.write("work/image.bin", "\0\1")
    source = "def build(): return str(open('image.bin', 'rb').read())\n"
    assert observe(workspace, source).observations == ()
