"""Facts that only source can show, and errors."""

from pathlib import Path

import pytest

from promptlint.layout import Confidence
from promptlint.source.reader import read_source
from promptlint.source.reading import FactKind, SourceReading


def read(folder: Path, **files: str) -> SourceReading:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return read_source([folder], root=folder)


def facts(reading: SourceReading) -> list[tuple[FactKind, int | None]]:
    return [(fact.kind, fact.location.line) for fact in reading.facts]


def test_a_decoded_mapping_printed_without_sorted_keys(tmp_path: Path) -> None:
    source = """import json
def system_prompt(raw):
    return "Schema: " + json.dumps(json.loads(raw)) + " Follow it."
"""
    assert facts(read(tmp_path, app=source)) == [(FactKind.UNSORTED_JSON, 3)]
    sorted_source = source.replace("(raw))", "(raw), sort_keys=True)")
    assert facts(read(tmp_path, app=sorted_source)) == []


def test_json_that_reaches_no_prompt_is_no_fact(tmp_path: Path) -> None:
    source = """import json
def save(raw, file):
    file.write(json.dumps(json.loads(raw)))
def system_prompt():
    return "You save files."
"""
    assert facts(read(tmp_path, app=source)) == []


def test_memory_inserted_at_the_head(tmp_path: Path) -> None:
    source = """from pathlib import Path
def prepare(client, messages):
    memory = Path("MEMORY.md").read_text()
    messages.insert(0, {"role": "system", "content": memory})
    return client.messages.create(model="m", messages=messages)
"""
    assert facts(read(tmp_path, app=source)) == [(FactKind.HEAD_INSERT, 4)]


@pytest.mark.parametrize(
    "item", ['{"type": "text", "text": time.ctime()}', '{"role": "system", "content": git()}']
)
def test_what_moves_inserted_at_the_head_of_blocks(tmp_path: Path, item: str) -> None:
    source = f"""import subprocess, time
def git():
    return subprocess.check_output(["git", "status"], text=True)
def prepare(client, system, history):
    system.insert(0, {item})
    return client.messages.create(model="m", system=system, messages=history)
"""
    assert facts(read(tmp_path, app=source)) == [(FactKind.HEAD_INSERT, 5)]


def test_a_static_prompt_inserted_at_the_head_is_no_fact(tmp_path: Path) -> None:
    source = """def prepare(client, messages):
    messages.insert(0, {"role": "system", "content": "You are brief."})
    return client.messages.create(model="m", messages=messages)
"""
    assert facts(read(tmp_path, app=source)) == []


def test_tools_in_completion_order(tmp_path: Path) -> None:
    source = """import asyncio
async def run(client, servers, messages):
    tools = []
    for task in asyncio.as_completed([server.list_tools() for server in servers]):
        tools.extend(await task)
    return client.messages.create(model="m", system="Hi.", messages=messages, tools=tools)
"""
    assert facts(read(tmp_path, app=source)) == [
        (FactKind.COMPLETION_ORDER, 4),
        (FactKind.UNSORTED_TOOLS, 6),
    ]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("Agent(instructions='Hi.', add_datetime_to_context=True)", True),
        ("Agent(instructions='Hi.', add_datetime_to_context=False)", False),
        ("Agent(instructions='Hi.')", False),
        ("Agent(instructions='Hi.', tools=[PreloadMemoryTool()])", True),
        ("Agent(model='m', tools=[preload_memory])", True),
        ("Agent(model='m', tools=[tools.preload_memory])", True),
        ("Agent(instructions='Hi.', tools=[tools.load_memory])", False),
        ("Agent(members=[], add_datetime_to_context=True)", True),
        (
            "def make():\n    return Agent(role='r', goal='g', backstory='b', inject_date=True)",
            True,
        ),
    ],
)
def test_switches_of_frameworks(tmp_path: Path, call: str, found: bool) -> None:
    source = f"""from agno.agent import Agent
from google.adk import tools
from google.adk.tools import PreloadMemoryTool, preload_memory
{call}
"""
    kinds = [kind for kind, _ in facts(read(tmp_path, app=source))]
    assert kinds == [FactKind.FRAMEWORK_SWITCH] * found


