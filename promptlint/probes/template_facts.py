"""Everything that is measured about one chat template."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import ToolsPosition
from promptlint.models.model import Model, ModelError
from promptlint.probes.breaks import Break
from promptlint.probes.conversation import SYSTEM_TEXT, Shape, session, shapes
from promptlint.probes.dates import PrintedDate, asks_for_time, printed_dates
from promptlint.probes.history import history_breaks
from promptlint.probes.parameters import Parameter, parameters_of
from promptlint.probes.parts import (
    ArgumentsEffect,
    Parts,
    arguments_effect,
    content_parts,
)
from promptlint.probes.printing import is_final, printed, uncounted, with_special_tokens
from promptlint.probes.system import (
    Fate,
    SystemText,
    default_system_prompt,
    later_message,
    system_text,
)
from promptlint.probes.tools import key_order_matters, tools_in
from promptlint.request import Request
from promptlint.templates import TemplateError


class TemplateFacts(Struct, frozen=True):
    """What one template does to tools, dates, system text and history.

    `refused` names what the probe conversation had to do without. `breaks` are those of
    the conversation with reasoning sent back, `breaks_without_reasoning` of the same one
    without it. A template that `asks_for_time` and has no `dates` does so on a branch that
    no probe reached. Characters count from the start of the rendered text.
    """

    name: str
    origin: str
    refused: tuple[str, ...]
    tools: ToolsPosition
    key_order_matters: bool
    dates: tuple[PrintedDate, ...]
    asks_for_time: bool
    system_text: SystemText
    default_system: str | None
    second_system: Fate
    developer: Fate
    user_parts: Parts
    system_parts: Parts
    arguments: ArgumentsEffect
    parameters: tuple[Parameter, ...]
    breaks: tuple[Break, ...]
    breaks_without_reasoning: tuple[Break, ...]

    @property
    def extends(self) -> bool:
        """Whether each request of the conversation extends the one before, to the character."""
        return not self.breaks

    @property
    def loses_content(self) -> bool:
        """Whether any request loses text of the one before, and not only marks behind it."""
        return any(made.loses_content for made in self.breaks)


def template_facts(model: Model) -> TemplateFacts:
    """Measure the template of a model.

    Raises ModelError where the model publishes none, TemplateError where its template
    renders no conversation at all.
    """
    if model.template is None:
        raise ModelError(f"{model.name}: its provider publishes no chat template to be tested")
    model = with_special_tokens(model)
    bare = uncounted(model)
    shape, breaks = _accepted(model)
    requests = session(shape)
    last = printed(requests[-1], bare)
    return TemplateFacts(
        name=model.name,
        origin=model.origin,
        refused=shape.refused,
        tools=tools_in(requests[-1], last),
        key_order_matters=key_order_matters(requests[0], bare),
        dates=printed_dates(shape, bare),
        asks_for_time=asks_for_time(model),
        system_text=system_text(last, SYSTEM_TEXT),
        default_system=default_system_prompt(shape, bare),
        second_system=later_message("system", shape, bare),
        developer=later_message("developer", shape, bare),
        user_parts=content_parts("user", bare),
        system_parts=content_parts("system", bare),
        arguments=arguments_effect(shape, bare) if shape.calls else ArgumentsEffect.NOT_RENDERED,
        parameters=parameters_of(_second_turn(requests), bare),
        breaks=breaks,
        breaks_without_reasoning=_without_reasoning(shape, model),
    )


def _accepted(model: Model) -> tuple[Shape, tuple[Break, ...]]:
    """The first shape of the conversation that the template renders from end to end, measured."""
    first: TemplateError | None = None
    for shape in shapes():
        try:
            return shape, history_breaks(session(shape), model)
        except TemplateError as error:
            first = first or error
            if is_final(error):
                break
    assert first is not None
    raise first


def _second_turn(requests: Sequence[Request]) -> Request:
    """The first request with a second user message: arguments about the history show in it."""
    return next(r for r in requests if sum(m.role == "user" for m in r.messages) == 2)


def _without_reasoning(shape: Shape, model: Model) -> tuple[Break, ...]:
    """The breaks of the conversation with no reasoning in it; none where that is refused."""
    try:
        return history_breaks(session(replace(shape, reasoning=False)), model)
    except TemplateError:
        return ()
