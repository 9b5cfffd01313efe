"""A prompt by its configuration, by a target or by a text file: measured under its models."""

from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from promptlint.bodies import BodyError
from promptlint.builders.error import BuilderError
from promptlint.builders.settings import default_base_time
from promptlint.config import Config, PromptConfig
from promptlint.layout import Confidence, Layout, Source
from promptlint.location import Location
from promptlint.measure.build import build_layout
from promptlint.measure.builder import run_builder
from promptlint.measure.command import run_command
from promptlint.measure.exercised import Exercised
from promptlint.measure.measurement import Measurement
from promptlint.measure.missed_clock import missed_clock
from promptlint.measure.renderings import Renderings
from promptlint.measure.run import PromptError, Run
from promptlint.measure.shot import Shot, completed
from promptlint.models.find import find_model
from promptlint.models.model import Model, ModelError
from promptlint.request import Block, Request
from promptlint.sections.find import Knowledge
from promptlint.sections.mark import Mark
from promptlint.templates import TemplateError
from promptlint.worlds.world import World


class MeasuredPrompt(Struct, frozen=True):
    """A prompt's layout under each of its models, and the requests that one call made.

    Several requests are the turns of one session, in time order. `location` is where the
    prompt is made, `exercised` what was tried.
    """

    layouts: tuple[Layout, ...]
    models: tuple[Model, ...]
    requests: tuple[Request, ...]
    location: Location
    exercised: Exercised


def measured_layouts(prompt: PromptConfig, config: Config) -> tuple[Layout, ...]:
    """The prompt's layout under each of its models, measured in changed worlds.

    Raises PromptError where the builder, its tools or a model cannot be used.
    """
    return measured_prompt(prompt, config).layouts


def measured_prompt(prompt: PromptConfig, config: Config, *, lines: bool = False) -> MeasuredPrompt:
    """The prompt measured in changed worlds, under each of its models.

    `lines` asks which lines of the project ran, even where that takes another run.
    Raises PromptError where the builder, its tools or a model cannot be used.
    """
    try:
        models = [_model(name, prompt, config) for name in prompt.models or (config.model,)]
        if prompt.command:
            run = run_command(prompt, config)
        else:
            run = run_builder(prompt, config, lines=lines)
        layouts = tuple(_layout(prompt, run, model) for model in models)
        return MeasuredPrompt(layouts, tuple(models), run.requests, run.location, run.exercised)
    except (BuilderError, BodyError, ModelError, TemplateError) as error:
        told = error.traceback or error.output if isinstance(error, BuilderError) else ""
        raise PromptError(f"{prompt.name}: {error}", told) from error


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
        renderings = Renderings(model, default_base_time(), Knowledge(ground=(ground,)))
        return (build_layout(shown, Measurement(base, base), renderings, location=place),)
    except (ModelError, TemplateError) as error:
        raise PromptError(f"{shown}: {error}") from error


def _model(name: str | None, prompt: PromptConfig, config: Config) -> Model:
    tokenizer = prompt.tokenizer or config.tokenizer
    return find_model(name, tokenizer=tokenizer, base=config.base)


def _layout(prompt: PromptConfig, run: Run, model: Model) -> Layout:
    layout = build_layout(
        prompt.name,
        run.measurement,
        Renderings(model, run.base_time, run.knowledge),
        rebuilt=run.rebuilt,
        location=run.location,
        turns_measured=run.turns_measured,
        notes=run.notes,
    )
    missed = missed_clock(layout, datetime.now(UTC).date(), run.base_time.date())
    return replace(layout, notes=(*layout.notes, *missed))
