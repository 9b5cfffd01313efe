"""Memory, retrieval, skills and tool descriptions in front of what stays."""

from tests.measure.incident import FOLDERS, REQUEST, SESSION, Verdict, lint
from tests.project import MakeProject

MEMORY = {"home/MEMORY.md": "- the owner likes small commits\n", "work/README.md": "Read me.\n"}
SKILLS = {
    "work/skills/csv/SKILL.md": "---\nname: csv\ndescription: Reads tables.\n---\nUse pandas.\n",
    "work/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads papers.\n---\nUse a viewer.\n",
    "home/.profile": "",
}
INDEX = """
        from pathlib import Path
        def described():
            texts = [path.read_text() for path in sorted(Path("skills").glob("*/SKILL.md"))]
            return [text.splitlines()[2].partition(": ")[2] for text in texts]
"""


# shareAI-lab/learn-claude-code 311
def test_memories_that_are_chosen_by_the_conversation(builder: MakeProject) -> None:
    source = """
        from pathlib import Path
        def load_memories(messages):
            files = sorted(Path.home().glob("memory/*.md"))
            return files[len(messages[-1]) % len(files)].read_text()
        def build(world):
            system = BASE
            system += "\\n" + load_memories([world.user_message])
            return system, [RUN]
    """
    files = {f"home/memory/{n}.md": f"- note {'abcdefg'[n]}, which was kept\n" for n in range(7)}
    assert lint(builder, source, REQUEST + 'home = "home"\n', **files) == [
        Verdict("live-memory-file", "mid-session-edit", "within", "memory", "warning"),
        Verdict("query-keyed-retrieval", "turn", "within", "memory", "error"),
    ]


# google/adk-python 3227
def test_passages_that_a_tool_appends_to_the_instruction(builder: MakeProject) -> None:
    source = """
        def search(question):
            return [f"passage about {word}" for word in question.split()]
        def build(world):
            return f"{BASE}\\n<PAST_CONVERSATIONS>\\n{search(world.user_message)}", [RUN]
    """
    assert lint(builder, source) == [
        Verdict("query-keyed-retrieval", "turn", "within", "retrieval", "error")
    ]


# can1357/oh-my-pi 3111
def test_memories_that_only_the_first_turn_has(builder: MakeProject) -> None:
    source = """
        def build(world):
            recalled = "\\n# Memory\\n- the owner likes small commits" if world.turn == 0 else ""
            return BASE + recalled, [RUN]
    """
    assert lint(builder, source) == [Verdict("system-changed", "turn", "within", "base", "error")]


# omdsh-dev/dsh-mnemon 26
def test_a_memory_that_is_read_again_at_each_assembly(builder: MakeProject) -> None:
    source = """
        from pathlib import Path
        def build():
            return f"{BASE}\\n# Memory\\n{(Path.home() / 'MEMORY.md').read_text()}", [RUN]
    """
    assert lint(builder, source, REQUEST + FOLDERS, **MEMORY) == [
        Verdict("live-memory-file", "mid-session-edit", "within", "memory", "warning")
    ]


# diegosouzapw/OmniRoute 3936, easymetaau/helm-api 231
def test_a_gateway_that_inserts_memory_in_front_of_all_messages(builder: MakeProject) -> None:
    gateway = (
        "def forward(body, question):\n"
        "    memory = f'Known about {question}: nothing yet.'\n"
        "    body['messages'].insert(0, {'role': 'system', 'content': memory})\n"
        "    return body\n"
    )
    source = """
        from gateway import forward
        def build(world):
            messages = [{"role": "system", "content": BASE},
                        {"role": "user", "content": world.user_message}]
            return forward({"messages": messages, "tools": [RUN]}, world.user_message)
    """
    assert lint(builder, source, **{"gateway.py": gateway}) == [
        Verdict("query-keyed-retrieval", "turn", "within", "retrieval", "error")
    ]


# NousResearch/hermes-agent 37117
def test_a_skills_index_in_front_of_the_guidance(builder: MakeProject) -> None:
    source = (
        INDEX
        + """
        SKILLS = "\\n".join(described())
        def build():
            return f"You are an agent.\\n\\n# Skills\\n{SKILLS}\\n\\n# Guidance\\n{GUIDE}", [RUN]
    """
    )
    assert lint(builder, source, SESSION + FOLDERS, **SKILLS) == [
        Verdict("volatile-before-stable", "edit-skills", "between", "skills", "warning")
    ]


# NousResearch/hermes-agent 37117, as it was merged
def test_a_skills_index_behind_the_guidance(builder: MakeProject) -> None:
    source = (
        INDEX
        + """
        SKILLS = "\\n".join(described())
        def build():
            return f"You are an agent.\\n\\n# Guidance\\n{GUIDE}\\n\\n# Skills\\n{SKILLS}", [RUN]
    """
    )
    assert lint(builder, source, SESSION + FOLDERS, **SKILLS) == [
        Verdict("tools-after-volatile", "edit-skills", "between", "skills", "info")
    ]


# QwenLM/qwen-code 4896, matrixorigin/Astra 210
def test_a_list_of_skills_in_the_description_of_a_tool(builder: MakeProject) -> None:
    source = (
        INDEX
        + """
        def build():
            text = f"Runs a skill. Available: {', '.join(described())}"
            return BASE, [{"name": "skill", "description": text}, RUN]
    """
    )
    assert lint(builder, source, REQUEST + FOLDERS, **SKILLS) == [
        Verdict("mutable-tool-description", "mid-session-edit", "within", "tools", "warning")
    ]


# zavora-ai/adk-rust 527
def test_skills_that_are_ranked_by_the_question(builder: MakeProject) -> None:
    source = """
        SKILLS = ["csv: reads tables", "pdf: reads papers", "git: writes commits", "sql: asks"]
        def build(world):
            first = len(world.user_message) % len(SKILLS)
            ranked = SKILLS[first:] + SKILLS[:first]
            return "# Skills\\n" + "\\n".join(ranked) + "\\n\\n" + GUIDE, [RUN]
    """
    assert lint(builder, source) == [
        Verdict("query-keyed-retrieval", "turn", "within", "retrieval", "error")
    ]


# letuhao/lore-weave 298
def test_one_providers_path_puts_the_memory_first(builder: MakeProject) -> None:
    source = """
        from pathlib import Path
        MEMORY = (Path.home() / "MEMORY.md").read_text()
        def build(provider="openai"):
            parts = (GUIDE, MEMORY) if provider == "anthropic" else (MEMORY, GUIDE)
            return "\\n\\n".join(parts)
    """
    assert lint(builder, source, SESSION + FOLDERS, **MEMORY) == [
        Verdict("volatile-before-stable", "edit-memory", "between", "memory", "warning")
    ]


# letuhao/lore-weave 298, the other provider's path
def test_the_other_providers_path_puts_it_last(builder: MakeProject) -> None:
    source = """
        from pathlib import Path
        MEMORY = (Path.home() / "MEMORY.md").read_text()
        def build():
            return f"{GUIDE}\\n\\n{MEMORY}"
    """
    assert lint(builder, source, SESSION + FOLDERS, **MEMORY) == []
