"""Every shape a builder may return, and every form in which it may be called."""

from typing import Any

import pytest

from promptlint.builders.error import BuilderError
from promptlint.worlds.world import Edit, EditKind, World
from tests.builders.project import Project

SHAPES: dict[str, tuple[str, Any]] = {
    "text": ("'You are.'", "You are."),
    "dict": ("{'a': 'x', 1: None}", {"a": "x", "1": None}),
    "list": ("[{'role': 'system', 'content': 'x'}]", [{"role": "system", "content": "x"}]),
    "tuple": ("('static', 'dynamic')", {"tuple": ["static", "dynamic"]}),
    "iterator": ("iter(['a', 'b'])", {"sequence": ["a", "b"]}),
    "generator expression": ("(c for c in 'ab')", {"sequence": ["a", "b"]}),
    "endless iterator": ("itertools.repeat('a')", {"sequence": ["a"] * 64}),
    "enum": ("Colour.RED", "red"),
    "named tuple": ("Pair('x', 1)", {"left": "x", "right": 1}),
    "dataclass": ("Data('x', [Data('y', None)])", {"a": "x", "b": [{"a": "y", "b": None}]}),
    "text subclass": ("Text('x')", "x"),
    "path": ("pathlib.Path('a/b')", "a/b"),
    "lone surrogate": (r"'\ud800'", "\ud800"),
    "object with to_dict": ("WithToDict()", {"kind": "to_dict"}),
    "pydantic model": ("Model()", {"kind": "model"}),
    "message": ("Message()", {"type": "system", "content": "x"}),
    "mapping": ("types.MappingProxyType({'a': 1})", {"a": 1}),
    "unsupported": ("[object()]", [{"unsupported": "builtins.object"}]),
    "awaitable inside": ("{'a': waited('x')}", {"a": "x"}),
    "anthropic tool": (
        "[{'name': 'read', 'input_schema': {'type': 'object'}}]",
        [{"name": "read", "input_schema": {"type": "object"}}],
    ),
    "openai-agents tool": (
        "Tool(params_json_schema={'type': 'object'})",
        {"name": "read", "description": "Read.", "parameters": {"type": "object"}},
    ),
    "pydantic-ai tool": (
        "Tool(parameters_json_schema={'type': 'object'})",
        {"name": "read", "description": "Read.", "parameters": {"type": "object"}},
    ),
    "mcp tool": (
        "Tool(inputSchema={'type': 'object'})",
        {"name": "read", "description": "Read.", "parameters": {"type": "object"}},
    ),
    "strands tool": (
        "Tool(tool_spec={'name': 'read', 'inputSchema': {'json': {}}})",
        {"toolSpec": {"name": "read", "inputSchema": {"json": {}}}},
    ),
    "smolagents tool": (
        "Tool(inputs={'a': {'type': 'string'}, 'b': {'nullable': True}}, output_type='string')",
        {
            "name": "read",
            "description": "Read.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"nullable": True}},
                "required": ["a"],
            },
        },
    ),
    "dates and numbers": (
        "[datetime.date(2031, 5, 6), uuid.UUID(int=1), decimal.Decimal('1.50')]",
        ["2031-05-06", "00000000-0000-0000-0000-000000000001", "1.50"],
    ),
    "tool with an argument class": (
        "Tool(args_schema=Model)",
        {"name": "read", "description": "Read.", "parameters": {"title": "Model"}},
    ),
    "function as a tool": (
        "read_file",
        {
            "name": "read_file",
            "description": "Read a file.",
            "parameters": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "where it is"},
                    "lines": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["path"],
            },
        },
    ),
}

