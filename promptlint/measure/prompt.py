"""A prompt by its configuration, by a target or by a text file: measured under its models."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from promptlint.bodies import BodyError
from promptlint.builders.answer import Answer
from promptlint.builders.error import BuilderError
from promptlint.builders.settings import BuilderSettings, default_base_time
from promptlint.config import Config, PromptConfig
from promptlint.layout import Confidence, Layout, Source
from promptlint.location import Location
from promptlint.measure.attempts import Abilities
from promptlint.measure.bench import BuilderBench
from promptlint.measure.build import Builder, build_layout
from promptlint.measure.context_files import find_context_files, missing_context_files
from promptlint.measure.measurement import Measurement
from promptlint.measure.missed_clock import missed_clock
from promptlint.measure.procedure import measure
from promptlint.measure.shot import Shot, completed
from promptlint.models.find import find_model
from promptlint.models.model import Model, ModelError
from promptlint.request import Block, Json, Request
from promptlint.sections.find import Knowledge
from promptlint.sections.mark import Mark
from promptlint.templates import TemplateError
from promptlint.worlds.world import World

# A call this slow may import modules late, which every new child would do again.
_SLOW_CALL_SECONDS = 1.0

_COPIED = ("workspace", "home")


class PromptError(Exception):
    """A prompt that could not be checked. One line: the prompt, then the cause."""

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback


@dataclass(frozen=True, slots=True)
class _Run:
    """A measured builder: what was tried, and what the worker told about it."""

    measurement: Measurement
    answer: Answer
    settings: BuilderSettings


@dataclass(frozen=True, slots=True)
class MeasuredPrompt:
    """A prompt's layout under each of its models, and the requests that one call made.

    Several requests are the turns of one session, in time order.
    """

    layouts: tuple[Layout, ...]
    models: tuple[Model, ...]
    requests: tuple[Request, ...]


def measured_layouts(prompt: PromptConfig, config: Config) -> tuple[Layout, ...]:
    """The prompt's layout under each of its models, measured in changed worlds.

    Raises PromptError where the builder, its tools or a model cannot be used.
    """
    return measured_prompt(prompt, config).layouts


def measured_prompt(prompt: PromptConfig, config: Config) -> MeasuredPrompt:
    """The prompt measured in changed worlds, under each of its models.

    Raises PromptError where the builder, its tools or a model cannot be used.
    """
    try:
        models = [_model(name, prompt, config) for name in prompt.models or (config.model,)]
        run = _run(prompt, config)
        layouts = tuple(_layout(prompt, run, model) for model in models)
        return MeasuredPrompt(layouts, tuple(models), run.measurement.base.requests)
    except (BuilderError, BodyError, ModelError, TemplateError) as error:
        traceback = error.traceback if isinstance(error, BuilderError) else ""
        raise PromptError(f"{prompt.name}: {error}", traceback) from error


def text_layouts(path: Path, config: Config) -> tuple[Layout, ...]:
    """The layout of a prompt that stands in a text file: nothing but the template can move it."""
    shown = str(path)
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise PromptError(f"{shown}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PromptError(f"{shown}: this is no text in UTF-8") from None
    if not text.strip():
        raise PromptError(f"{shown}: the prompt is empty")
    base = Shot(World(), (completed(Request(system=(Block(text),)), ()),))
    place = Location(shown, 1)
    ground = Mark(0, len(text), Source.BASE, Source.BASE.value, Confidence.HIGH, place)
    try:
        model = find_model(config.model, tokenizer=config.tokenizer, base=config.base)
        builder = Builder(model, default_base_time(), Knowledge(ground=(ground,)))
        return (build_layout(shown, Measurement(base, base), builder, location=place),)
    except (ModelError, TemplateError) as error:
        raise PromptError(f"{shown}: {error}") from error


def _model(name: str | None, prompt: PromptConfig, config: Config) -> Model:
    tokenizer = prompt.tokenizer or config.tokenizer
    return find_model(name, tokenizer=tokenizer, base=config.base)


def _run(prompt: PromptConfig, config: Config) -> _Run:
    settings = _settings(prompt, config)
    roots = {
        name: config.base / folder
        for name in _COPIED
        if (folder := getattr(prompt, name)) is not None
    }
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
        return _Run(measure(process, bench, can, prompt.rebuilt), answer, settings)


def _root_and_path(key: str) -> tuple[str, str]:
    root, _, path = key.partition(":")
    return root, path


def _layout(prompt: PromptConfig, run: _Run, model: Model) -> Layout:
    knowledge = Knowledge(patterns=prompt.sources, modules=run.answer.modules)
    layout = build_layout(
        prompt.name,
        run.measurement,
        Builder(model, run.settings.base_time, knowledge),
        rebuilt=prompt.rebuilt,
        location=_location(run.settings),
        takes_world=run.answer.takes_world,
        notes=_isolation_notes(run.answer),
    )
    missed = missed_clock(layout, datetime.now(UTC).date(), run.settings.base_time.date())
    return replace(layout, notes=(*layout.notes, *missed))


def _location(settings: BuilderSettings) -> Location:
    return Location(settings.target.rpartition(":")[0])


def _isolation_notes(answer: Answer) -> Sequence[str]:
    if any(mean != "audit hooks" for mean in answer.isolation):
        return ()
    return ("this platform offers no isolation but audit hooks: child processes were not confined",)


def _settings(prompt: PromptConfig, config: Config) -> BuilderSettings:
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
