"""What a builder may not do, whatever it tries; and what it may."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from promptlint.builders import start
from promptlint.builders.error import BuilderError
from promptlint.worlds.world import World
from tests.builders.project import Project, processes_of

START = Path(start.__file__)

# Each writes to PATH, a file that does not exist, or changes FILE, which does.
WRITES = {
    "open": "open(PATH, 'w')",
    "append": "open(FILE, 'a')",
    "os.open": "os.open(PATH, os.O_CREAT | os.O_WRONLY)",
    "mkdir": "os.mkdir(PATH)",
    "makedirs": "os.makedirs(PATH + '/a')",
    "relative": "os.chdir(FOLDER), open('new', 'w')",
    "folder descriptor": "os.mkdir('new', dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "through a link": "os.symlink(FOLDER, 'link'), open('link/new', 'w')",
    "rename": "os.rename(FILE, PATH)",
    "rename away": "os.rename(FILE, 'mine')",
    "remove": "os.remove(FILE)",
    "truncate": "os.truncate(FILE, 0)",
    "chmod": "os.chmod(FILE, 0)",
    "utime": "os.utime(FILE, (0, 0))",
    "symlink": "os.symlink('x', PATH)",
    "hard link": "os.link(FILE, PATH)",
    "hard link to write": "os.link(FILE, 'mine'), open('mine', 'w')",
    "sqlite": "sqlite3.connect(PATH).execute('create table t (a)').connection.commit()",
    "ctypes": "libc.creat(PATH.encode(), 0o644) >= 0 or refuse()",
    "child": "subprocess.run(['touch', PATH], check=True)",
    "child's times": "subprocess.run(['touch', FILE], check=True)",
    "child's modes": "subprocess.run(['chmod', '0', FILE], check=True)",
    "shell": "os.system(f'echo x > {PATH}') == 0 or refuse()",
    "python child": "subprocess.run([sys.executable, '-c', f'open({PATH!r}, \"w\")'], check=True)",
    "fork": "os.fork() or (libc.creat(PATH.encode(), 0o644), os._exit(0)), os.wait(), refuse()",
    "copy": "shutil.copy(FILE, PATH)",
    "mount": "libc.mount(b'x', FOLDER.encode(), b'tmpfs', 0, None) == 0 or refuse()",
    "the home of the user": f"open({str(Path.home())!r} + '/promptlint-test', 'w')",
    "the system": "open('/tmp/promptlint-test-file', 'w')",
}

SOURCE = """
import ctypes, os, shutil, sqlite3, subprocess, sys
libc = ctypes.CDLL(None)
FOLDER = os.path.dirname(os.path.abspath(ORIGINAL))
PATH, FILE = FOLDER + "/new", FOLDER + "/AGENTS.md"

def refuse(): raise PermissionError("refused")

def build():
    done = []
    for name, text in WRITES.items():
        try:
            eval(text)
        except (OSError, sqlite3.Error, subprocess.CalledProcessError):
            os.chdir(WORK)
            continue
        done.append(name)
    return done
WORK = os.getcwd()
"""


@pytest.fixture
def server() -> Iterator[int]:
    """A server on this machine: its port. It must never be reached."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


NETWORK = """
import socket, subprocess, sys, urllib.request
UDP = socket.socket(type=socket.SOCK_DGRAM)

def attempt(function):
    try:
        return repr(function())
    except OSError as error:
        return "refused"

def build():
    return {
        "tcp": attempt(lambda: socket.create_connection(("127.0.0.1", PORT), 1)),
        "outside": attempt(lambda: socket.create_connection(("192.0.2.1", 80), 1)),
        "names": attempt(lambda: socket.getaddrinfo("example.org", 80)),
        "udp": attempt(lambda: UDP.sendto(b"x", ("192.0.2.1", 9))),
        "http": attempt(lambda: urllib.request.urlopen(f"http://127.0.0.1:{PORT}", timeout=1)),
        "unix": attempt(lambda: socket.socket(socket.AF_UNIX).connect("/run/docker.sock")),
        "child": subprocess.run([sys.executable, "-c",
            f"import socket; socket.create_connection(('127.0.0.1', {PORT}), 1)"],
            stderr=subprocess.DEVNULL).returncode,
    }
"""


