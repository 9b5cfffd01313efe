"""What two turns cannot show: OpenCode on another day and on another machine.

`python worlds.py OPENCODE`: the path of the program.
"""

import os
import sys
from pathlib import Path

from promptlint.builders.settings import BuilderSettings
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.recorder.bench import CommandBench
from promptlint.captures.recorder.command_settings import CommandSettings
from promptlint.layout import Axis, Scope
from promptlint.worlds.world import World

BASE, DAY, MACHINE = World(), World(clock=86_400), World(machine=1)

names = [name for name in os.environ if name.startswith(("OPENCODE_", "npm_config_"))]
builder = BuilderSettings(
    "opencode",
    Path(__file__).parent,
    workspace=Path("workspace"),
    environment={name: os.environ[name] for name in names},
    timeout=120,
)
command = CommandSettings((sys.argv[1], "run", "Which tests are there?"))
with CommandBench(builder, command) as bench:
    system = bench.start(BASE).ask([BASE])[0].requests[-1].system_text
    day = bench.start(DAY).ask([DAY])[0].requests[-1].system_text
    machine = bench.start(MACHINE).ask([MACHINE])[0].requests[-1].system_text
    reasons = bench.not_exercised()


def parts(other: str) -> int:
    """Where another system prompt parts from the base one."""
    return common_prefix(system, other)


front, date = system.index("Working directory: "), system.index("Today's date: ")
project = system.index("Prices are integers")
assert front <= parts(machine) < date < project, "another machine moves the directory"
lost = len(system) - parts(machine)
print(f"opencode: another machine moves the directory, in front of {lost:,} characters")
if (Axis.DAY, Scope.BETWEEN) in reasons:
    print(f"opencode: day: not exercised: {reasons[Axis.DAY, Scope.BETWEEN]}")
else:
    assert date <= parts(day) < project, "another day moves the date"
    lost = len(system) - parts(day)
    print(f"opencode: another day moves the date, in front of {lost:,} characters")
