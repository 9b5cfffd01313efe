"""What two turns cannot show, measured in worlds: `promptlint check` on OpenCode as a command.

`python worlds.py CHECK RECORDED`: the JSON of its check, and of that of the recording alone.
"""

import json
import sys
from pathlib import Path

from promptlint.captures.recorder.faketime import find_faketime

worlds, recorded = (json.loads(Path(path).read_text())["findings"] for path in sys.argv[1:])

# From the recording alone, date and directory are guesses, unless the skill's race broke it.
guessed = {finding["axis"] for finding in recorded if finding["confidence"] == "low"}
broken = [finding for finding in recorded if finding["confidence"] == "high"]
assert broken or guessed == {"day", "machine"}, recorded

# In worlds they are measured. The day needs libfaketime.
measured = {finding["rule"]: finding for finding in worlds if finding["confidence"] == "high"}
folder = measured["identity-line"]
assert (folder["axis"], folder["span"]["source"]) == ("machine", "environment"), folder
print(f"opencode: another machine moves the directory, {folder['lost_tokens']:,} tokens behind it")
if find_faketime() is None:
    print("opencode: day: not exercised: libfaketime is not installed")
else:
    date = measured["date-in-prefix"]
    assert date["severity"] == "warning", date
    print(f"opencode: another day moves the date, {date['lost_tokens']:,} tokens behind it")

# A new session, or the next turn, shows the skill's other path when the race ends otherwise.
raced = [
    f for f in worlds if f["span"]["source"] == "skills" and f["axis"] in ("new-session", "turn")
]
print(f"opencode: the skill's path {'moved' if raced else 'was the same'} in all worlds")