def attempts(project: Project) -> str:
    original = str(project.path / "agent.py")
    return f"ORIGINAL = {original!r}\nWRITES = {json.dumps(WRITES)}\n{SOURCE}"


@pytest.mark.parametrize("workspace", [None, "work"])
def test_nothing_outside_the_copies_can_be_written(project: Project, workspace: str | None) -> None:
    project.write("AGENTS.md", "Be kind.")
    project.write("work/notes.txt", "A note.")
    assert project.build(attempts(project), workspace=workspace) == []
    assert not Path("/tmp/promptlint-test-file").exists()


def test_without_namespaces_landlock_holds_all_but_modes_and_times(project: Project) -> None:
    project.write("AGENTS.md", "Be kind.")
    harmless = {k: v for k, v in WRITES.items() if not k.startswith("child's")}
    text = attempts(project).replace(json.dumps(WRITES), json.dumps(harmless))
    project.write("agent.py", text)
    settings = project.settings()
    run = f"""
from pathlib import Path
from promptlint.builders.process import BuilderProcess
from promptlint.builders.settings import BuilderSettings
from promptlint.worlds.world import World
settings = BuilderSettings("agent.py:build", Path({str(settings.base)!r}))
with BuilderProcess(settings) as process:
    answer = process.ask([World()])[0]
print(answer.value, *answer.isolation, sep="|")
"""
    forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"'
    done = subprocess.run(
        ["unshare", "-r", "sh", "-c", forbid, sys.executable, "-c", run],
        capture_output=True,
        text=True,
        check=True,
    )
    value, *means = done.stdout.strip().split("|")
    assert value == "[]"
    assert means[0].startswith("landlock")


def test_the_audit_hooks_alone_hold_python_code(
    project: Project, server: int, tmp_path: Path
) -> None:
    """A system without namespaces and Landlock: what the process itself does is still refused."""
    project.write("AGENTS.md", "Be kind.")
    project.settings()
    beyond_python = ("ctypes", "sqlite", "child", "shell", "python child", "fork", "mount")
    held = {k: v for k, v in WRITES.items() if not k.startswith(beyond_python)}
    text = attempts(project).replace(json.dumps(WRITES), json.dumps(held))
    run = f"""
import importlib.util, os, sys
spec = importlib.util.spec_from_file_location("start", {str(START)!r})
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
start.load("worker")
from _promptlint_worker import audit, guard
PORT = {server}
audit.install(guard.Guard([os.getcwd()], False, False).handlers())
{text}
print(build())
{NETWORK}
found = build()
found.pop("child")
print(set(found.values()))
"""
    folder = tmp_path / "scratch"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", run], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n{'refused'}\n"


def test_the_copies_can_be_written_and_are_put_back(project: Project) -> None:
    project.write("work/notes.txt", "A note.")
    project.write("work/folder/old.txt", "old")
    project.write("house/.agent/MEMORY.md", "Likes tea.")
    source = """
    import os, pathlib, shutil, sqlite3, subprocess, tempfile, time
    home = pathlib.Path.home()
    (home / "imported").write_text("kept")
    def listing(): return sorted(os.path.join(d, f) for top in (".", home, tempfile.gettempdir())
                                 for d, ds, fs in os.walk(top) for f in ds + fs)
    def build():
        found = [listing(), pathlib.Path("notes.txt").read_text(),
                 (home / ".agent/MEMORY.md").read_text(), (home / "imported").read_text(),
                 time.time() - os.stat("notes.txt").st_mtime < 1000]
        pathlib.Path("notes.txt").write_text("changed")
        (home / ".agent" / "MEMORY.md").unlink()
        (home / "imported").write_text("changed")
        shutil.rmtree("folder")
        pathlib.Path("new/deep").mkdir(parents=True)
        pathlib.Path("new/deep/file").write_text("x")
        os.symlink("/", home / "root")
        sqlite3.connect("base.db").execute("create table t (a)").connection.commit()
        subprocess.run("echo x >> notes.txt; mkdir made", shell=True, check=True)
        tempfile.mkstemp()
        return found
    """
    project.write("agent.py", source)
    with project.process(workspace="work", home="house") as process:
        first = process.ask([World()])[0].value
        second = process.ask([World(clock=61)])[0].value
    assert isinstance(first, list)
    assert first == second
    assert first[1:] == ["A note.", "Likes tea.", "kept", True]


