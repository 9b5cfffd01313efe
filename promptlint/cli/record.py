"""`promptlint record`: capture what an agent sends, with no API key."""

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from promptlint.cli.exit_codes import COULD_NOT_CHECK, PASSED

if TYPE_CHECKING:
    from promptlint.captures.recorder.record import Outcome
    from promptlint.captures.recorder.recording import Recording


@click.command(
    "record",
    short_help="Capture what an agent sends.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("recording.jsonl"),
    help="The file to write, one request a line. Default: recording.jsonl.",
)
@click.option("--reply", default="ok", help="The text of every answer. Default: ok.")
@click.option(
    "--replies",
    "replies_path",
    type=click.Path(path_type=Path),
    help="A file of answers in order: texts and tool calls, as JSON or JSON lines.",
)
@click.option(
    "--turns",
    type=click.IntRange(min=1),
    default=1,
    help="Run the command this often, each time going on with its session.",
)
@click.option(
    "--resume",
    default="",
    help="Arguments with which the command goes on with its session. Known: claude, codex, "
    "opencode, pi.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="A fixed port, for agents that read the address from a file. Default: a free one.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    default=600,
    help="Seconds after which a run is ended; 0 for never. Default: 600.",
)
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED)
def command(
    output: Path,
    reply: str,
    replies_path: Path | None,
    turns: int,
    resume: str,
    port: int,
    time_limit: float,
    arguments: tuple[str, ...],
) -> int:
    """Run COMMAND against a local server that answers in a model's place, and write down what
    it sends: `promptlint record -- COMMAND`.

    The base-URL variables of the usual clients lead to the server, which speaks OpenAI chat
    completions and Responses, Anthropic Messages and Gemini. No header and no key is written.

    Exits with 0 when something was recorded and the command ended well, else with 2.
    """
    from promptlint.captures.recorder.command import CommandError
    from promptlint.captures.recorder.record import record
    from promptlint.captures.recorder.recording import Recording
    from promptlint.captures.recorder.reply import Reply, ReplyError, Script, read_replies

    if shutil.which(arguments[0]) is None:
        # Said before the file is opened: an older recording is worth more than a slip.
        raise click.ClickException(f"{arguments[0]}: no such command")
    try:
        script = Script(read_replies(replies_path) if replies_path else (), Reply(reply))
        resume_arguments = shlex.split(resume)
    except (ReplyError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    try:
        with output.open("w", encoding="utf-8") as file:
            recording = Recording(file)
            outcome = record(
                arguments,
                recording,
                script,
                turns=turns,
                resume=resume_arguments,
                port=port,
                time_limit=time_limit or None,
            )
    except CommandError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        place = error.filename or f"port {port}"
        raise click.ClickException(f"{place}: {error.strerror}") from None
    for line in _summary(arguments[0], recording, outcome, output):
        click.echo(f"promptlint: {line}", err=True)
    ended_well = all(run.status == 0 for run in outcome.runs)
    return PASSED if recording.requests and ended_well else COULD_NOT_CHECK


def _summary(name: str, recording: "Recording", outcome: "Outcome", output: Path) -> list[str]:
    from promptlint.captures.recorder.connections import CAN_BE_SEEN
    from promptlint.output.plain import one_line
    from promptlint.phrases import count

    number = len(recording.requests)
    formats = ", ".join(sorted({recorded.format.value for recorded in recording.requests}))
    lines = [f"{output}: {count(number, 'request')}" + (f" ({formats})" if formats else "")]
    if not number:
        lines.append(
            "nothing was recorded: does the agent read its address from a file? "
            "The server is at $PROMPTLINT_BASE_URL, --port fixes its port"
        )
    if recording.repeated:
        lines.append(f"{recording.repeated} of them repeat an earlier one byte for byte: retries")
    if len(outcome.runs) > 1 and not outcome.resumes:
        lines.append(f"{name} is not known to resume (--resume): its runs are separate sessions")
    for turn, run in enumerate(outcome.runs, start=1):
        which = f"run {turn}: " if len(outcome.runs) > 1 else ""
        if run.status is None:
            lines.append(f"{which}{name} was ended at the time limit")
        elif run.status:
            lines.append(f"{which}{name} ended with status {run.status}")
    elsewhere = sorted({address for run in outcome.runs for address in run.elsewhere})
    for host, port in elsewhere:
        lines.append(f"{name} was also connected to {host} port {port}, which is not recorded")
    if not CAN_BE_SEEN:
        lines.append("connections to other servers cannot be seen on this platform")
    lines += [f"not recorded: {problem}" for problem in recording.problems]
    lines += [f"answered: {times}x {what}" for what, times in sorted(recording.lookups.items())]
    return [one_line(line) for line in lines]
