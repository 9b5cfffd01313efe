"""The command line."""

import gc
import sys
from collections.abc import Sequence

from promptlint.cli.no_prompt import nothing_to_read


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns 0 for a pass, 1 for findings, 2 for what could not be checked."""
    given = sys.argv[1:] if arguments is None else arguments
    if nothing_to_read(given):
        sys.stdout.write("Nothing found.\n")
        return 0
    collect_seldom()
    from promptlint.cli.commands import run

    return run(given)


def collect_seldom() -> None:
    """Look for garbage less often: nearly all that a command makes stays to its end."""
    gc.set_threshold(100_000, 50, 50)