def test_what_a_builder_writes_is_there_for_the_next_call_of_the_same_ask(
    project: Project,
) -> None:
    project.write("work/notes.txt", "0")
    source = """
    import pathlib
    def build():
        notes = pathlib.Path("notes.txt")
        notes.write_text(str(int(notes.read_text()) + 1))
        return notes.read_text()
    """
    project.write("agent.py", source)
    answers = project.ask(World(), World(clock=1), workspace="work")
    assert [answer.value for answer in answers] == ["1", "2"]


def test_there_is_no_network(project: Project, server: int) -> None:
    found = project.build(f"PORT = {server}\n{NETWORK}")
    assert found.pop("child") == 1
    assert set(found.values()) == {"refused"}


def test_the_network_can_be_allowed(project: Project, server: int) -> None:
    source = f"""
    import socket
    def build():
        with socket.create_connection(("127.0.0.1", {server}), 5): return "connected"
    """
    assert project.build(source, network=True) == "connected"


def test_a_builder_that_copes_with_a_refusal_goes_on_and_one_that_raises_is_told(
    project: Project,
) -> None:
    source = """
    import urllib.request
    def build():
        urllib.request.urlopen("http://example.org")
    """
    project.write("agent.py", source)
    with pytest.raises(BuilderError, match="promptlint: no network while a prompt is built"):
        project.ask()


def test_a_server_of_its_own_is_allowed(project: Project) -> None:
    source = """
    import multiprocessing, socket
    def connect(port):
        try:
            with socket.create_connection(("127.0.0.1", port), 5): return True
        except OSError: return False
    def build():
        pair = socket.socketpair()
        pair[0].sendall(b"x")
        with multiprocessing.Manager() as manager, socket.create_server(("127.0.0.1", 0)) as own:
            reached = connect(own.getsockname()[1])
            return [pair[1].recv(1).decode(), list(manager.list([1])), reached]
    """
    project.write("agent.py", source)
    answer = project.ask()[0]
    # Without a namespace of its own, 127.0.0.1 would be everybody's.
    assert answer.value == ["x", [1], "network namespace" in answer.isolation]


SECRETS = {
    "OPENAI_API_KEY": "sk-1",
    "GITHUB_TOKEN": "t",
    "AWS_SECRET_ACCESS_KEY": "s",
    "MY_PASSWORD": "p",
    "SSH_AUTH_SOCK": "/x",
    "HTTPS_PROXY": "http://user:pass@host",
    "XDG_CONFIG_HOME": "/home/someone/.config",
    "PYTHONSTARTUP": "/x",
}


def test_secrets_and_personal_variables_are_not_handed_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AGENT_MODE", "careful")
    source = "import os\ndef build(): return dict(os.environ)"
    found = project.build(source, environment={"MODEL_ID": "m"})
    assert SECRETS.keys() & found.keys() == set()
    assert (found["MODEL_ID"], found["AGENT_MODE"]) == ("m", "careful")
    assert (found["USER"], found["HOME"], found["TZ"]) == ("alex", "/home/alex", "UTC")
    assert "promptlint" not in json.dumps({k: v for k, v in found.items() if k != "PATH"})


def test_the_answer_names_the_means(project: Project) -> None:
    project.write("agent.py", "def build(): return 'x'")
    means = project.ask()[0].isolation
    assert means[-2:] == ("memory limit", "audit hooks")


def test_no_trace_of_us_is_seen(project: Project) -> None:
    source = """
    import sys, os
    def build():
        print("noise")
        return [sys.path, sys.argv, list(sys.modules), os.getcwd(), sys.flags.isolated,
                [os.path.realpath(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")]]
    """
    path, arguments, modules, _folder, isolated, _files = project.build(source)
    assert [entry for entry in path if "promptlint" in entry and "project" not in entry] == []
    assert path[0] == str(project.path)
    assert arguments == [str(project.path / "agent.py")]
    assert isolated == 0
    assert not any(name.startswith("promptlint") for name in modules)


