"""An incident of a real agent, re-created in small: what the real command says of it."""

from textwrap import dedent
from typing import NamedTuple

from tests.measure.repository import commit
from tests.project import MakeProject

REQUEST = 'rebuilt = "request"\n'
SESSION = 'rebuilt = "session"\n'
FOLDERS = 'workspace = "work"\nhome = "home"\n'

# Some 600 tokens of text that stays, and 900 of tools.
_PRELUDE = """
BASE = "You are a careful coding agent who reads before writing. " * 60
GUIDE = "Prices are integers in cents, never floats. " * 60
RUN = {"name": "run", "description": "Runs one command. " * 200}
ASK = {"name": "ask", "description": "Asks the user. " * 20}
"""


class Verdict(NamedTuple):
    """One finding: what a user needs to know of it."""

    rule: str
    axis: str
    scope: str
    source: str
    severity: str


def lint(builder: MakeProject, source: str, config: str = REQUEST, **files: str) -> list[Verdict]:
    """The verdicts on the prompt that `build` makes, by the line that caused them.

    `BASE` and `GUIDE` are long texts that stay, `RUN` and `ASK` are tools. What stands
    in `work` is committed.
    """
    project = builder(_PRELUDE + dedent(source), config, **files)
    if (project.folder / "work").is_dir():
        commit(project.folder / "work")
    _, result = project.json("check")
    assert not result["errors"]
    return [
        Verdict(
            finding["rule"],
            finding["axis"],
            finding["scope"],
            finding["span"]["source"] if finding["span"] else "",
            finding["severity"],
        )
        for finding in result["findings"]
    ]
