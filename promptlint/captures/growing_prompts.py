"""Render requests that go on from earlier ones: only what is new is rendered with provenance.

A prompt is put together from an earlier one and its new messages rendered by themselves.
That it is the whole prompt is known of promptlint's own template and of hosted models,
whose parts only follow each other; for any other template the text of the whole is rendered
without provenance, and the messages must end as it does. Else all is rendered.
"""

from collections import deque
from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter, itemgetter

from msgspec import Struct
from msgspec.structs import replace

from promptlint.captures.block_tokens import BlockTokens
from promptlint.captures.blocks import Blocks, block_extents, content_blocks
from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.incremental import IncrementalTokenizer
from promptlint.captures.plain_texts import PlainTexts
from promptlint.captures.splice import (
    Splice,
    content_before,
    moved_runs,
    runs_before,
    spliced,
    tail_of,
)
from promptlint.models.model import Encoding, Model
from promptlint.models.tokens import Tokens
from promptlint.render import Rendered, notes_of, render
from promptlint.request import SYSTEM_ROLES, Message, Request, Tool
from promptlint.same_objects import same_objects
from promptlint.templates import Run, TemplateError

_REMEMBERED = 8
_PART_JOINER = "\n\n"


class Prompt(Struct, frozen=True):
    """A rendered request with its content blocks."""

    request: Request
    rendered: Rendered
    blocks: Blocks


class GrowingPrompts:
    """Renders with one model again and again. Its prompts are those of `render`."""

    def __init__(self, model: Model) -> None:
        self._model = replace(model, tokenizer=IncrementalTokenizer(model.tokenizer))
        self._pieces = BlockTokens(model.tokenizer) if model.template is None else None
        self._texts = (
            None if model.template is None or model.appends else PlainTexts(model, model.template)
        )
        self._opaque = GrowingMap[Message, bool](attrgetter("has_opaque"))
        self._known: deque[Prompt] = deque(maxlen=_REMEMBERED)
        self._opening = self._generation_prompt() if model.appends else ""

    def render(self, request: Request, now: datetime) -> Prompt:
        """The prompt of a request. Raises TemplateError."""
        found = [(_same_messages(request, known.request), known) for known in self._known]
        make = self._spliced
        if self._model.appends or self._model.template is None:
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
        rendered = render(request, self._model, now)
        if self._pieces is not None:
            ends = (end for _, end in block_extents(request, rendered.runs).values())
            rendered = self._pieces.cut(rendered, ends)
        return Prompt(request, rendered, Blocks().followed_by(content_blocks(request, rendered)))

    def _grown(self, request: Request, known: Prompt, same: int, now: datetime) -> Prompt | None:
        """The known prompt with the new messages, where the model prints them behind it."""
        if same == len(request.messages):
            return replace(known, request=request)
        if request.messages[same].role in SYSTEM_ROLES:
            return None
        try:
            behind = tail_of(request, same, self._model, now)
        except TemplateError:
            return None
        joiner = _PART_JOINER if self._model.template is None and behind.text else ""
        text = _continued(known.rendered.text, self._opening, joiner + behind.text)
        start = len(text) - len(behind.text)
        moved = moved_runs(behind.runs, 0, start, same)
        rendered = replace(
            known.rendered,
            text=text,
            runs=(*runs_before(known.rendered.runs, start), *moved),
            exact=known.rendered.exact and behind.exact,
            notes=tuple(dict.fromkeys((*known.rendered.notes, *behind.notes))),
        )
        rendered = self._tokenised(rendered, known.rendered, request, moved)
        new = content_blocks(request, replace(rendered, runs=moved))
        return Prompt(request, rendered, known.blocks.followed_by(new))

    def _tokenised(
        self, rendered: Rendered, known: Rendered, request: Request, moved: tuple[Run, ...]
    ) -> Rendered:
        """The prompt with its tokens; at a hosted model those of the known one stay."""
        if self._pieces is None:
            encoding = self._model.tokenizer.encode(rendered.text)
        else:
            ends = [end for _, end in block_extents(request, moved).values()]
            new = self._pieces.cut_from(rendered.text, len(known.text), ends)
            encoding = Encoding(
                Tokens.of(known.token_ids) + new.ids, Tokens.of(known.token_starts) + new.starts
            )
        return replace(rendered, token_ids=encoding.ids, token_starts=encoding.starts)

    def _has_opaque(self, request: Request) -> bool:
        return any(block.opaque for block in request.system) or any(self._opaque(request.messages))

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
        encoding = self._model.tokenizer.encode(text)
        rendered = replace(
            known.rendered,
            text=text,
            runs=splice.runs,
            token_ids=encoding.ids,
            token_starts=encoding.starts,
            notes=notes_of(opaque=self._has_opaque(request), parsed=taken is not request),
        )
        return Prompt(request, rendered, _spliced_blocks(request, rendered, known, splice))


def _continued(text: str, opening: str, behind: str) -> str:
    """A text with what follows it, which stands in the place of the opened answer.

    Mostly it is the answer that was opened: then the long text is copied but once.
    """
    if text.endswith(opening) and behind.startswith(opening):
        return text + behind[len(opening) :]
    return text.removesuffix(opening) + behind


def _spliced_blocks(request: Request, rendered: Rendered, known: Prompt, splice: Splice) -> Blocks:
    """The blocks of the known prompt and those of the last messages, where they stand apart.

    The last kept message is taken again: the token at its end may have become another one.
    """
    again = splice.first - 1
    before = known.blocks.before(again) if again >= 0 else None
    if before is not None:
        runs = splice.runs[content_before(splice.runs, splice.kept, again) :]
        new = content_blocks(request, replace(rendered, runs=runs))
        if all(block.message >= again for block in new):
            return before.followed_by(new)
    return Blocks().followed_by(content_blocks(request, rendered))


def _is_whole(known: Prompt, same: int) -> bool:
    """Whether the first `same` messages are all of a prompt."""
    return same == len(known.request.messages)


def _same_messages(request: Request, known: Request) -> int:
    """How many messages two requests share; -1 if they differ in what stands around them.

    Whatever carries a breakpoint.
    """
    around = (
        (request.joiner, request.parameters) == (known.joiner, known.parameters)
        and [block.text for block in request.system] == [block.text for block in known.system]
        and _same_tools(request.tools, known.tools)
    )
    if not around:
        return -1
    start = same_objects(request.messages, known.messages)
    pairs = zip(request.messages[start:], known.messages[start:], strict=False)
    return start + [*map(_same_text, pairs), False].index(False)


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
