"""A prompt whose builder is a Python function: run in its worlds."""

import json
from collections.abc import Sequence
from pathlib import Path

from promptlint.builders.answer import Answer
from promptlint.builders.settings import BuilderSettings
from promptlint.config import Config, PromptConfig
from promptlint.location import Location
from promptlint.measure.attempts import Abilities
from promptlint.measure.bench import BuilderBench
from promptlint.measure.context_files import find_context_files, missing_context_files
from promptlint.measure.exercised import exercised
from promptlint.measure.procedure import measure
from promptlint.measure.run import PromptError, Run, copied_folders
from promptlint.request import Json
from promptlint.sections.find import Knowledge
from promptlint.worlds.world import World

# A call this slow may import modules late, which every new child would do again.
_SLOW_CALL_SECONDS = 1.0


def run_builder(prompt: PromptConfig, config: Config, *, lines: bool = False) -> Run:
    """Run the prompt's builder in its worlds; `lines` asks which lines of the project ran.

    Raises BuilderError and BodyError, and PromptError where its tools cannot be read.
    """
    settings = _settings(prompt, config)
    roots = copied_folders(prompt, config)
    with BuilderBench(settings) as bench:
        process = bench.start(World())
        process.ask([World()])
        answer = process.answer
        if answer.seconds > _SLOW_CALL_SECONDS:
            process.learn()
        files = find_context_files(roots, prompt.files)
        looked_for = [_root_and_path(key) for key in answer.looked_for]
        missing = missing_context_files((pair for pair in looked_for if pair[0] in roots), files)
        can = Abilities(
            takes_world=answer.takes_world,
            takes_tools=settings.tools is not None and answer.takes_world,
            copies_workspace="workspace" in roots,
            copies_home="home" in roots,
            files=(*files, *missing),
        )
        measurement = measure(process, bench, can, prompt.rebuilt)
        with_lines = answer if answer.executed is not None or not lines else bench.traced()
    return Run(
        measurement,
        requests=measurement.base.requests,
        base_time=settings.base_time,
        knowledge=Knowledge(patterns=prompt.sources, modules=answer.modules),
        location=Location(settings.target.rpartition(":")[0]),
        rebuilt=prompt.rebuilt,
        turns_measured=answer.takes_world or len(measurement.base.requests) > 1,
        notes=_isolation_notes(answer),
        exercised=exercised(measurement, with_lines),
    )


def _root_and_path(key: str) -> tuple[str, str]:
    root, _, path = key.partition(":")
    return root, path


def _isolation_notes(answer: Answer) -> Sequence[str]:
    if any(mean != "audit hooks" for mean in answer.isolation):
        return ()
    return ("this platform offers no isolation but audit hooks: child processes were not confined",)


def _settings(prompt: PromptConfig, config: Config) -> BuilderSettings:
    assert prompt.builder is not None
    python = prompt.python or config.python
    return BuilderSettings(
        target=prompt.builder,
        base=config.base,
        # Not resolved: a virtual environment's interpreter is a link that must stay one.
        python=config.base / Path(python).expanduser() if python else None,
        workspace=Path(prompt.workspace) if prompt.workspace else None,
        home=Path(prompt.home) if prompt.home else None,
        timeout=prompt.timeout,
        network=prompt.network,
        tools=_tools(prompt, config.base),
    )


def _tools(prompt: PromptConfig, base: Path) -> Json:
    """The content of a JSON file, or the text of a target that the worker evaluates."""
    if prompt.tools is None or not prompt.tools.endswith(".json"):
        return prompt.tools
    path = base / prompt.tools
    try:
        tools = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise PromptError(f"{prompt.name}: {path}: {error.strerror}") from None
    except ValueError as error:
        raise PromptError(f"{prompt.name}: {path}: this is no JSON: {error}") from None
    if isinstance(tools, dict) and isinstance(tools.get("tools"), list):
        tools = tools["tools"]
    if not isinstance(tools, list):
        raise PromptError(f"{prompt.name}: {path}: this is no list of tools")
    return list(tools)
