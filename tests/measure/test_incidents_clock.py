"""Clocks in front of what stays: the largest family of public incidents."""

from tests.measure.incident import FOLDERS, REQUEST, Verdict, lint
from tests.project import MakeProject


# goruck/home-generative-agent 617, home-assistant/core 133687, adolfousier/opencrabs 657
def test_seconds_at_the_head_of_the_system_text(builder: MakeProject) -> None:
    source = """
        from datetime import datetime
        def build():
            return f"Current time is {datetime.now():%H:%M:%S}. {BASE}", [RUN]
    """
    assert lint(builder, source) == [
        Verdict("sub-day-clock", "second", "within", "timestamp", "error")
    ]


# earendil-works/pi 1873
def test_seconds_as_the_last_line_lose_the_history(builder: MakeProject) -> None:
    source = """
        from datetime import datetime
        def build():
            return f"{BASE}\\nCurrent time: {datetime.now().isoformat()}"
    """
    assert lint(builder, source) == [
        Verdict("sub-day-clock", "second", "within", "timestamp", "error")
    ]


# agno-agi/agno 9094
def test_a_switch_of_a_framework_with_microseconds(builder: MakeProject) -> None:
    library = (
        "import datetime\n"
        "class Agent:\n"
        "    def __init__(self, instructions, add_datetime):\n"
        "        self.instructions, self.add_datetime = instructions, add_datetime\n"
        "    def get_system_message(self):\n"
        "        lines = [self.instructions]\n"
        "        if self.add_datetime:\n"
        "            lines.append(f'The current time is {datetime.datetime.now()}.')\n"
        "        return '\\n'.join(lines)\n"
    )
    source = """
        import sys
        sys.path.insert(0, "site-packages")
        from framework import Agent
        AGENT = Agent(BASE, add_datetime=True)
        def build():
            return AGENT.get_system_message(), [RUN]
    """
    verdicts = lint(builder, source, **{"site-packages/framework.py": library})
    assert verdicts == [Verdict("sub-day-clock", "second", "within", "timestamp", "error")]


# dimagi/open-chat-studio 3625, Mintplex-Labs/anything-llm 6398
def test_a_variable_in_a_prompt_that_a_user_wrote(builder: MakeProject) -> None:
    source = """
        import json, datetime
        from pathlib import Path
        def build():
            bot = json.loads(Path("bot.json").read_text())
            now = datetime.datetime.now().strftime("%A, %B %d, %Y %I:%M %p")
            return bot["prompt"].replace("{datetime}", now) + GUIDE
    """
    verdicts = lint(builder, source, **{"bot.json": '{"prompt": "It is {datetime}. Be brief. "}'})
    assert verdicts == [Verdict("sub-day-clock", "minute", "within", "timestamp", "error")]


# zylon-ai/private-gpt 2271
def test_an_iso_time_in_the_header_of_a_template(builder: MakeProject) -> None:
    source = """
        from datetime import datetime
        from jinja2 import Template
        HEADER = Template("Current date: {{ current_date }}\\n\\n{{ guidelines }}")
        def build():
            return HEADER.render(current_date=datetime.now().isoformat(), guidelines=GUIDE)
    """
    assert lint(builder, source) == [
        Verdict("sub-day-clock", "second", "within", "timestamp", "error")
    ]


# NousResearch/hermes-agent 15866
def test_a_memoised_prompt_of_an_object_that_is_new_in_every_turn(builder: MakeProject) -> None:
    source = """
        from datetime import datetime
        class Agent:
            prompt = None
            def system_prompt(self):
                if self.prompt is None:
                    self.prompt = f"{BASE}\\nConversation started: {datetime.now():%I:%M %p}"
                return self.prompt
        def build():
            return Agent().system_prompt(), [RUN]
    """
    assert lint(builder, source) == [
        Verdict("sub-day-clock", "minute", "within", "timestamp", "error")
    ]


# NousResearch/hermes-agent 15866, the same agent without the gateway
def test_a_memoised_prompt_of_an_object_that_lives_on(builder: MakeProject) -> None:
    source = """
        from datetime import datetime
        class Agent:
            prompt = None
            def system_prompt(self):
                if self.prompt is None:
                    self.prompt = f"{BASE}\\nConversation started: {datetime.now():%I:%M %p}"
                return self.prompt
        AGENT = Agent()
        def build():
            return AGENT.system_prompt(), [RUN]
    """
    assert lint(builder, source) == [
        Verdict("sub-day-clock", "clock-at-start", "between", "timestamp", "warning")
    ]


# aaif-goose/goose 2431
def test_a_clock_that_was_cut_to_the_hour(builder: MakeProject) -> None:
    source = """
        from datetime import datetime, timezone
        def build():
            now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:00")
            return f"You are goose.\\n\\nThe current date is {now}.\\n\\n{GUIDE}"
    """
    assert lint(builder, source) == [
        Verdict("sub-day-clock", "hour", "within", "timestamp", "error")
    ]