def test_a_syntax_error_names_the_place_and_the_cause(tmp_path: Path) -> None:
    reading = read(tmp_path, bad="system_prompt = (\n", good="def system_prompt(): return 'Hi.'\n")
    (error,) = reading.errors
    assert (error.path, error.line) == ("bad.py", 1)
    assert "never closed" in error.cause
    assert len(reading.layouts) == 1


def test_grammar_newer_than_the_interpreter_is_read(tmp_path: Path) -> None:
    source = """from datetime import datetime
type Parts[T] = list[
    T
]
class Box[T](list):
    pass
def join[
    T,
](parts: Parts) -> str:
    return f"{"\\n".join(parts)} at {datetime.now():%H:%M}"
def system_prompt():
    return join(["You are brief."])
"""
    reading = read(tmp_path, app=source)
    assert reading.errors == ()
    moving = [span for layout in reading.layouts for span in layout.moving()]
    assert [span.cause.location.line for span in moving if span.cause and span.cause.location] == [
        10
    ]


def test_a_module_that_is_cut_is_named(tmp_path: Path) -> None:
    table = "".join(f"ROW_{n} = make({n} + OFFSET, other=[OFFSET] * {n})\n" for n in range(20_000))
    source = f"{table}def system_prompt():\n    return 'You are brief.'\n"
    assert read(tmp_path, app=source).cut == ("app.py",)
    assert read(tmp_path, app=source[-60:]).cut == ()


def test_files_without_prompts_are_not_parsed(tmp_path: Path) -> None:
    assert read(tmp_path, app="def broken(:\n") == SourceReading((), (), (), 0)


def test_ignored_files_and_tests_are_left_out(tmp_path: Path) -> None:
    source = "import uuid\ndef system_prompt():\n    return f'{uuid.uuid4()} Hi.'\n"
    (tmp_path / ".gitignore").write_text("generated/\n!kept.py\n")
    for folder in ("generated", "tests", ".venv", "kept"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "app.py").write_text(source)
    reading = read_source([tmp_path], root=tmp_path)
    assert [str(layout.location) for layout in reading.layouts] == ["kept/app.py:2:1"]


def test_mappings_that_are_merged_into_one_text(tmp_path: Path) -> None:
    source = """import json
def system_prompt(defaults, own):
    return "Options: " + json.dumps({**defaults, **own}) + " Keep to them."
"""
    assert facts(read(tmp_path, app=source)) == [(FactKind.UNSORTED_JSON, 3)]
    one = source.replace("{**defaults, **own}", '{**defaults, "level": 1}')
    assert facts(read(tmp_path, app=one)) == []


@pytest.mark.parametrize(
    ("mapping", "confidence"),
    [
        ("dict(defaults, **own)", [Confidence.LOW]),
        ("merged(own)", [Confidence.LOW]),
        ("{name: len(name) for name in set(own)}", [Confidence.HIGH]),
        ("dict.fromkeys(set(own), 1)", [Confidence.HIGH]),
        ('{"names": filled(set(own))}', [Confidence.HIGH]),
        ("filled(own)", []),
        ("filled(sorted(set(own)))", []),
        ("dict(own)", []),
    ],
)
def test_json_of_mappings_whose_keys_come_in_any_order(
    mapping: str, confidence: list[Confidence], tmp_path: Path
) -> None:
    source = f"""import json
BASE = {{"level": 1}}
def merged(own):
    result = dict(BASE)
    result.update(own)
    return result
def filled(names):
    result = {{}}
    for name in names:
        result[name] = 1
    return result
def system_prompt(defaults, own):
    return "Options: " + json.dumps({mapping}) + " Keep to them."
"""
    reading = read(tmp_path, app=source)
    assert [fact.confidence for fact in reading.facts] == confidence
    assert not any(span.moves for layout in reading.layouts for span in layout.spans)


def test_sections_in_completion_order(tmp_path: Path) -> None:
    source = """import asyncio
async def sections(servers):
    found = []
    for waiting in asyncio.as_completed([server.describe() for server in servers]):
        found.append(await waiting)
    return "".join(found)
async def system_prompt(servers):
    return await sections(servers) + "Use one server at a time."
"""
    assert facts(read(tmp_path, app=source)) == [(FactKind.COMPLETION_ORDER, 4)]
