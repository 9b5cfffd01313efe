"""What a template does to system text: the first of it, a later one, and none at all."""

from enum import StrEnum

from msgspec.structs import replace

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.model import Model
from promptlint.probes.breaks import printed_fields
from promptlint.probes.conversation import Shape, assistant, base_request, user
from promptlint.probes.printing import accepted
from promptlint.render import Rendered
from promptlint.request import Block, Message, Request
from promptlint.worlds.units import SYSTEM


class SystemText(StrEnum):
    """What becomes of the system text."""

    VERBATIM = "verbatim"
    TRIMMED = "trimmed"
    DROPPED = "dropped"


class Fate(StrEnum):
    """What becomes of a message in the middle of a conversation."""

    KEPT = "kept"
    HOISTED = "hoisted"
    DROPPED = "dropped"
    RAISES = "raises"


_LETTERS = 3
"""A default system prompt has words: fewer letters in a row are marks."""


def system_text(rendered: Rendered, text: str) -> SystemText:
    """How a rendering shows the system text `text`."""
    shown = printed_fields(rendered).get(SYSTEM, "")
    if shown == text:
        return SystemText.VERBATIM
    return SystemText.TRIMMED if text.strip() and text.strip() in shown else SystemText.DROPPED


def later_message(role: str, shape: Shape, model: Model) -> Fate:
    """What becomes of a message of this role between an answer and a user message."""
    before = (user("Firstuserword: hello."), assistant(shape, 1, "Answerword one."))
    later = Message(role, (Block("Reminderword: answer in French."),))
    request = replace(
        base_request(shape), tools=(), messages=(*before, later, user("Seconduserword: go on."))
    )
    return fate_of(request, len(before), accepted(request, model))


def fate_of(request: Request, index: int, rendered: Rendered | None) -> Fate:
    """What became of message `index` of a request in a rendering; None is a refusal."""
    if rendered is None:
        return Fate.RAISES
    order = list(dict.fromkeys(field[:2] for field in printed_fields(rendered)))
    if ("messages", index) not in order:
        return Fate.DROPPED
    in_front = [("messages", earlier) for earlier in range(index) if request.messages[earlier].text]
    place = order.index(("messages", index))
    hoisted = any(key in order and order.index(key) > place for key in in_front)
    return Fate.HOISTED if hoisted else Fate.KEPT


def default_system_prompt(shape: Shape, model: Model) -> str | None:
    """The words that the template puts where a system text would stand, if none is given."""
    if not shape.system:
        return None
    given = replace(base_request(shape), tools=(), messages=(user("Firstuserword: hello."),))
    own, bare = accepted(given, model), accepted(replace(given, system=()), model)
    if own is None or bare is None:
        return None
    start = common_prefix(own.text, bare.text)
    end = common_prefix(own.text[start:][::-1], bare.text[start:][::-1])
    words = bare.text[start : len(bare.text) - end].strip()
    return words if _is_text(words) and words not in own.text else None


def _is_text(words: str) -> bool:
    longest = max((len(word) for word in words.split() if word.isalpha()), default=0)
    return " " in words and longest >= _LETTERS
