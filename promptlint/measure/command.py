"""A prompt whose builder is a command: recorded in its worlds."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from promptlint.builders.settings import BuilderSettings
from promptlint.captures.recorder.bench import CommandBench
from promptlint.captures.recorder.command_settings import CommandSettings
from promptlint.captures.recorder.reply import ReplyError, Script, read_replies
from promptlint.config import Config, PromptConfig
from promptlint.layout import Rebuilt
from promptlint.location import Location
from promptlint.measure.attempts import Abilities
from promptlint.measure.command_procedure import measure_command
from promptlint.measure.context_files import ContextFile, find_context_files
from promptlint.measure.run import PromptError, Run, copied_folders
from promptlint.sections.files import KnownFile
from promptlint.sections.find import Knowledge


def run_command(prompt: PromptConfig, config: Config) -> Run:
    """Record the prompt's command in its worlds.

    Raises BuilderError, and PromptError where its replies cannot be read.
    """
    folders = copied_folders(prompt, config)
    files = find_context_files(folders, prompt.files)
    can = Abilities(
        takes_world=False,
        takes_tools=False,
        copies_workspace="workspace" in folders,
        copies_home="home" in folders,
        files=files,
    )
    settings = BuilderSettings(
        prompt.name,
        config.base,
        workspace=Path(prompt.workspace) if prompt.workspace else None,
        home=Path(prompt.home) if prompt.home else None,
        timeout=prompt.timeout,
    )
    command = CommandSettings(prompt.command, prompt.resume, _script(prompt, config.base))
    with CommandBench(settings, command) as bench:
        measurement = measure_command(bench, can)
        notes = bench.notes()
    goes_on = command.following is not None
    base, again = measurement.base, measurement.again
    return Run(
        measurement,
        requests=(*base.requests, *again.requests) if goes_on else base.requests,
        base_time=settings.base_time,
        knowledge=Knowledge(patterns=prompt.sources, files=tuple(_contents(files, folders))),
        location=Location(config.path.name if config.path else prompt.name),
        # What was recorded are the requests themselves.
        rebuilt=Rebuilt.REQUEST,
        turns_measured=goes_on,
        notes=notes,
    )


def _script(prompt: PromptConfig, base: Path) -> Script:
    if prompt.replies is None:
        return Script()
    try:
        return Script(read_replies(base / prompt.replies))
    except ReplyError as error:
        raise PromptError(f"{prompt.name}: {error}") from None


def _contents(files: Iterable[ContextFile], folders: Mapping[str, Path]) -> Iterable[KnownFile]:
    """What the context files hold: nobody watches a command read them."""
    for file in files:
        text = (folders[file.root] / file.path).read_text("utf-8", "replace")
        yield KnownFile(file.path, text)
