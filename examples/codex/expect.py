"""What must be true of two turns of Codex: a clean layout, and a second turn that only adds.

`python expect.py RECORDING REPLAY`: what `promptlint record` and `promptlint replay` wrote.
"""

import json
import re
import sys
from pathlib import Path

from promptlint.captures.read import read_captures

recording, replay = map(Path, sys.argv[1:])
first, second = (captured.request for captured in read_captures([recording]).requests)

# The first developer message is the base prompt: nothing in it can move.
assert first.system_text.startswith("You are a coding agent"), first.system_text[:80]
assert not re.search(r"\d{4}-\d\d-\d\d", first.system_text), "a date is in the base prompt"
assert str(Path.cwd()) not in first.system_text, "the working directory is in the base prompt"

# Everything else of the harness stands in messages, what moves behind what stays.
roles = [message.role for message in first.messages]
assert roles == ["developer", "user", "user"], roles
skills, context, _ = (message.text for message in first.messages)
assert "release-notes" in skills
places = [context.index(text) for text in ("Prices are integers", "<cwd>", "<current_date>")]
assert places == sorted(places), "the date no longer stands behind AGENTS.md"

# The second turn goes on from the first, byte for byte.
assert second.system == first.system
assert second.tools == first.tools
assert second.messages[: len(first.messages)] == first.messages

turns = json.loads(replay.read_text())["turns"]
assert [turn["break"] for turn in turns] == [None, None], turns
assert turns[1]["common_prefix"] > 0.9 * turns[0]["tokens"], turns
print("codex: clean: AGENTS.md, then directory and date; the second turn only adds")
