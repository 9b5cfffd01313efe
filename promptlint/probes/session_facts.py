"""What one model's template does to a user's own requests, in tokens."""

from collections.abc import Iterator, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from promptlint.captures.common_prefix import common_prefix
from promptlint.layout import ToolsPosition
from promptlint.location import Location
from promptlint.models.model import Model, ModelError
from promptlint.probes.breaks import Break, find_loss
from promptlint.probes.continuation import continued_session
from promptlint.probes.history import history_breaks
from promptlint.probes.parameters import parameters_of
from promptlint.probes.parts import Parts, content_parts
from promptlint.probes.printing import (
    accepted,
    printed,
    sent_arguments,
    uncounted,
    with_special_tokens,
)
from promptlint.probes.system import Fate, fate_of
from promptlint.probes.tools import tools_in
from promptlint.render import Rendered
from promptlint.request import SYSTEM_ROLES, Json, Request
from promptlint.worlds.units import SYSTEM, TOOLS, UnitKey, unit_of


class MovedMessage(Struct, frozen=True):
    """A system or developer message of the conversation that does not stay where it was sent.

    `message` is its index, `lost_tokens` what of the request before it its arrival loses.
    """

    message: int
    role: str
    fate: Fate
    lost_tokens: int


class HeadParameter(Struct, frozen=True):
    """A parameter that the template prints in front of the system text or the tools.

    `values` are what the requests set it to, in their order, each once; None stands for
    a request without it. `char` is the first character that it changes, `lost_tokens`
    what stands behind it in the longest request.
    """

    name: str
    values: tuple[Json, ...]
    char: int
    lost_tokens: int

    @property
    def changes(self) -> bool:
        """Whether the requests of the session differ in it."""
        return len(self.values) > 1


class SessionFacts(Struct, frozen=True):
    """The requests of one session under one model.

    `tokens` is the length of the longest request, `tools_tokens` that of its tools.
    `continued` says that the user gave one request and promptlint wrote what follows:
    the `lost_tokens` of the breaks then count the user's own text only. `leaked` are
    the indices of messages in several parts that the template prints as Python or JSON.
    """

    prompt: str
    model: str
    tokens: int
    tools: ToolsPosition
    tools_tokens: int
    breaks: tuple[Break, ...]
    moved: tuple[MovedMessage, ...] = ()
    leaked: tuple[int, ...] = ()
    parameters: tuple[HeadParameter, ...] = ()
    continued: bool = False
    estimated: bool = False
    location: Location | None = None

    def __str__(self) -> str:
        """The facts in short, as a rule's page shows them."""
        lost = [(f"{made.cause} at request {made.step}", made.lost_tokens) for made in self.breaks]
        lost += [(f"{m.role} message {m.message} {m.fate}", m.lost_tokens) for m in self.moved]
        lost += [(f"{p.name} = {list(p.values)}", p.lost_tokens) for p in self.parameters]
        shown = [f"{what}: {tokens} tokens" for what, tokens in lost]
        shown += [f"parts of message {index} leak" for index in self.leaked]
        whose = "one request, continued" if self.continued else "captured requests"
        return f"{whose}, tools {self.tools}: {'; '.join(shown) or 'nothing is lost'}"


def session_facts(
    requests: Sequence[Request], model: Model, prompt: str, location: Location | None = None
) -> SessionFacts:
    """Measure the requests of one session, in time order, under a model with a template.

    A single request is continued with a tool call, an answer and a user message. Raises
    ModelError where the model publishes no template, TemplateError where it refuses a request.
    """
    if model.template is None:
        raise ModelError(f"{model.name}: its provider publishes no chat template to be tested")
    model = with_special_tokens(model)
    longest = max(requests, key=lambda request: len(request.messages))
    rendered = printed(longest, model)
    alone = len(requests) == 1
    session = continued_session(longest, uncounted(model)) if alone else tuple(requests)
    last = session[-1] if alone else longest
    breaks = history_breaks(session, model)
    if alone:
        breaks = tuple(_own_loss(made, session[made.step - 2], longest, model) for made in breaks)
    return SessionFacts(
        prompt=prompt,
        model=model.name,
        tokens=len(rendered.token_ids),
        tools=tools_in(last, printed(last, uncounted(model))),
        tools_tokens=_tokens(rendered, {TOOLS}),
        breaks=breaks,
        moved=tuple(_moved(longest, rendered, model)),
        leaked=tuple(_leaked(longest, model)),
        parameters=tuple(_head_parameters(requests, longest, rendered, model)),
        continued=alone,
        estimated=rendered.estimated,
        location=location,
    )


def _own_loss(made: Break, old: Request, own: Request, model: Model) -> Break:
    """The break with the lost tokens of the user's own request only."""
    units = {SYSTEM, TOOLS, *(("messages", index) for index in range(len(own.messages)))}
    return replace(made, lost_tokens=_tokens(printed(old, model), units, made.char))


def _tokens(rendered: Rendered, units: Set[UnitKey], start: int = 0) -> int:
    """The tokens of these units from character `start` on."""
    return sum(
        len(rendered.tokens_between(max(run.start, start), run.end))
        for run in rendered.runs
        if run.end > start and unit_of(run.leaf) in units
    )


def _moved(request: Request, rendered: Rendered, model: Model) -> Iterator[MovedMessage]:
    for index, message in enumerate(request.messages):
        if message.role not in SYSTEM_ROLES or index == 0:
            continue
        fate = fate_of(request, index, rendered)
        if fate is Fate.HOISTED:
            before = accepted(replace(request, messages=request.messages[:index]), model)
            after = accepted(replace(request, messages=request.messages[: index + 1]), model)
            yield MovedMessage(index, message.role, fate, _lost_between(before, after))
        elif fate is Fate.DROPPED:
            yield MovedMessage(index, message.role, fate, 0)


def _lost_between(old: Rendered | None, new: Rendered | None) -> int:
    """The tokens of `old` that `new` does not repeat; marks behind the last text count for none."""
    loss = find_loss(old, new) if old and new else None
    if old is None or new is None or loss is None or not loss.loses_content:
        return 0
    return len(old.token_ids) - common_prefix(old.token_ids, new.token_ids)


def _leaked(request: Request, model: Model) -> Iterator[int]:
    """Messages of more than one part: such a content is sent as a list, not as one text."""
    fates: dict[str, Parts] = {}
    for index, message in enumerate(request.messages):
        if len(message.blocks) < 2 and not any(block.mark is not None for block in message.blocks):
            continue
        if message.role not in fates:
            fates[message.role] = content_parts(message.role, model)
        if fates[message.role] is Parts.LEAKED:
            yield index


def _head_parameters(
    requests: Sequence[Request], longest: Request, rendered: Rendered, model: Model
) -> Iterator[HeadParameter]:
    sent = [sent_arguments(request) for request in requests]
    names = {name for arguments in sent for name in arguments}
    head = [run.end for run in rendered.runs if unit_of(run.leaf) in {SYSTEM, TOOLS}]
    for parameter in parameters_of(longest, uncounted(model), names):
        if parameter.char < max(head, default=0):
            values = {
                repr(arguments.get(parameter.name)): arguments.get(parameter.name)
                for arguments in sent
            }
            lost = len(rendered.tokens_between(parameter.char, len(rendered.text)))
            yield HeadParameter(parameter.name, tuple(values.values()), parameter.char, lost)
