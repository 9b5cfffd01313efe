"""Git, listings, devices and counters: state that lives outside the prompt."""

from tests.measure.incident import FOLDERS, REQUEST, SESSION, Verdict, lint
from tests.project import MakeProject

GIT = """
        import subprocess
        from pathlib import Path
        def status():
            return subprocess.check_output(["git", "status", "--porcelain", "-b"], text=True)
"""
FILES = {
    "work/AGENTS.md": "Prices are integers in cents, never floats. " * 60,
    "work/main.py": "print()\n",
    "home/.profile": "",
}


# anthropics/claude-code 47107
def test_git_status_that_every_request_reads_again(builder: MakeProject) -> None:
    source = (
        GIT
        + """
        def build():
            return (BASE, Path("AGENTS.md").read_text(), status())
    """
    )
    assert lint(builder, source, REQUEST + FOLDERS, **FILES) == [
        Verdict("subprocess-state", "mid-session-edit", "within", "workspace", "warning")
    ]


# anthropics/claude-code 47107, in front of the project's rules
def test_git_status_in_front_of_the_projects_rules(builder: MakeProject) -> None:
    source = (
        GIT
        + """
        def build():
            return (BASE, status(), Path("AGENTS.md").read_text())
    """
    )
    assert lint(builder, source, SESSION + FOLDERS, **FILES) == [
        Verdict("subprocess-state", "edit-workspace", "between", "workspace", "warning")
    ]


# anomalyco/opencode 5224
def test_the_first_files_of_the_tree_in_front_of_the_rules(builder: MakeProject) -> None:
    source = """
        from pathlib import Path
        def build():
            tree = "\\n".join(sorted(p.as_posix() for p in Path(".").glob("*"))[:200])
            return f"<env>\\n<files>\\n{tree}\\n</files>\\n</env>\\n{GUIDE}"
    """
    verdicts = lint(builder, source, SESSION + FOLDERS, **FILES)
    assert verdicts == [
        Verdict("live-listing", "edit-workspace", "between", "workspace", "warning")
    ]


# Hmbown/Codewhale 979
def test_a_tree_that_is_scanned_again_where_the_projects_rules_are_missing(
    builder: MakeProject,
) -> None:
    source = """
        import os
        def build():
            if os.path.exists("AGENTS.md"):
                return BASE + open("AGENTS.md").read(), [RUN]
            return f"Files: {' '.join(sorted(os.listdir('.')))}\\n{BASE}", [RUN]
    """
    files = {name: text for name, text in FILES.items() if name != "work/AGENTS.md"}
    assert (Verdict("live-listing", "mid-session-edit", "within", "workspace", "warning")) in lint(
        builder, source, REQUEST + FOLDERS, **files
    )


# michelle-avery/custom-conversation 110
def test_a_state_beside_the_name_of_every_device(builder: MakeProject) -> None:
    source = """
        ROOMS = ["hall", "kitchen", "attic", "cellar"]
        def build(world):
            states = ["on" if (world.turn + at) % 2 else "off" for at in range(len(ROOMS))]
            lines = [f"The lamp in the {room}, which has a dimmer, is {state}."
                     for room, state in zip(ROOMS, states)]
            return "\\n".join([*lines, GUIDE]), [RUN]
    """
    assert lint(builder, source) == [Verdict("system-changed", "turn", "within", "base", "error")]


# yc-software/qm 971: what a user message says may not change while its turn lasts
def test_a_user_message_that_is_built_anew_at_each_step(builder: MakeProject) -> None:
    source = """
        def build(world):
            asked = f"{world.user_message}\\n(results so far: {world.step})"
            return {"tools": [RUN], "messages": [
                {"role": "system", "content": BASE}, {"role": "user", "content": asked}]}
    """
    assert lint(builder, source) == [Verdict("live-counter", "step", "within", "user", "error")]


# NousResearch/hermes-agent 18547, what its author feared
def test_a_counter_of_the_tokens_that_are_left(builder: MakeProject) -> None:
    source = """
        def build(world):
            return f"{BASE}\\nTokens used: {1085 + 100 * world.step} of 200,000", [RUN]
    """
    (verdict,) = lint(builder, source)
    assert verdict[:3] == ("live-counter", "step", "within")
    assert verdict.severity == "error"


# NousResearch/hermes-agent 18547, what its reviewer saw
def test_a_header_that_counts_a_frozen_memory(builder: MakeProject) -> None:
    source = """
        from pathlib import Path
        MEMORY = (Path.home() / "MEMORY.md").read_text()
        def build():
            used = f"[{len(MEMORY) * 100 // 2200}% - {len(MEMORY):,}/2,200 chars]"
            return f"{BASE}\\n\\n# MEMORY {used}\\n{MEMORY}"
    """
    files = {"home/MEMORY.md": "- the owner likes small commits\\n" * 20, "work/README.md": ""}
    assert lint(builder, source, REQUEST + FOLDERS, **files) == []