SOURCE = """
import collections, dataclasses, datetime, decimal, enum, itertools, pathlib, sys, types, uuid
from typing import List

class Colour(enum.Enum):
    RED = "red"

class Text(str): pass
Pair = collections.namedtuple("Pair", "left right")

@dataclasses.dataclass
class Data:
    a: str
    b: object

class WithToDict:
    def to_dict(self): return {"kind": "to_dict"}

class Model:
    def model_dump(self): return {"kind": "model"}
    @classmethod
    def model_json_schema(cls): return {"title": "Model"}

class Message:
    type = "system"
    content = "x"
    def model_dump(self): raise AssertionError

class Tool:
    name = "read"
    description = "Read."
    def __init__(self, **fields): vars(self).update(fields)

async def waited(value): return value

def read_file(path: str, lines: List[int] = ()):
    '''Read a file.

    Args:
        path: where it is
    '''

SHAPES = %s

def build():
    return {name: eval(text) for name, text in SHAPES.items()}
"""


def test_every_shape(project: Project) -> None:
    source = SOURCE % {name: text for name, (text, _) in SHAPES.items()}
    found = project.build(source)
    assert found == {name: value for name, (_, value) in SHAPES.items()}


CALLS = """
    import functools

    def plain(): return "plain"
    async def waited(): return "waited"
    def optional(width=80, *rest, **more): return f"optional {width}"
    def with_world(world): return f"turn {world.turn}"
    def world_by_name(world=None): return f"turn {world.turn}"
    def generated():
        yield "one"
        yield "two"
    async def generated_late():
        yield "one"
        yield "two"
    def awaitable(): return waited()
    CONSTANT = "constant"
    partial = functools.partial(lambda a, b: a + b, "a", "b")

    class Agent:
        made = 0
        def __init__(self):
            Agent.made += 1
            self.calls = 0
            self.part = self
        def method(self):
            self.calls += 1
            return f"object {Agent.made}, call {self.calls}"
        async def slow(self): return "slow"
        @property
        def prompt(self):
            self.calls += 1
            return f"call {self.calls}"
        @staticmethod
        def static(): return "static"
        @classmethod
        def of_class(cls): return cls.__name__
        def __call__(self): return self.method()

    class NeedsArguments:
        def __init__(self, name): pass
        def method(self): return "never"
        @staticmethod
        def static(): return "no object needed"

    AGENT = Agent()
    """


@pytest.mark.parametrize(
    ("target", "values"),
    [
        ("plain", ["plain", "plain"]),
        ("waited", ["waited", "waited"]),
        ("optional", ["optional 80", "optional 80"]),
        ("with_world", ["turn 0", "turn 1"]),
        ("world_by_name", ["turn 0", "turn 1"]),
        ("generated", [{"sequence": ["one", "two"]}] * 2),
        ("generated_late", [{"sequence": ["one", "two"]}] * 2),
        ("awaitable", ["waited", "waited"]),
        ("CONSTANT", ["constant", "constant"]),
        ("partial", ["ab", "ab"]),
        ("AGENT.method", ["object 1, call 1", "object 1, call 2"]),
        ("AGENT.part.method", ["object 1, call 1", "object 1, call 2"]),
        ("AGENT.prompt", ["call 1", "call 2"]),
        ("Agent.method", ["object 2, call 1", "object 2, call 2"]),
        ("Agent.prompt", ["call 1", "call 2"]),
        ("Agent.slow", ["slow", "slow"]),
        ("Agent.static", ["static", "static"]),
        ("Agent.of_class", ["Agent", "Agent"]),
        ("Agent", ["object 2, call 1", "object 2, call 2"]),
        ("NeedsArguments.static", ["no object needed"] * 2),
    ],
)
def test_every_form_of_call(project: Project, target: str, values: list[Any]) -> None:
    project.write("agent.py", CALLS)
    answers = project.ask(World(), World(turn=1), target=f"agent.py:{target}")
    assert [answer.value for answer in answers] == values


