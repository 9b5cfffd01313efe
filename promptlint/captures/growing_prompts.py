"""Render requests that go on from earlier ones: only the new messages are rendered again.

A prompt is put together from an earlier one and its new messages rendered by themselves.
That it is the whole prompt is known of promptlint's own template and of hosted models,
whose parts only follow each other; for any other template the text is compared with a plain
rendering of the whole, and where they differ, the whole is rendered with its provenance.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from promptlint.captures.block_tokens import BlockTokens
from promptlint.captures.blocks import Blocks, block_extents, content_blocks
from promptlint.captures.growing_map import same_objects
from promptlint.captures.incremental import IncrementalTokenizer
from promptlint.models.model import Encoding, Model
from promptlint.models.tokens import Tokens
from promptlint.render import Rendered, render, render_text
from promptlint.request import Message, Request, Tool
from promptlint.templates import Leaf, Run, TemplateError

_REMEMBERED = 8
_PART_JOINER = "\n\n"
_SYSTEM_ROLES = frozenset({"system", "developer"})


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered request with its content blocks."""

    request: Request
    rendered: Rendered
    blocks: Blocks


class GrowingPrompts:
    """Renders with one model again and again. Its prompts are those of `render`."""

    def __init__(self, model: Model) -> None:
        self._model = replace(model, tokenizer=IncrementalTokenizer(model.tokenizer))
        self._pieces = BlockTokens(model.tokenizer) if model.template is None else None
        self._known: deque[Prompt] = deque(maxlen=_REMEMBERED)
        self._opening = "" if model.template is None else self._generation_prompt()

    def render(self, request: Request, now: datetime) -> Prompt:
        """The prompt of a request. Raises TemplateError."""
        for known in reversed(self._known):
            if _goes_on(request, known.request):
                prompt = self._grown(request, known, now)
                if prompt is not None:
                    self._known.remove(known)
                    self._known.append(prompt)
                    return prompt
                break
        prompt = self._whole(request, now)
        self._known.append(prompt)
        return prompt

    def _generation_prompt(self) -> str:
        """What the template opens for the answer, where it does so behind nothing at all."""
        try:
            return render_text(Request(), self._model, datetime.min)
        except TemplateError:
            return ""

    def _whole(self, request: Request, now: datetime) -> Prompt:
        rendered = render(request, self._model, now)
        if self._pieces is not None:
            ends = (end for _, end in block_extents(request, rendered.runs).values())
            rendered = self._pieces.cut(rendered, ends)
        return Prompt(request, rendered, Blocks().followed_by(content_blocks(request, rendered)))

    def _grown(self, request: Request, known: Prompt, now: datetime) -> Prompt | None:
        """The known prompt with the new messages; None where that is not the whole prompt."""
        tail = replace(request, system=(), tools=(), messages=_new_messages(request, known))
        if not tail.messages:
            return replace(known, request=request)
        if tail.messages[0].role in _SYSTEM_ROLES:
            return None
        try:
            behind = render(tail, replace(self._model, tokenizer=_NO_TOKENS), now)
        except TemplateError:
            return None
        if self._model.template is None:
            head = known.rendered.text + (_PART_JOINER if behind.text else "")
        else:
            head = known.rendered.text.removesuffix(self._opening)
        text = head + behind.text
        if not self._model.appends and text != render_text(request, self._model, now):
            return None
        return self._put_together(request, known, text, len(head), behind)

    def _put_together(
        self, request: Request, known: Prompt, text: str, start: int, behind: Rendered
    ) -> Prompt:
        """The known prompt up to character `start`, and the new messages behind it."""
        first = len(known.request.messages)
        moved = tuple(_moved(run, start, first) for run in behind.runs)
        kept = bisect_left(known.rendered.runs, start, key=lambda run: run.end)
        gap = known.rendered.runs[kept - 1].end if kept else 0
        filling = (Run(gap, start, None, None),) if gap < start else ()
        runs = (*known.rendered.runs[:kept], *filling, *moved)
        rendered = replace(
            known.rendered,
            text=text,
            runs=runs,
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


class _NoTokens:
    """Stands in where only the text is asked for."""

    def encode(self, _: str) -> Encoding:
        """No tokens."""
        return Encoding((), ())


_NO_TOKENS = _NoTokens()


def _goes_on(request: Request, known: Request) -> bool:
    """Whether a request is a known one with more messages, whatever carries a breakpoint."""
    length = len(known.messages)
    return (
        length <= len(request.messages)
        and (request.joiner, request.parameters) == (known.joiner, known.parameters)
        and [block.text for block in request.system] == [block.text for block in known.system]
        and _same_tools(request.tools, known.tools)
        and all(map(_same_text, *_apart(request.messages, known.messages)))
    )


def _same_tools(tools: Sequence[Tool], others: Sequence[Tool]) -> bool:
    """Whether tools are printed alike; what `==` calls equal may be written otherwise."""
    if len(tools) == len(others) == same_objects(tools, others):
        return True
    return repr([tool.definition for tool in tools]) == repr([tool.definition for tool in others])


def _apart(
    messages: tuple[Message, ...], others: tuple[Message, ...]
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """What stands behind the messages that are the same objects."""
    shared = same_objects(messages, others)
    return messages[shared:], others[shared:]


def _same_text(one: Message, other: Message) -> bool:
    return repr(_unmarked(one)) == repr(_unmarked(other))


def _unmarked(message: Message) -> Message:
    return replace(
        message,
        blocks=tuple(replace(block, mark=None) for block in message.blocks),
        tool_calls=tuple(replace(call, mark=None) for call in message.tool_calls),
    )


def _new_messages(request: Request, known: Prompt) -> tuple[Message, ...]:
    return request.messages[len(known.request.messages) :]


def _moved(run: Run, start: int, first: int) -> Run:
    """A run of the new messages at its place in the whole prompt."""
    return Run(run.start + start, run.end + start, _moved_leaf(run.leaf, first), run.offset)


def _moved_leaf(leaf: Leaf | None, first: int) -> Leaf | None:
    match leaf:
        case ("messages", int() as index, *rest):
            return ("messages", index + first, *rest)
        case _:
            return leaf
