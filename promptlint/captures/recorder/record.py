"""Record what a command sends: a server, the command, its turns."""

import os
from collections.abc import Mapping, Sequence

from msgspec import Struct

from promptlint.captures.recorder.agents import resumed
from promptlint.captures.recorder.command import Ended, run_command
from promptlint.captures.recorder.environment import recorder_environment
from promptlint.captures.recorder.recording import Recording
from promptlint.captures.recorder.reply import Script
from promptlint.captures.recorder.server import ADDRESS, RecorderServer


class Outcome(Struct, frozen=True):
    """How the runs of the command ended, and whether each one went on with the session before."""

    runs: tuple[Ended, ...]
    resumes: bool


def record(
    command: Sequence[str],
    recording: Recording,
    script: Script,
    *,
    turns: int = 1,
    resume: Sequence[str] = (),
    port: int = 0,
    time_limit: float | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Outcome:
    """Run the command once for each turn, and write down what it sends.

    `resume` are arguments with which it goes on with its newest session; known agents have
    their own. A command that cannot go on is repeated: its runs are sessions of their own.
    It ends early where a run fails. `time_limit` is in seconds, for one run.

    Raises CommandError, and OSError where the port is taken.
    """
    following = resumed(command, resume)
    runs: list[Ended] = []
    with RecorderServer(recording, script, port) as server:
        variables = recorder_environment(server.url, environment)
        for turn in range(turns):
            if turns > 1 and following is None:
                recording.session = f"run {turn + 1}"
            runs.append(
                run_command(
                    command if turn == 0 or following is None else following,
                    variables,
                    recorder=(ADDRESS, server.port),
                    time_limit=time_limit,
                )
            )
            if runs[-1].status != 0:
                break
    return Outcome(tuple(runs), following is not None)