@pytest.mark.parametrize(
    ("target", "cause"),
    [
        ("plian", "agent has no attribute plian (did you mean plain?)"),
        ("AGENT.prmpt", "Agent has no attribute prmpt (did you mean prompt?)"),
        (
            "NeedsArguments.method",
            "NeedsArguments cannot be made without arguments: missing a required argument: 'name'",
        ),
        ("two", "two needs the arguments a, b: write an adapter that takes one, world"),
        ("keyword", "keyword needs the arguments a: write an adapter that takes one, world"),
        ("Silent", "Silent is a class: name the method that builds"),
    ],
)
def test_targets_that_cannot_be_called(project: Project, target: str, cause: str) -> None:
    more = """
    def two(a, b): pass
    def keyword(*, a): pass
    class Silent: pass
    """
    project.write("agent.py", CALLS + more)
    with pytest.raises(BuilderError) as caught:
        project.ask(target=f"agent.py:{target}")
    assert str(caught.value) == f"agent.py:{target}: {cause}"


def test_a_module_of_a_package_and_a_file_inside_one(project: Project) -> None:
    project.write("src/agent/__init__.py", "")
    project.write("src/agent/text.py", "TEXT = 'from the package'")
    project.write("src/agent/prompt.py", "from .text import TEXT\ndef build(): return TEXT")
    assert project.ask(target="agent.prompt:build")[0].value == "from the package"
    assert project.ask(target="src/agent/prompt.py:build")[0].value == "from the package"


def test_a_file_may_be_named_like_a_module_of_the_standard_library(project: Project) -> None:
    project.write("secrets.py", "def build(): return __name__")
    assert project.ask(target="secrets.py:build")[0].value == "builder_secrets"


def test_source_code_can_be_inspected(project: Project) -> None:
    text = "import inspect\ndef build(): return inspect.getsource(build)\n"
    assert project.build(text) == "def build(): return inspect.getsource(build)\n"


TOOLS = """
def read(path: str):
    '''Read a file.'''
class Search:
    name, description, input_schema = "search", "Search.", {"type": "object"}
def tools(): return [read, Search()]
async def late(): return (read,)
TABLE = {"read": read, "search": Search()}
WRONG = 3
def build(world): return [getattr(tool, "name", None) or tool.__name__ for tool in world.tools]
"""


@pytest.mark.parametrize(
    ("tools", "names"),
    [("tools", ["read", "search"]), ("late", ["read"]), ("TABLE", ["read", "search"])],
)
def test_tools_of_a_target_are_handed_over_in_both_orders(
    project: Project, tools: str, names: list[str]
) -> None:
    project.write("agent.py", TOOLS)
    worlds = (World(), World(tool_order=1))
    first, second = project.ask(*worlds, tools=f"agent.py:{tools}")
    assert (first.value, second.value) == (names, names[::-1])
    assert isinstance(first.tools, list)
    assert isinstance(second.tools, list)
    assert [tool["name"] for tool in first.tools] == names
    assert first.tools == second.tools[::-1]


def test_a_tools_target_that_gives_no_tools(project: Project) -> None:
    project.write("agent.py", TOOLS)
    with pytest.raises(
        BuilderError, match=r"agent\.py:build: the tools target gave int, not a list"
    ):
        project.ask(tools="agent.py:WRONG")


def test_the_code_of_a_workspace_runs_in_its_copy(project: Project) -> None:
    """Files that stand beside the code can be edited, and places are those of the original."""
    project.write("prompts/base.md", "Be kind.")
    source = """
    from pathlib import Path
    def build(): return (Path(__file__).parent / "prompts" / "base.md").read_text()
    """
    project.write("agent.py", source)
    edit = Edit("workspace", "prompts/base.md", EditKind.EDIT, "marker")
    worlds = (World(), World(edits=(edit,)))
    first, second = project.ask(*worlds, workspace=".")
    assert (first.value, second.value) == ("Be kind.", "Be kind. marker\n- marker\n")
    (found,) = first.observations
    assert found.key == "workspace:prompts/base.md"
    assert found.location is not None
    assert (found.location.path, found.location.line) == ("agent.py", 3)
