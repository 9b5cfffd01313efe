from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from promptlint.layout import Source
from promptlint.sections.files import KnownFile
from promptlint.sections.find import Knowledge, find_sections
from promptlint.sections.literals import Module
from promptlint.sections.mark import Mark
from promptlint.sections.names import source_of_file, source_of_name
from promptlint.sections.tile import tile

_NOTHING = Knowledge()


def _named(
    text: str, knowledge: Knowledge = _NOTHING, **given: list[Mark]
) -> list[tuple[str, str]]:
    marks = find_sections(text, knowledge, **given)
    return [(str(mark.source), text[mark.start : mark.end]) for mark in marks]


_MARK = st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["a", "b", "base"]))


@given(st.text(alphabet="x \n", max_size=40), st.lists(st.lists(_MARK, max_size=4), max_size=3))
def test_sections_tile_the_text(text: str, layers: list[list[tuple[int, int, str]]]) -> None:
    marks = [
        [Mark(min(a, b, len(text)), min(max(a, b), len(text)), s, s) for a, b, s in layer]
        for layer in layers
    ]
    at = 0
    for mark in tile(text, marks):
        assert mark.start == at < mark.end
        assert mark.source
        at = mark.end
    assert at == len(text)


def test_later_layers_are_trusted_more() -> None:
    low, high = Mark(0, 9, "low", "low"), Mark(3, 6, "high", "high")
    assert [m.source for m in tile("abcdefghi", [[low], [high]])] == ["low", "high", "low"]


def test_nobodys_text_is_unknown() -> None:
    assert _named("nobody wrote this") == [("unknown", "nobody wrote this")]


def test_a_heading_names_a_section_up_to_the_next_of_its_rank() -> None:
    text = "intro\n\n# Memory\nlikes tea\n## detail\nmore\n# Other\nrest"
    assert _named(text) == [
        ("unknown", "intro\n\n"),
        ("memory", "# Memory\nlikes tea\n## detail\nmore\n"),
        ("unknown", "# Other\nrest"),
    ]


def test_a_pasted_heading_never_ends_its_wrapper() -> None:
    text = "<agent_memory>\nlikes tea\n# Rules\nbe kind\n</agent_memory>\ntail"
    assert _named(text)[0] == ("memory", text[: text.index("tail")])


def test_a_heading_in_a_code_fence_names_nothing() -> None:
    assert _named("```\n# Memory\n```\nrest") == [("unknown", "```\n# Memory\n```\nrest")]


def test_a_files_content_is_found_with_its_heading() -> None:
    text = "intro text\n\n# Memory from before\n- the owner likes tea\n\nrest of it"
    knowledge = Knowledge(files=[KnownFile("MEMORY.md", "- the owner likes tea\n")])
    assert _named(text, knowledge) == [
        ("unknown", "intro text\n\n"),
        ("memory", "# Memory from before\n- the owner likes tea\n\n"),
        ("unknown", "rest of it"),
    ]


def test_a_heading_inside_agents_md_does_not_leave_it() -> None:
    content = "# House rules\n\n# Memory\nUse the arena allocator."
    text = f"{content}\n\nbehind the file"
    knowledge = Knowledge(files=[KnownFile("AGENTS.md", content)])
    assert _named(text, knowledge) == [
        ("project", f"{content}\n\n"),
        ("unknown", "behind the file"),
    ]


def test_a_cut_file_is_found_as_far_as_it_goes() -> None:
    content = "first line of the memory\nsecond line\nthird line that was cut"
    knowledge = Knowledge(files=[KnownFile("MEMORY.md", content)])
    text = "first line of the memory\nsecond line\n[cut]"
    assert _named(text, knowledge)[0] == ("memory", "first line of the memory\nsecond line\n")


def test_a_file_of_no_known_name_is_no_section() -> None:
    knowledge = Knowledge(files=[KnownFile("data/prices.csv", "apples and oranges and pears")])
    assert _named("apples and oranges and pears", knowledge)[0][0] == "unknown"


def test_literals_of_the_source_are_base_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text('X = 1\nBASE = """You are a careful agent."""\n', "utf-8")
    text = "You are a careful agent."
    (mark,) = find_sections(text, Knowledge(modules=[Module(path, "agent.py")]))
    assert mark.source == Source.BASE
    assert str(mark.origin) == "agent.py:2"


def test_a_section_that_is_written_in_code_is_base_whatever_its_heading(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text('BASE = "# Memory\\nYou can call the tool remember."\n', "utf-8")
    text = "# Memory\nYou can call the tool remember."
    knowledge = Knowledge(modules=[Module(path, "agent.py")])
    assert [source for source, _ in _named(text, knowledge)] == ["base"]


def test_the_lines_of_a_template_are_found_around_its_placeholders(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(
        'T = """You are an agent for the user.\nName: {name}\nAnswer in plain, short words."""\n',
        "utf-8",
    )
    text = "You are an agent for the user.\nName: Ada\nAnswer in plain, short words."
    knowledge = Knowledge(modules=[Module(path, "agent.py")])
    assert [source for source, _ in _named(text, knowledge)] == ["base", "unknown", "base"]


def test_patterns_of_the_user_win_over_files_and_headings() -> None:
    text = "# Memory\nlikes tea"
    knowledge = Knowledge(patterns={"profile": "# Memory.*"})
    assert _named(text, knowledge) == [("profile", text)]


def test_what_vanishes_with_a_file_is_its_section() -> None:
    text = "intro\nMEMORY [1% - 26/2,200 chars]\nlikes tea\n"
    ablated = [Mark(6, len(text), Source.MEMORY, "MEMORY.md")]
    assert _named(text, ablated=ablated)[-1] == ("memory", text[6:])


def test_files_are_known_by_name_and_folder() -> None:
    assert source_of_file("a/AGENTS.md") is Source.PROJECT
    assert source_of_file("MEMORY.md") is Source.MEMORY
    assert source_of_file("memory/2026-01.md") is Source.MEMORY
    assert source_of_file("skills/pdf/SKILL.md") is Source.SKILLS
    assert source_of_file("skills/pdf/run.py") is None
    assert source_of_file("src/memory.py") is None


def test_names_are_read_in_words() -> None:
    assert source_of_name("available_skills") is Source.SKILLS
    assert source_of_name("Memory from previous sessions") is Source.MEMORY
    assert source_of_name("environment_context") is Source.ENVIRONMENT
    assert source_of_name("CURRENT_DATETIME") is Source.TIMESTAMP
    assert source_of_name("Style") is None


def test_long_lines_of_a_prompts_own_file_are_base_with_their_line() -> None:
    file = KnownFile(
        "kit:prompts/agent.yaml", "prompt: |\n  You solve tasks step by step, in Python code.\n"
    )
    text = "You solve tasks step by step, in Python code.\nTools: a, b"
    mark, rest = find_sections(text, Knowledge(files=[file]))
    assert (mark.source, str(mark.origin)) == (Source.BASE, "kit:prompts/agent.yaml:2")
    assert rest.source == Source.UNKNOWN
