"""What a template does to content in several parts, and to arguments of calls."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec.structs import replace

from promptlint.models.model import Model
from promptlint.probes.conversation import CALLED_PATH, TOOLS, Shape, session
from promptlint.probes.printing import NOW, accepted
from promptlint.templates import TemplateError, render_template


class Parts(StrEnum):
    """What becomes of content that is a list of text parts."""

    JOINED = "joined"
    LEAKED = "leaked"
    DROPPED = "dropped"
    RAISES = "raises"


class ArgumentsEffect(StrEnum):
    """Whether tool call arguments as an object and as JSON text print the same."""

    SAME = "same"
    DIFFER = "differ"
    TEXT_RAISES = "text-raises"
    OBJECT_RAISES = "object-raises"
    NOT_RENDERED = "not-rendered"


_ONE, _OTHER = "Partword one.", "Partword two."


def content_parts(role: str, model: Model) -> Parts:
    """What becomes of a message of this role whose content is two text parts."""
    parts = [{"type": "text", "text": text} for text in (_ONE, _OTHER)]
    messages: list[dict[str, Any]] = [{"role": role, "content": parts}]
    if role != "user":
        messages.append({"role": "user", "content": "Firstuserword: hello."})
    text = _text(messages, model)
    if text is None:
        return Parts.RAISES
    if _ONE not in text or _OTHER not in text:
        return Parts.DROPPED
    between = text[text.index(_ONE) + len(_ONE) : text.index(_OTHER)]
    return Parts.LEAKED if "type" in between else Parts.JOINED


def _text(messages: Sequence[Mapping[str, Any]], model: Model) -> str | None:
    try:
        return render_template(
            model.template or "",
            messages=messages,
            tools=[tool.definition for tool in TOOLS],
            special_tokens=model.special_tokens,
            now=NOW,
        ).text
    except TemplateError:
        return None


def arguments_effect(shape: Shape, model: Model) -> ArgumentsEffect:
    """Whether the two forms of tool call arguments print the same."""
    as_object = _call_text(replace(shape, arguments_as_object=True), model)
    as_text = _call_text(replace(shape, arguments_as_object=False), model)
    if as_object is None and as_text is None:
        return ArgumentsEffect.NOT_RENDERED
    if as_object is None:
        return ArgumentsEffect.OBJECT_RAISES
    if as_text is None:
        return ArgumentsEffect.TEXT_RAISES
    if CALLED_PATH not in as_object:
        return ArgumentsEffect.NOT_RENDERED
    return ArgumentsEffect.SAME if as_object == as_text else ArgumentsEffect.DIFFER


def _call_text(shape: Shape, model: Model) -> str | None:
    rendered = accepted(session(shape)[-1], model)
    # A refusal of JSON text is hidden by the renderer, which parses it then and says so.
    return None if rendered is None or rendered.notes else rendered.text
