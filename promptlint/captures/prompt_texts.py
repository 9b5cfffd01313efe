"""Print requests that go on from earlier ones: only what is new is printed with provenance.

A prompt is put together from an earlier one and its new messages rendered by themselves.
That it is the whole prompt is known of promptlint's own template and of hosted models,
whose parts only follow each other; for any other template the text of the whole is rendered
without provenance, and the messages must end as it does. Else all is rendered.
"""

from collections import deque
from collections.abc import Sequence
from datetime import datetime
from itertools import takewhile
from operator import itemgetter

from msgspec.structs import replace

from promptlint.captures.blocks import Extents, block_extents
from promptlint.captures.plain_texts import PlainTexts
from promptlint.captures.prompt import Prompt
from promptlint.captures.splice import (
    Splice,
    content_before,
    moved_runs,
    runs_before,
    spliced,
    tail_of,
)
from promptlint.models.model import Model
from promptlint.render import notes_of, render
from promptlint.request import SYSTEM_ROLES, Block, Message, Request, Tool
from promptlint.same_objects import same_objects
from promptlint.templates import TemplateError

_REMEMBERED = 8
_PART_JOINER = "\n\n"


class PromptTexts:
    """Prints requests with one model again and again. Its texts are those of `render`."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._texts = (
            None if model.template is None or model.appends else PlainTexts(model, model.template)
        )
        self._known: deque[Prompt] = deque(maxlen=_REMEMBERED)
        self._opening = self._generation_prompt() if model.appends else ""

    def of(self, request: Request, now: datetime) -> Prompt:
        """The prompt of a request, not counted yet. Raises TemplateError."""
        found = [(_same_messages(request, known.request), known) for known in self._known]
        make = self._spliced
        if self._texts is None:
            make = self._grown
            found = [(same, known) for same, known in found if _is_whole(known, same)]
        same, known = max(found, key=itemgetter(0), default=(-1, None))
        prompt = make(request, known, same, now) if known and same >= 0 else None
        if prompt is None:
            prompt = self._whole(request, now)
        elif known and _is_whole(known, same):
            self._known.remove(known)
        self._known.append(prompt)
        return prompt

    def _generation_prompt(self) -> str:
        """What the template opens for the answer behind nothing at all."""
        return render(Request(), self._model, datetime.min, count_tokens=False).text

    def _whole(self, request: Request, now: datetime) -> Prompt:
        rendered = render(request, self._model, now, count_tokens=False)
        extents = block_extents(request, rendered.runs)
        return Prompt(request, rendered, extents, request.has_opaque)

    def _grown(self, request: Request, known: Prompt, same: int, now: datetime) -> Prompt | None:
        """The known prompt with the new messages, where the model prints them behind it."""
        if same == len(request.messages):
            return Prompt(request, known.rendered, {}, known.has_opaque, known, same)
        if request.messages[same].role in SYSTEM_ROLES:
            return None
        try:
            behind = tail_of(request, same, self._model, now)
        except TemplateError:
            return None
        both = known.rendered.text and behind.text
        joiner = _PART_JOINER if self._model.template is None and both else ""
        text = _continued(known.rendered.text, self._opening, joiner + behind.text)
        start = len(text) - len(behind.text)
        moved = moved_runs(behind.runs, 0, start, same)
        rendered = replace(
            known.rendered,
            text=text,
            runs=runs_before(known.rendered.runs, start) + moved,
            exact=known.rendered.exact and behind.exact,
            notes=tuple(dict.fromkeys((*known.rendered.notes, *behind.notes))),
        )
        has_opaque = _has_opaque(request, known, same)
        return Prompt(request, rendered, block_extents(request, moved), has_opaque, known, same)

    def _spliced(self, request: Request, known: Prompt, same: int, now: datetime) -> Prompt | None:
        """The prompt with the provenance of the known one, up to where the two part."""
        if self._texts is None or not known.rendered.exact:
            return None
        try:
            text, taken = self._texts.of(request, now)
        except TemplateError:
            return None
        splice = spliced(text, taken, known.rendered, same, self._model, now)
        if splice is None:
            return None
        has_opaque = _has_opaque(request, known, same)
        notes = notes_of(opaque=has_opaque, parsed=taken is not request)
        rendered = replace(known.rendered, text=text, runs=splice.runs, notes=notes)
        extents = _last_extents(request, splice)
        if extents is None:
            return Prompt(request, rendered, block_extents(request, rendered.runs), has_opaque)
        return Prompt(request, rendered, extents, has_opaque, known, splice.first - 1)


def _continued(text: str, opening: str, behind: str) -> str:
    """A text with what follows it, which stands in the place of the opened answer.

    Mostly it is the answer that was opened: then the long text is copied but once.
    """
    if text.endswith(opening) and behind.startswith(opening):
        return text + behind[len(opening) :]
    return text.removesuffix(opening) + behind


def _last_extents(request: Request, splice: Splice) -> Extents | None:
    """The blocks of the last messages of a spliced prompt; None where they do not stand apart.

    The last kept message is taken again: the token at its end may have become another one.
    """
    again = splice.first - 1
    if again < 0:
        return None
    runs = splice.runs[content_before(splice.runs, splice.kept, again) :]
    extents = block_extents(request, runs)
    apart = all(key[0] == "messages" and int(key[1]) >= again for key in extents)
    return extents if apart else None


def _has_opaque(request: Request, known: Prompt, same: int) -> bool:
    """Whether a request that shares messages with a known one holds what is no text."""
    if not _is_whole(known, same):
        return request.has_opaque
    return known.has_opaque or any(message.has_opaque for message in request.messages[same:])


def _is_whole(known: Prompt, same: int) -> bool:
    """Whether the first `same` messages are all of a prompt."""
    return same == len(known.request.messages)


def _same_messages(request: Request, known: Request) -> int:
    """How many messages two requests share; -1 if they differ in what stands around them.

    Whatever carries a breakpoint.
    """
    around = (
        (request.joiner, request.parameters) == (known.joiner, known.parameters)
        and list(map(_shown, request.system)) == list(map(_shown, known.system))
        and _same_tools(request.tools, known.tools)
    )
    if not around:
        return -1
    start = same_objects(request.messages, known.messages)
    pairs = zip(request.messages[start:], known.messages[start:], strict=False)
    return start + len(list(takewhile(_same_text, pairs)))


def _shown(block: Block) -> tuple[str, str | None]:
    """What a prompt and its notes show of a block."""
    return block.text, block.opaque


def _same_tools(tools: Sequence[Tool], others: Sequence[Tool]) -> bool:
    """Whether tools are printed alike; what `==` calls equal may be written otherwise."""
    if len(tools) == len(others) == same_objects(tools, others):
        return True
    return repr([tool.definition for tool in tools]) == repr([tool.definition for tool in others])


def _same_text(pair: tuple[Message, Message]) -> bool:
    one, other = pair
    return one is other or repr(_unmarked(one)) == repr(_unmarked(other))


def _unmarked(message: Message) -> Message:
    return replace(
        message,
        blocks=tuple(replace(block, mark=None) for block in message.blocks),
        tool_calls=tuple(replace(call, mark=None) for call in message.tool_calls),
    )
