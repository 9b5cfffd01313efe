"""Whether a request extends the one before it, and if not: what is lost, and why."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.model import Tokenizer
from promptlint.probes.switch import Switch
from promptlint.render import Rendered
from promptlint.secrets import masked_part
from promptlint.templates import Leaf
from promptlint.worlds.units import SYSTEM, TOOLS, unit_of

Field = tuple[str | int, ...]
"""A text of a request: the system text, the tools, or one field of one message."""

_SHOWN = 60


class Event(StrEnum):
    """What the later request has more than the earlier one."""

    STEP = "step"
    TURN = "turn"


class Cause(StrEnum):
    """What the template did to text that it had printed before."""

    TOOLS_MOVED = "tools-moved"
    SYSTEM_MOVED = "system-moved"
    REASONING_DROPPED = "reasoning-dropped"
    TEXT_DROPPED = "text-dropped"
    CALLS_REWRITTEN = "calls-rewritten"
    MESSAGES_REWRITTEN = "messages-rewritten"
    OWN_TEXT_CHANGED = "template-text-changed"
    GENERATION_PROMPT = "generation-prompt"


class Break(Struct, frozen=True):
    """A request that does not extend the one before it.

    `step` is the number of the later request, from 1. `char` is the first character
    that differs; `lost_chars` and `lost_tokens` stand from there to the end of the earlier
    request. `sections` are the parts of the request among them. `causes` begins with the
    main one. `before` and `after` are the two texts around `char`. `switch` is the
    template's argument that removes the break, or leaves no more than `left_chars`.
    """

    step: int
    event: Event
    causes: tuple[Cause, ...]
    char: int
    lost_chars: int
    lost_tokens: int
    sections: tuple[str, ...]
    before: str
    after: str
    switch: Switch | None = None
    left_chars: int = 0

    @property
    def cause(self) -> Cause:
        """The main cause."""
        return self.causes[0]

    @property
    def loses_content(self) -> bool:
        """Whether text of the request is lost, and not only what the template wrote behind it."""
        return self.cause is not Cause.GENERATION_PROMPT


class Loss(Struct, frozen=True):
    """What of an earlier rendering the next one does not repeat."""

    char: int
    lost_chars: int
    causes: tuple[Cause, ...]
    sections: tuple[str, ...]

    @property
    def loses_content(self) -> bool:
        """Whether text of the request is among it."""
        return Cause.GENERATION_PROMPT not in self.causes


def find_loss(old: Rendered, new: Rendered) -> Loss | None:
    """What `new` does not repeat of `old`; None where it extends it."""
    char = common_prefix(old.text, new.text)
    if char == len(old.text):
        return None
    fields = (field_of(run.leaf) for run in old.runs if run.end > char)
    lost = [field for field in dict.fromkeys(fields) if field is not None]
    causes = tuple(dict.fromkeys(_causes(old, new, lost))) or (Cause.OWN_TEXT_CHANGED,)
    return Loss(char, len(old.text) - char, causes, tuple(dict.fromkeys(map(_section, lost))))


def break_of(
    step: int, event: Event, old: Rendered, new: Rendered, loss: Loss, tokenizer: Tokenizer
) -> Break:
    """The break for a loss, with its tokens."""
    ids = [tokenizer.encode(rendered.text).ids for rendered in (old, new)]
    start = max(loss.char - _SHOWN // 2, 0)
    return Break(
        step=step,
        event=event,
        causes=loss.causes,
        char=loss.char,
        lost_chars=loss.lost_chars,
        lost_tokens=len(ids[0]) - common_prefix(*ids),
        sections=loss.sections,
        before=masked_part(old.text, start, loss.char + _SHOWN),
        after=masked_part(new.text, start, loss.char + _SHOWN),
    )


def printed_fields(rendered: Rendered) -> dict[Field, str]:
    """What the template printed of each text of the request, in the order of appearance."""
    found: dict[Field, list[str]] = {}
    for run in rendered.runs:
        field = field_of(run.leaf)
        if field is not None:
            found.setdefault(field, []).append(rendered.text[run.start : run.end])
    return {field: "".join(texts) for field, texts in found.items()}


def field_of(leaf: Leaf | None) -> Field | None:
    """The text of the request that a leaf belongs to; None for what is the template's own."""
    unit = unit_of(leaf)
    if unit in {SYSTEM, TOOLS}:
        return unit
    return leaf[:3] if leaf is not None and unit[0] == "messages" else None


def _section(field: Field) -> str:
    return "history" if field[0] == "messages" else str(field[0])


def _causes(old: Rendered, new: Rendered, lost: Sequence[Field]) -> Iterator[Cause]:
    if not lost:
        yield Cause.GENERATION_PROMPT
        return
    before, after = printed_fields(old), printed_fields(new)
    for unit, cause in ((TOOLS, Cause.TOOLS_MOVED), (SYSTEM, Cause.SYSTEM_MOVED)):
        if unit in lost and _in_front(before, unit) != _in_front(after, unit):
            yield cause
    for field, text in before.items():
        if field[0] == "messages" and text != after.get(field):
            yield _message_cause(field, gone=field not in after)


def _in_front(fields: dict[Field, str], field: Field) -> set[Field] | None:
    """The messages that stand in front of a text; None if it is not printed."""
    order = list(fields)
    if field not in order:
        return None
    return {other for other in order[: order.index(field)] if other[0] == "messages"}


def _message_cause(field: Field, *, gone: bool) -> Cause:
    match field[-1]:
        case "reasoning_content" | "thinking" | "reasoning" if gone:
            return Cause.REASONING_DROPPED
        case "content" if gone:
            return Cause.TEXT_DROPPED
        case "tool_calls":
            return Cause.CALLS_REWRITTEN
        case _:
            return Cause.MESSAGES_REWRITTEN
