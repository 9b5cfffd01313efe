"""Identifiers that are made anew, and orders that nobody fixed."""

from tests.measure.incident import REQUEST, Verdict, lint
from tests.project import MakeProject

TOOLS = 'tools = "tools.json"\nmodel = "first.jinja"\n'
FILES = {
    "tools.json": '[{"name": "lights_on"}, {"name": "get_state"}]',
    "first.jinja": "{% for t in tools or [] %}{{ t | tojson }}{% endfor %}"
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}",
}

# Whose text the members of a set are (a literal, or nobody's) depends on which comes first.
_SET = Verdict("unordered-set", "hash-seed", "between", "", "warning")


# openclaw/openclaw 19014
def test_a_message_id_in_the_metadata_of_the_system_text(builder: MakeProject) -> None:
    source = """
        import json, uuid
        def build():
            meta = {"channel": "chat", "message_id": str(uuid.uuid4())}
            return f"{BASE}\\n## Inbound metadata\\n{json.dumps(meta)}", [RUN]
    """
    assert lint(builder, source) == [
        Verdict("per-request-id", "repeat", "within", "identity", "error")
    ]


# anthropics/claude-code 92524
def test_a_session_id_in_the_path_of_a_scratch_folder(builder: MakeProject) -> None:
    source = """
        def build(world):
            return f"{BASE}\\nUse /tmp/agent/{world.session_id}/scratchpad for notes.", [RUN]
    """
    assert lint(builder, source) == [
        Verdict("per-request-id", "new-session", "between", "identity", "warning")
    ]


# anthropics/claude-code 92524, with a folder that is made
def test_a_temporary_folder_in_front_of_the_tools(builder: MakeProject) -> None:
    source = """
        import tempfile
        SCRATCH = tempfile.mkdtemp(prefix="agent-")
        def build():
            return f"{BASE}\\nPut files into {SCRATCH}.", [RUN]
    """
    assert lint(builder, source) == [
        Verdict("per-request-id", "new-session", "between", "identity", "warning")
    ]


# vybestack/llxprt-code 3142
def test_a_random_call_id_at_the_head_of_the_messages(builder: MakeProject) -> None:
    source = """
        import random
        def build():
            name = f"call_{random.random()}"
            call = {"id": name, "type": "function",
                    "function": {"name": "read_file", "arguments": "{\\"path\\": \\"AGENTS.md\\"}"}}
            return {"messages": [
                {"role": "system", "content": BASE},
                {"role": "user", "content": f"Answer call {name}."},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": name, "content": GUIDE},
                {"role": "user", "content": "Hello."},
            ]}
    """
    assert lint(builder, source) == [
        Verdict("random-content", "repeat", "within", "history", "error")
    ]


# huggingface/smolagents 997
def test_the_imports_of_a_set_differ_in_every_process(builder: MakeProject) -> None:
    source = """
        IMPORTS = list(set(["math", "re"]) | set(["json", "queue", "stat"]))
        def build():
            return f"You can use these imports: {', '.join(IMPORTS)}.\\n{GUIDE}"
    """
    assert [verdict._replace(source="") for verdict in lint(builder, source)] == [_SET]


# nextlevelbuilder/goclaw 718
def test_the_order_of_sections_comes_from_a_set(builder: MakeProject) -> None:
    source = """
        SECTIONS = {("SOUL", "Be warm. " * 40), ("IDENTITY", "Be exact. " * 40),
                    ("RULES", "Be brief. " * 40)}
        def build():
            return "\\n\\n".join(f"# {name}\\n{text}" for name, text in SECTIONS), [RUN]
    """
    assert [verdict._replace(source="") for verdict in lint(builder, source)] == [_SET]


# skye-harris/hass_local_openai_llm 119, redpanda-data/ai-sdk-go 157, whoz-oss/coday 1322
def test_tools_in_the_order_of_their_registration(builder: MakeProject) -> None:
    source = """
        def build(world):
            return GUIDE, world.tools
    """
    alone = lint(builder, source, REQUEST + TOOLS, **FILES)
    assert alone == [Verdict("unsorted-tools", "tool-order", "across", "tools", "info")]
    shared = lint(builder, source, REQUEST + TOOLS + 'audience = "many"\n', **FILES)
    assert shared == [Verdict("unsorted-tools", "tool-order", "across", "tools", "warning")]


# skye-harris/hass_local_openai_llm 119, as it was merged
def test_tools_that_are_sorted_by_name(builder: MakeProject) -> None:
    source = """
        def build(world):
            return GUIDE, sorted(world.tools, key=lambda tool: tool["name"])
    """
    assert lint(builder, source, REQUEST + TOOLS + 'audience = "many"\n', **FILES) == []


# can1357/oh-my-pi 890, pydantic/logfire 1930
def test_a_server_that_reconnects_appends_its_tools_again(builder: MakeProject) -> None:
    source = """
        def build(world):
            tools = [RUN, ASK]
            if world.turn > 0:
                tools = [tool for tool in tools if tool is not RUN] + [RUN]
            return BASE, tools
    """
    assert lint(builder, source) == [Verdict("tools-changed", "turn", "within", "tools", "error")]


# redpanda-data/ai-sdk-go 157: what is ready first comes first
def test_tools_in_the_order_in_which_servers_answer(builder: MakeProject) -> None:
    source = """
        from itertools import count
        CALLS = count()
        def build():
            answers = [RUN, ASK] if next(CALLS) % 2 else [ASK, RUN]
            return BASE, answers
    """
    assert lint(builder, source) == [
        Verdict("nondeterministic-prompt", "repeat", "within", "tools", "error")
    ]
