"""Tools whose order nothing settles: shown, sorted by their names, and clean afterwards."""

import pytest

from tests.project import Project, tree

BASE = 'BASE = "You are a careful agent. " * 90\n'
CALL = "    return client.messages.create(system=BASE, messages=history, tools={tools})  # é\n"

COMPLETED = f"""\
from concurrent.futures import as_completed
{BASE}
def describe(server):
    return {{"type": "function", "function": {{"name": server.name, "parameters": {{}}}}}}

def call(client, history, pool, servers):
    tools = []
    for future in as_completed([pool.submit(describe, server) for server in servers]):
        tools.append(future.result())
{CALL}"""
AWAITED = f"""\
import asyncio
{BASE}
async def call(client, history, servers):
    tools = []
    for task in asyncio.as_completed([server.list_tools() for server in servers]):
        for tool in await task:
            tools.append({{"name": tool.name, "input_schema": tool.schema}})
{CALL}"""
OBJECTS = f"""\
from dataclasses import dataclass
{BASE}
@dataclass(frozen=True)
class Tool:
    name: str

READ, WRITE = Tool("read"), Tool("write")

def call(client, history):
    tools = {{READ, WRITE}}
{CALL}"""
FUNCTIONS = f"""\
{BASE}
def read(path): ...
def write(path): ...

def call(client, history):
{CALL}"""
HELPER = f"""\
{BASE}
def tools_of(plugins):
    return [{{"name": plugin.name, "input_schema": plugin.schema}} for plugin in plugins]

def call(client, history, plugins: set):
{CALL}"""
REQUEST = f"""\
{BASE}
def call(client, history, plugins: set):
    tools = [
        {{"name": plugin.name, "description": plugin.doc, "parameters": {{}}}} for plugin in plugins
    ]
    request = {{"model": "m", "system": BASE, "messages": history, "tools": {{tools}}}}
    return client.messages.create(**request)
"""
TEXTS = f"""\
import random
{BASE}
def call(client, history):
    names = ["read", "write"]
    random.shuffle(names)
{CALL}"""

BY_NAME = 'key=lambda tool: tool["name"]'
BY_FUNCTION = 'key=lambda tool: tool["function"]["name"]'
UNSAFE = {
    "as completed": (COMPLETED, "tools", f"sorted(tools, {BY_FUNCTION})"),
    "awaited as completed": (AWAITED, "tools", f"sorted(tools, {BY_NAME})"),
    "set of objects": (OBJECTS, "list(tools)", "sorted(tools, key=lambda tool: tool.name)"),
    "unpacked set": (OBJECTS, "[*tools]", "sorted([*tools], key=lambda tool: tool.name)"),
    "set of functions": (
        FUNCTIONS,
        "list({read, write})",
        "sorted({read, write}, key=lambda tool: tool.__name__)",
    ),
    "helper": (HELPER, "tools_of(plugins)", f"sorted(tools_of(plugins), {BY_NAME})"),
    "joined lists": (AWAITED, "[] + tools", f"sorted([] + tools, {BY_NAME})"),
    "request": (REQUEST, "tools", f"sorted(tools, {BY_NAME})"),
    "texts": (TEXTS, "names", "sorted(names)"),
}


def _orders(project: Project) -> list[str]:
    _, result = project.json("check", ".", "--static")
    rules = {"unordered-set", "completion-order", "random-content", "nondeterministic-prompt"}
    return [finding["rule"] for finding in result["findings"] if finding["rule"] in rules]


@pytest.mark.parametrize("name", UNSAFE)
def test_tools_are_sorted_by_name_when_asked_for(project: Project, name: str) -> None:
    source, before, after = UNSAFE[name]
    old, new = source.replace("{tools}", before), source.replace("{tools}", after)
    path = project.write("agent.py", old)
    assert _orders(project)
    project.fix("check", ".", "--static", "--fix")
    assert path.read_text("utf-8") == old
    _, diff, _ = project.run("check", ".", "--static", "--unsafe-fixes", "--diff")
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in "+++---"]
    assert [line[1:] for line in changed] == [
        next(line for line in text.splitlines() if line not in other.splitlines())
        for text, other in ((old, new), (new, old))
    ]
    project.fix("check", ".", "--static", "--unsafe-fixes")
    assert path.read_text("utf-8") == new
    assert _orders(project) == []
    before_again = tree(project.folder)
    project.fix("check", ".", "--static", "--unsafe-fixes")
    assert tree(project.folder) == before_again