STARTED: dict[str, Any] = {
    "thread at import": (
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
        "def build(): return 'built'"
    ),
    "pool at import": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "POOL = ThreadPoolExecutor(2)\n"
        "POOL.submit(int).result()\n"
        "def build(): return POOL.submit(str, 'built').result()"
    ),
    "child at import": (
        "import subprocess\n"
        "CHILD = subprocess.Popen(['sleep', '1000'])\n"
        "def build(): return 'built' if CHILD.poll() is None else 'child died'"
    ),
    "daemon of the call": (
        "import subprocess\n"
        "def build():\n"
        "    subprocess.run('setsid sleep 1000 & setsid sleep 1001 &', shell=True)\n"
        "    return 'built'"
    ),
    "pool of processes": (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "def build():\n"
        "    return ProcessPoolExecutor(2).submit(str, 'built').result()"
    ),
    "fork that returns": ("import os\ndef build():\n    os.fork()\n    return 'built'"),
    "fork that raises": (
        "import os\n"
        "def build():\n"
        "    if os.fork() == 0: raise ValueError\n"
        "    os.wait()\n"
        "    return 'built'"
    ),
    "closed descriptors": ("import os\ndef build():\n    os.closerange(3, 64)\n    return 'built'"),
    "closed output": (
        "import sys\n"
        "def build():\n"
        "    sys.stdout.close()\n"
        "    sys.stderr = None\n"
        "    return 'built'"
    ),
    "noise": (
        "import os, sys\n"
        "print('banner')\n"
        "def build():\n"
        "    os.write(1, b'{\"answer\": 1}' * 100_000)\n"
        "    os.system('yes | head -c 1000000')\n"
        "    return 'built'"
    ),
    "signals": (
        "import os, signal\n"
        "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        "def build():\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return 'built'"
    ),
}


@pytest.mark.parametrize("name", STARTED)
def test_whatever_it_starts_is_ended(project: Project, name: str) -> None:
    project.write("agent.py", STARTED[name])
    with project.process(timeout=10) as process:
        for _ in range(2):
            answer = process.ask([World()])[0]
            assert answer.value == "built"
    assert bool(answer.fresh_process) == name.endswith("at import")


def test_processes_of_one_ask_are_gone_in_the_next(project: Project) -> None:
    source = """
    import pathlib, subprocess
    def build():
        running = [p.read_bytes() for p in pathlib.Path("/proc").glob("[0-9]*/cmdline")]
        subprocess.run("setsid sleep 987 &", shell=True)
        return sum(b"987" in line for line in running)
    """
    project.write("agent.py", source)
    with project.process() as process:
        assert [process.ask([World()])[0].value for _ in range(2)] == [0, 0]


def test_a_fork_that_hangs_is_tried_in_a_fresh_process(project: Project) -> None:
    source = """
    import os
    IMPORTED_IN = os.getpid
    import ctypes
    getpid = ctypes.CDLL(None).getpid
    PID = getpid()
    def build():
        while getpid() != PID: pass
        return "built"
    """
    project.write("agent.py", source)
    answer = project.ask(timeout=1.5)[0]
    assert answer.value == "built"
    assert answer.fresh_process == "a fork of the imported process did not answer"


def test_an_interrupted_caller_leaves_nothing(project: Project) -> None:
    project.write("agent.py", "import time\ndef build(): time.sleep(1000)")
    process = project.process()
    with process:
        ours = threading.get_ident()
        timer = threading.Timer(0.3, signal.pthread_kill, (ours, signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            process.ask([World()])
        timer.join()


def test_a_killed_caller_leaves_no_process(project: Project) -> None:
    source = """
    import pathlib, subprocess, time
    def build():
        subprocess.Popen(["setsid", "sleep", "1000"])
        pathlib.Path("running").touch()
        time.sleep(1000)
    """
    project.write("agent.py", source)
    project.write("work/notes.txt", "")
    settings = project.settings(workspace="work")
    run = f"""
from pathlib import Path
from promptlint.builders.process import BuilderProcess
from promptlint.builders.settings import BuilderSettings
from promptlint.worlds.world import World
settings = BuilderSettings("agent.py:build", Path({str(settings.base)!r}),
    workspace=Path("work"), scratch=Path({str(settings.scratch)!r}))
with BuilderProcess(settings) as process:
    process.ask([World()])
"""
    with subprocess.Popen([sys.executable, "-c", run]) as caller:
        while not (settings.scratch / "srv" / "work" / "running").exists():
            time.sleep(0.01)
        assert processes_of(settings.scratch)
        caller.kill()
    while processes_of(settings.scratch):
        time.sleep(0.01)
    shutil.rmtree(settings.scratch)