# crystal-autobot/autobot 143
def test_a_builder_with_several_faults(builder: MakeProject) -> None:
    source = """
        import time
        from pathlib import Path
        def build():
            skills = [path.read_text() for path in Path("skills").glob("*/SKILL.md")]
            memory = Path("MEMORY.md").read_text()
            return "\\n\\n".join([time.strftime("%H:%M"), memory, *skills, GUIDE])
    """
    files = {
        "work/skills/csv/SKILL.md": "# CSV\nReads tables of numbers.\n",
        "work/skills/pdf/SKILL.md": "# PDF\nReads papers.\n",
        "work/MEMORY.md": "- the owner likes small commits\n",
    }
    verdicts = lint(builder, source, REQUEST + FOLDERS, **files, **{"home/.profile": ""})
    assert set(verdicts) == {
        Verdict("sub-day-clock", "minute", "within", "timestamp", "error"),
        Verdict("live-memory-file", "mid-session-edit", "within", "memory", "warning"),
        Verdict("live-memory-file", "mid-session-edit", "within", "skills", "warning"),
        Verdict("unsorted-listing", "listing-order", "across", "skills", "info"),
    }


# joshuadavidthomas/opencode-agent-memory 8
def test_a_plug_in_that_inserts_a_time_with_each_block_of_memory(builder: MakeProject) -> None:
    plugin = (
        "from datetime import datetime\n"
        "def transform(system):\n"
        "    now = datetime.now().isoformat(timespec='milliseconds')\n"
        "    system.insert(1, f'<memory_metadata>\\ncurrent: {now}\\n</memory_metadata>')\n"
    )
    source = """
        from plugin import transform
        def build():
            system = [BASE, GUIDE]
            transform(system)
            return tuple(system)
    """
    assert lint(builder, source, **{"plugin.py": plugin}) == [
        Verdict("sub-day-clock", "second", "within", "memory", "error")
    ]


# crystal-autobot/autobot 143: the time went into the user message, and had to be stored there
def test_a_time_in_the_user_message_that_every_step_writes_anew(builder: MakeProject) -> None:
    source = """
        from datetime import datetime
        def build(world):
            asked = f"{world.user_message}\\n(It is {datetime.now():%H:%M:%S}.)"
            return {"tools": [RUN], "messages": [
                {"role": "system", "content": BASE}, {"role": "user", "content": asked}]}
    """
    assert lint(builder, source) == [Verdict("sub-day-clock", "step", "within", "user", "error")]


# openclaw/openclaw 19563
def test_a_line_with_the_node_and_the_time(builder: MakeProject) -> None:
    source = """
        import socket, time
        def build():
            return f"{BASE}\\nRuntime: {socket.gethostname()}, {time.strftime('%H:%M')}", [RUN]
    """
    assert lint(builder, source) == [
        Verdict("identity-line", "machine", "across", "environment", "info"),
        Verdict("sub-day-clock", "minute", "within", "timestamp", "error"),
    ]


# zeroclaw-labs/zeroclaw 10858, anomalyco/opencode 32622
def test_a_date_and_an_offset_as_the_first_section(builder: MakeProject) -> None:
    source = """
        from datetime import datetime
        def build():
            return f"Date: {datetime.now().astimezone():%Y-%m-%d, UTC offset %z}\\n{BASE}"
    """
    assert lint(builder, source) == [
        Verdict("date-in-prefix", "day", "within", "timestamp", "warning")
    ]


# anomalyco/opencode 32677
def test_a_date_that_is_pinned_to_the_session(builder: MakeProject) -> None:
    source = """
        from datetime import date
        STARTED = date.today()
        def build():
            return f"{BASE}\\nToday's date: {STARTED:%a %b %d %Y}", [RUN]
    """
    assert lint(builder, source) == [
        Verdict("date-in-prefix", "day", "between", "timestamp", "info")
    ]


# can1357/oh-my-pi 7324, home-assistant/core 141156
def test_the_template_decides_what_a_trailing_date_costs(builder: MakeProject) -> None:
    first = (
        "{% for t in tools or [] %}{{ t | tojson }}{% endfor %}"
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    )
    project = builder(
        "from datetime import date\n"
        "RUN = {'name': 'run', 'description': 'Runs one command. ' * 200}\n"
        "def build():\n    return f'You are kind.\\nToday: {date.today()}', [RUN]\n",
        **{"first.jinja": first},
    )
    lost = []
    for options in ((), ("--model", "first.jinja")):
        (finding,) = project.json("check", *options)[1]["findings"]
        assert (finding["rule"], finding["severity"]) == ("date-in-prefix", "info")
        assert finding["history_lost"]
        lost.append(finding["lost_tokens"])
    assert lost[0] > 600
    assert lost[1] < 10
