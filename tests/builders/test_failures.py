"""Each way to fail: one clear line, the user's own traceback, and nothing left behind."""

import sys

import pytest

from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.process import BuilderProcess
from promptlint.builders.start import TOO_OLD
from promptlint.worlds.world import Edit, EditKind, World
from tests.builders.project import Project

MEGABYTE = 1 << 20


def failure(project: Project, source: str, **options: object) -> BuilderError:
    project.write("agent.py", source)
    with pytest.raises(BuilderError) as caught:
        project.ask(**options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return caught.value


CALLS = {
    "raised": (
        "raise ValueError('no model\\nsecond line')",
        FailureKind.RAISED,
        "raised ValueError: no model second line",
    ),
    "broken message": (
        "raise type('Bad', (Exception,), {'__str__': lambda self: 1 / 0})()",
        FailureKind.RAISED,
        "raised agent.Bad: <exception str() failed>",
    ),
    "none": ("return None", FailureKind.NONE, "returned None"),
    "bytes": ("return b'You are.'", FailureKind.BYTES, "returned bytes"),
    "exit": ("import sys; sys.exit(3)", FailureKind.EXITED, "called sys.exit(3)"),
    "hard exit": (
        "import os; os._exit(3)",
        FailureKind.EXITED,
        "ended its process with status 3",
    ),
    "signal": (
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        FailureKind.EXITED,
        "was killed by SIGTERM",
    ),
    "crash": (
        "import ctypes; ctypes.string_at(0)",
        FailureKind.EXITED,
        "was killed by SIGSEGV",
    ),
    "recursion": (
        "return build()",
        FailureKind.RECURSION,
        "called itself without end (RecursionError)",
    ),
    "memory": ("return 'x' * (1 << 32)", FailureKind.MEMORY, "ran out of memory"),
    "interrupt": (
        "raise KeyboardInterrupt",
        FailureKind.RAISED,
        "raised KeyboardInterrupt",
    ),
    "deep": (
        "x = []\n    for _ in range(99): x = [x]\n    return x",
        FailureKind.UNSUPPORTED,
        "returned data nested deeper than 40 levels",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_fails(project: Project, name: str) -> None:
    source, kind, cause = CALLS[name]
    error = failure(project, f"def build():\n    {source}\n", memory=512 * MEGABYTE)
    assert str(error) == f"agent.py:build: {cause}"
    assert error.kind is kind


IMPORTS = {
    "missing package": (
        "import no_such_package",
        FailureKind.IMPORT,
        "raised ModuleNotFoundError: No module named 'no_such_package' in {python}",
    ),
    "raised": ("1 / 0", FailureKind.IMPORT, "raised ZeroDivisionError: division by zero"),
    "syntax": (
        "def build(:",
        FailureKind.IMPORT,
        "raised SyntaxError: invalid syntax",
    ),
    "exit": ("import sys; sys.exit('no key')", FailureKind.EXITED, "called sys.exit('no key')"),
    "hard exit": (
        "import os; os._exit(0)",
        FailureKind.EXITED,
        "ended its process with status 0",
    ),
    "key": ("import os; os.environ['MODEL_ID']", FailureKind.IMPORT, "raised KeyError: 'MODEL_ID'"),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_an_import_that_fails(project: Project, name: str) -> None:
    source, kind, cause = IMPORTS[name]
    error = failure(project, source)
    line = cause.format(python=sys.executable)
    assert str(error) == f"agent.py:build: {line} while its module was imported"
    assert error.kind is kind


def test_a_module_that_is_not_found(project: Project) -> None:
    with pytest.raises(BuilderError) as caught:
        project.ask(target="agents.prompt:build")
    line = f"no module agents in {project.path}"
    assert str(caught.value).startswith(f"agents.prompt:build: {line}")
    assert caught.value.kind is FailureKind.NOT_FOUND


def test_a_module_that_lacks_an_import_of_its_own_package(project: Project) -> None:
    project.write("agent/__init__.py", "")
    project.write("agent/prompt.py", "import agent.missing")
    with pytest.raises(BuilderError) as caught:
        project.ask(target="agent.prompt:build")
    assert "No module named 'agent.missing'" in str(caught.value)
    assert caught.value.kind is FailureKind.IMPORT


def test_the_traceback_is_the_users_own(project: Project) -> None:
    source = """
    def inner(): raise ValueError("no model")
    def build():
        try:
            inner()
        except ValueError as error:
            open("/none").read()
    """
    text = failure(project, source).traceback
    assert "promptlint" not in text
    assert f'File "{project.path}/agent.py", line 7, in build' in text
    assert f'File "{project.path}/agent.py", line 2, in inner' in text
    assert text.endswith("FileNotFoundError: [Errno 2] No such file or directory: '/none'\n")


def test_a_long_traceback_is_cut(project: Project) -> None:
    error = failure(project, "def build(): raise ValueError('x' * 100_000)")
    assert len(error.traceback) < 7000


def test_the_end_of_what_was_printed_is_kept(project: Project) -> None:
    source = """
    import os, sys
    def build():
        print("x" * 1_000_000, flush=True)
        print("warning: no model", file=sys.stderr)
        os.system("echo from a child")
        raise ValueError
    """
    printed = failure(project, source).output
    assert printed.endswith("warning: no model\nfrom a child\n")
    assert len(printed) == 4000


HANGS = {
    "loop": "while True: pass",
    "sleep": "import time; time.sleep(1000)",
    "deaf": (
        "import signal, time\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    time.sleep(1000)"
    ),
    "child": "import subprocess; subprocess.run(['sleep', '1000'])",
    "daemon": (
        "import os, time\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork(): os._exit(0)\n"
        "    time.sleep(1000)"
    ),
}


@pytest.mark.parametrize("name", HANGS)
def test_a_call_that_hangs(project: Project, name: str) -> None:
    error = failure(project, f"def build():\n    {HANGS[name]}\n", timeout=0.4)
    assert str(error) == "agent.py:build: gave no answer in 0.4 s"
    assert error.kind is FailureKind.HANGS
    assert f'File "{project.path}/agent.py", line' in error.traceback
    assert "promptlint/builders" not in error.traceback


def test_an_import_that_hangs(project: Project) -> None:
    error = failure(project, "while True: pass", import_timeout=0.4)
    assert str(error) == "agent.py:build: gave no answer in 0.4 s while its module was imported"


def test_a_missing_interpreter(project: Project) -> None:
    error = failure(project, "", python="none/bin/python")
    assert str(error) == f"python: no file {project.path}/none/bin/python"
    assert error.kind is FailureKind.INTERPRETER


def test_an_interpreter_that_is_no_program(project: Project) -> None:
    project.write("python", "")
    error = failure(project, "", python="python")
    assert str(error).startswith(f"{project.path}/python cannot be started: [Errno 13]")
    assert error.kind is FailureKind.INTERPRETER


def test_an_interpreter_that_is_too_old(project: Project) -> None:
    python = project.write("python", f"#!/bin/sh\nexit {TOO_OLD}\n")
    python.chmod(0o755)
    error = failure(project, "", python="python")
    assert str(error) == f"agent.py:build: {project.path}/python is older than Python 3.9"


def test_tools_that_are_no_list(project: Project) -> None:
    error = failure(project, "", tools={"read": {}})
    assert str(error) == "tools: neither a list nor the name of a target"


def test_a_missing_workspace(project: Project) -> None:
    error = failure(project, "", workspace="none")
    assert str(error) == f"workspace: no folder {project.path}/none"


def test_a_failure_in_one_world_leaves_the_process_usable(project: Project) -> None:
    project.write("agent.py", "def build(): return open('AGENTS.md').read()")
    project.write("work/AGENTS.md", "Be kind.")
    removed = World(edits=(Edit("workspace", "AGENTS.md", EditKind.REMOVE),))
    with project.process(workspace="work") as process:
        with pytest.raises(BuilderError, match="FileNotFoundError"):
            process.ask([removed])
        assert process.ask([World()])[0].value == "Be kind."


def test_a_dead_process_is_started_again(project: Project) -> None:
    source = """
    import os
    def build(world):
        if world.turn: os._exit(1)
        return "alive"
    """
    project.write("agent.py", source)
    with project.process() as process:
        with pytest.raises(BuilderError, match="ended its process with status 1"):
            process.ask([World(), World(turn=1)])
        assert process.ask([World()])[0].value == "alive"


def test_another_process_is_needed_for_another_hash_seed(project: Project) -> None:
    project.write("agent.py", "def build(): return 'x'")
    with project.process() as process, pytest.raises(ValueError, match="another hash_seed"):
        process.ask([World(hash_seed=1)])


def test_settings_serve_one_process_at_a_time(project: Project) -> None:
    project.write("agent.py", "def build(): return 'x'")
    with project.process() as process:
        with pytest.raises(RuntimeError, match="is in use"), BuilderProcess(process.settings):
            raise AssertionError
        assert process.ask([World()])[0].value == "x"