NAMED = """\
TABLE = {"read": {"name": "read"}, "write": {"name": "write"}}

def call(client, history):
    enabled = {"read", "write"}
    tools = [TABLE[name] for name in enabled]
"""


def test_a_set_of_names_is_sorted_where_it_is_walked(project: Project) -> None:
    path = project.write("agent.py", BASE + NAMED + CALL.replace("{tools}", "tools"))
    assert _orders(project) == ["unordered-set"]
    project.fix("check", ".", "--static", "--fix")
    assert "[TABLE[name] for name in sorted(enabled)]" in path.read_text("utf-8")
    assert _orders(project) == []


UNFIXED = {
    "what a set of unknown things holds": "def call(client, history, plugins):\n"
    "    tools = [plugin.schema for plugin in set(plugins)]\n",
    "unknown shape": "from tools import fetch, search\n\ndef call(client, history):\n"
    "    tools = list({search, fetch})\n",
    "two shapes": "def call(client, history, plugins: set):\n"
    '    tools = [{"name": p.name} for p in plugins] + [{"function": {"name": "x"}}]\n',
    "decorated functions": "@tool\ndef read(path): ...\n\ndef call(client, history):\n"
    "    tools = list({read, read})\n",
    "none where there is no tool": "def call(client, history, plugins: set):\n"
    '    tools = None\n    if plugins:\n        tools = [{"name": p.name} for p in plugins]\n',
}


@pytest.mark.parametrize("name", UNFIXED)
def test_what_has_no_known_name_is_left_alone(project: Project, name: str) -> None:
    text = BASE + UNFIXED[name] + CALL.replace("{tools}", "tools")
    path = project.write("agent.py", text)
    assert _orders(project) == ["unordered-set"]
    project.fix("check", ".", "--static", "--unsafe-fixes")
    assert path.read_text("utf-8") == text


def test_a_parameter_is_left_to_its_callers(project: Project) -> None:
    wrapper = f"{BASE}\ndef send(client, history, tools=None):\n" + CALL.replace("{tools}", "tools")
    caller = (
        "\ndef call(client, history, plugins: set):\n"
        '    found = [{"name": p.name, "input_schema": {}} for p in plugins]\n'
        "    return send(client, history, tools=found)\n"
    )
    path = project.write("agent.py", wrapper + caller)
    project.fix("check", ".", "--static", "--unsafe-fixes")
    assert wrapper in path.read_text("utf-8")


SETTLED = {
    "a list": '    tools = [{"name": "b"}, {"name": "a"}]\n',
    "sorted in place": '    tools = [{"name": p} for p in {"a", "b"}]\n'
    '    tools.sort(key=lambda tool: tool["name"])\n',
    "a list made anew in a loop over a set": "    tools = []\n"
    "    for name in {'a', 'b'}:\n        tools = []\n"
    '        tools.append({"name": "c"})\n',
}


@pytest.mark.parametrize("name", SETTLED)
def test_a_settled_order_is_no_fault(project: Project, name: str) -> None:
    source = f"{BASE}\ndef call(client, history):\n{SETTLED[name]}"
    project.write("agent.py", source + CALL.replace("{tools}", "tools"))
    assert _orders(project) == []


def test_a_sorted_walk_of_a_set_is_no_fault(project: Project) -> None:
    project.write(
        "agent.py",
        f"{BASE}\ndef system_prompt(names: set[str]):\n"
        '    return ", ".join(sorted(f"- {name}" for name in names)) + BASE\n',
    )
    assert _orders(project) == []
