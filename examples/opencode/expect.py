"""What must be true of two turns of OpenCode: what moves stands in front of what stays.

`python expect.py RECORDING REPLAY`: what `promptlint record` and `promptlint replay` wrote.
"""

import json
import sys
from pathlib import Path

from promptlint.captures.conversations import conversations
from promptlint.captures.read import read_captures

recording, replay = map(Path, sys.argv[1:])
found = conversations(read_captures([recording]).requests)
assert len(found.auxiliary) == 1, "the title is asked for in a request of its own"
(conversation,) = found.conversations
first, second = (captured.request for captured in conversation.turns)

system = first.system_text
order = ("Working directory: ", "Today's date: ", "Prices are integers", "<name>release-notes")
places = [system.index(text) for text in order]
assert places == sorted(places), f"another order than {order}"

# The skill stands in two folders; which one wins is a race between two scans.
folders = (".opencode/skill/", ".agents/skills/")
winners = [next(f for f in folders if f in r.system_text) for r in (first, second)]
breaks = [turn["break"] for turn in json.loads(replay.read_text())["turns"]]
if winners[0] == winners[1]:
    assert breaks[-1] is None, breaks
    race = f"the skill of {winners[0]} won twice"
else:
    assert winners[1] in breaks[-1]["after"], breaks
    race = f"the skill of {winners[0]} won, then that of {winners[1]}: the prefix breaks there"

assert second.tools == first.tools
assert second.messages[: len(first.messages)] == first.messages
print(f"opencode: directory and date stand in front of AGENTS.md and skills; {race}")
