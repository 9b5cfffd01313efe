"""What looks like a fault and is none: nothing at the level of a warning."""

from dataclasses import dataclass, field

import pytest

from tests.measure.incident import FOLDERS, REQUEST, SESSION, lint
from tests.project import MakeProject

_FIRST = (
    "{% for t in tools or [] %}{{ t | tojson }}{% endfor %}"
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
)
_MEMORY = {"home/MEMORY.md": "- the owner likes small commits\n", "work/main.py": "print()\n"}


@dataclass(frozen=True)
class Trap:
    """A builder that is right, its configuration and its files."""

    source: str
    config: str = REQUEST
    files: dict[str, str] = field(default_factory=dict)


TRAPS = {
    "the size of a memory that was frozen at the start": Trap(
        """
        from pathlib import Path
        MEMORY = (Path.home() / "MEMORY.md").read_text()
        def build():
            return f"{BASE}\\n\\n# Memory [{len(MEMORY):,}/2,200 chars]\\n{MEMORY}", [RUN]
        """,
        REQUEST + FOLDERS,
        _MEMORY,
    ),
    "a date as late as it can stand": Trap(
        """
        from datetime import date
        def build():
            return f"{BASE}\\n\\nToday is {date.today():%A, %d %B %Y}.", [RUN]
        """
    ),
    "the time in the newest user message, written once": Trap(
        """
        from datetime import datetime
        ASKED = {}
        def build(world):
            now = datetime.now()
            asked = ASKED.setdefault(world.turn, f"{world.user_message}\\n(It is {now:%H:%M:%S}.)")
            return {"tools": [RUN], "messages": [
                {"role": "system", "content": BASE}, {"role": "user", "content": asked}]}
        """
    ),
    "times that are stored with the user messages of a session": Trap(
        """
        from datetime import datetime, timedelta
        def build():
            history, now = [{"role": "system", "content": BASE}], datetime.now()
            for turn in range(3):
                now += timedelta(minutes=1)
                history.append({"role": "user", "content": f"[{now:%H:%M}] question {turn}"})
                yield {"messages": list(history), "tools": [RUN]}
                history.append({"role": "assistant", "content": f"answer {turn}"})
        """
    ),
    "a time that a session reads once": Trap(
        """
        from datetime import datetime
        def build():
            system = f"{BASE}\\n\\nThe session began at {datetime.now():%H:%M}."
            messages = [{"role": "system", "content": system}]
            for turn in range(2):
                messages.append({"role": "user", "content": f"question {turn}"})
                yield {"messages": list(messages)}
                messages.append({"role": "assistant", "content": f"answer {turn}"})
        """
    ),
    "git's state, read once when the session starts": Trap(
        """
        import subprocess
        STATUS = subprocess.check_output(["git", "status", "--short", "-b"], text=True)
        def build():
            return f"{BASE}\\n\\n# Git at the session's start\\n{STATUS}"
        """,
        REQUEST + FOLDERS,
        _MEMORY,
    ),
    "a time that is kept for as long as the process lives": Trap(
        """
        from datetime import datetime
        from functools import lru_cache
        @lru_cache
        def started():
            return f"{datetime.now():%Y-%m-%d %H:%M}"
        def build():
            return f"{BASE}\\n\\nThe session began at {started()}.", [RUN]
        """,
        REQUEST + 'model = "first.jinja"\n',
        {"first.jinja": _FIRST},
    ),
    "times and ids beside the prompt": Trap(
        """
        import logging, os, random, time, uuid
        def build():
            started = time.perf_counter()
            request = uuid.uuid4()
            logging.getLogger("agent").info("request %s at %s", request, time.time())
            with open(os.path.join(os.environ["TMPDIR"], f"{request}.log"), "w") as log:
                log.write(f"{os.getpid()} {random.random()} {time.perf_counter() - started}")
            return {"messages": [{"role": "system", "content": BASE}], "tools": [RUN],
                    "metadata": {"user_id": str(request)}, "prompt_cache_key": "agent"}
        """
    ),
    "dicts, which keep their order": Trap(
        """
        import json
        LIMITS = dict.fromkeys(["depth", "breadth", "height"], 3)
        TOOLS = {tool["name"]: tool for tool in (RUN, ASK)}
        def build():
            return f"{json.dumps(LIMITS)}\\n{' '.join(TOOLS)}\\n{BASE}", list(TOOLS.values())
        """
    ),
    "sets that are sorted, counted and searched": Trap(
        """
        SAFE = {"json", "math", "re", "stat"}
        def build():
            flag = "yes" if "json" in SAFE else "no"
            return f"{len(SAFE)} imports: {', '.join(sorted(SAFE))} {flag} {max(SAFE)}\\n{BASE}"
        """
    ),
    "a choice with a seed of its own, and an id by name": Trap(
        """
        import random, uuid
        EXAMPLES = ["add two numbers", "sort a list", "name a file", "close a door"]
        def build():
            chosen = random.Random(7).sample(EXAMPLES, 3)
            return f"{uuid.uuid5(uuid.NAMESPACE_DNS, 'agent')}\\n{chosen}\\n{BASE}", [RUN]
        """
    ),
    "a memory with a short tail behind it": Trap(
        """
        from pathlib import Path
        MEMORY = (Path.home() / "MEMORY.md").read_text()
        def build():
            return f"{BASE}\\n\\n# Memory\\n{MEMORY}\\n\\n# Style\\nBe brief and be kind."
        """,
        REQUEST + FOLDERS,
        _MEMORY,
    ),
    "memory and skills of the session's start behind what stays": Trap(
        """
        from pathlib import Path
        MEMORY = (Path.home() / "MEMORY.md").read_text()
        SKILLS = [path.read_text() for path in sorted(Path("skills").glob("*/SKILL.md"))]
        def build():
            return "\\n\\n".join([BASE, GUIDE, *SKILLS, MEMORY]), [RUN]
        """,
        REQUEST + FOLDERS,
        {**_MEMORY, "work/skills/pdf/SKILL.md": "# PDF\nReads papers.\n"},
    ),
    "times and ids that examples quote": Trap(
        """
        from pathlib import Path
        EXAMPLE = "2026-03-14T09:26:53Z: run 6ba7b810-9dad-11d1-80b4-00c04fd430c8, 3 min ago"
        def build():
            return f"{EXAMPLE}\\n{Path('AGENTS.md').read_text()}", [RUN]
        """,
        REQUEST + FOLDERS,
        {"work/AGENTS.md": "Each line of a log begins with 2026-03-14 09:26.\n", "home/.keep": ""},
    ),
    "a cache marker that moves from turn to turn": Trap(
        """
        MARK = {"cache_control": {"type": "ephemeral"}}
        def build(world):
            first, second = ({}, MARK) if world.turn else (MARK, {})
            return {"system": [{"type": "text", "text": BASE, **first},
                               {"type": "text", "text": GUIDE, **second}],
                    "messages": [{"role": "user", "content": world.user_message}]}
        """
    ),
    "another user's name, where nobody shares the cache": Trap(
        """
        import getpass, os, socket
        def build():
            return f"{getpass.getuser()} on {socket.gethostname()} in {os.getcwd()}\\n{BASE}", [RUN]
        """
    ),
    "a session's prompt that is built once": Trap(
        """
        from pathlib import Path
        def build():
            return f"{BASE}\\n\\n# Memory\\n{(Path.home() / 'MEMORY.md').read_text()}", [RUN]
        """,
        SESSION + FOLDERS,
        _MEMORY,
    ),
}


@pytest.mark.parametrize("what", TRAPS)
def test_a_trap_gives_no_warning(builder: MakeProject, what: str) -> None:
    trap = TRAPS[what]
    verdicts = lint(builder, trap.source, trap.config, **trap.files)
    assert [verdict for verdict in verdicts if verdict.severity != "info"] == []
