"""What must be true of two turns of Pi: what moves stands last in the system prompt.

`python expect.py RECORDING REPLAY`: what `promptlint record` and `promptlint replay` wrote.
"""

import json
import sys
from pathlib import Path

from promptlint.captures.read import read_captures

recording, replay = map(Path, sys.argv[1:])
first, second = (captured.request for captured in read_captures([recording]).requests)

system = first.system_text
order = ("Prices are integers", "release-notes", "Current date: ", "Current working directory: ")
places = [system.index(text) for text in order]
assert places == sorted(places), f"another order than {order}"
assert system[places[2] :].count("\n") == 1, "something stands behind the date and the directory"

assert second.system == first.system
assert second.tools == first.tools
assert second.messages[: len(first.messages)] == first.messages

turns = json.loads(replay.read_text())["turns"]
assert [turn["break"] for turn in turns] == [None, None], turns
print("pi: clean: AGENTS.md, skills, then date and directory; the second turn only adds")
