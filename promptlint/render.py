"""A request under a model: the final text, its tokens, and where every character came from."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Part
from promptlint.models.model import Encoding, Model
from promptlint.models.tokens import Row
from promptlint.request import Block, Json, Message, Request, Tool, ToolCall
from promptlint.templates import (
    Leaf,
    Run,
    TemplateError,
    TemplateRender,
    plain_messages,
    render_template,
    render_traced,
    trace,
)
from promptlint.templates.pieces import as_runs
from promptlint.templates.traced_text import (
    concatenated,
    interleaved,
    pieces_of,
    plain_text,
    text_from,
)
from promptlint.templates.written import as_json

_PARSED = "the template refuses tool call arguments as JSON text: they were parsed"
_OPAQUE = "images and other parts that are no text are left out"


class Rendered(Struct, frozen=True):
    """One request as its model meets it.

    `runs` tile `text`. Their leaves are
    `("system", i)` for block i of the system prompt, `("system", "joiner")` for what
    stands between two blocks, `("system", "role")`,
    `("tools", i, ...)`,
    `("messages", i, ...)`, of which `("messages", i, "content", j)` is block j,
    `("arguments", name, ...)` for parameters, `("clock", format)` for the template's date,
    UNKNOWN, and None for the template's own text.
    `token_starts` are characters and never decrease. `exact` says that every character's
    origin is known, `estimated` that the model publishes no tokenizer or no template.
    `notes` say, in a sentence each, what was done differently from what was asked.
    """

    text: str
    runs: tuple[Run, ...]
    token_ids: Row
    token_starts: Row
    exact: bool
    estimated: bool
    notes: tuple[str, ...] = ()

    def token_at(self, char: int) -> int:
        """The last token that starts at or before this character; 0 where none does."""
        return max(bisect_right(self.token_starts, char) - 1, 0)

    def first_token_touching(self, char: int) -> int:
        """The first token that holds this character: what changes here changes from there on.

        Several tokens may hold one character (a byte-level tokenizer and an emoji).
        """
        if not self.token_starts:
            return 0
        return bisect_left(self.token_starts, self.token_starts[self.token_at(char)])

    def tokens_between(self, start_char: int, end_char: int) -> range:
        """The tokens that start in these characters. Over runs that tile, they add up."""
        first = bisect_left(self.token_starts, start_char)
        return range(first, bisect_left(self.token_starts, end_char, lo=first))


def render(
    request: Request,
    model: Model,
    now: datetime,
    *,
    count_tokens: bool = True,
    compared: bool = True,
) -> Rendered:
    """Render the request with the model's template, or in its part order if it has none.

    `now` is the time that the template's own clock shows. An assistant message without
    blocks has an empty content, as in vLLM. Tool call arguments that are JSON text are
    parsed only if the template raises on them. Without `count_tokens` there are no
    tokens: counting them is most of the work. Without `compared`, the caller makes sure that
    the text is the template's own. Raises TemplateError.
    """
    parsed = False
    if model.template is None:
        result = _in_part_order(request, model.part_order or ())
    else:
        result, parsed = _from_template(request, model, model.template, now, compared=compared)
    encoding = model.tokenizer.encode(result.text) if count_tokens else Encoding((), ())
    return Rendered(
        text=result.text,
        runs=result.runs,
        token_ids=encoding.ids,
        token_starts=encoding.starts,
        exact=result.exact,
        estimated=model.estimated or model.template is None,
        notes=notes_of(opaque=request.has_opaque, parsed=parsed),
    )


def plain_message(message: Message) -> dict[str, Any]:
    """A message as a template meets it, without provenance."""
    return plain_messages([_fields(message, "\n".join(b.text for b in message.blocks))])[0]


def plain_system(text: str) -> dict[str, Any]:
    """The system message of a request as a template meets it."""
    return plain_messages([{"role": "system", "content": text}])[0]


def notes_of(*, opaque: bool, parsed: bool) -> tuple[str, ...]:
    """What is done differently from what was asked: `parsed` are tool call arguments."""
    return (*([_OPAQUE] if opaque else []), *([_PARSED] if parsed else []))


def _from_template(
    request: Request, model: Model, template: str, now: datetime, *, compared: bool
) -> tuple[TemplateRender, bool]:
    """What the template prints, and whether tool call arguments had to be parsed for it."""

    def attempt(messages: Iterable[Message]) -> TemplateRender:
        printed = render_template if compared else render_traced
        return printed(
            template,
            messages=_template_messages(request, messages),
            tools=[_tool(tool, i) for i, tool in enumerate(request.tools)] or None,
            arguments=template_arguments(request),
            special_tokens=model.special_tokens,
            now=now,
        )

    try:
        return attempt(request.messages), False
    except TemplateError:
        parsed = [with_parsed_arguments(message) for message in request.messages]
        if parsed == list(request.messages):
            raise
        return attempt(parsed), True


def template_arguments(request: Request) -> dict[str, Any]:
    """The parameters as keyword arguments; those that are meant for the template win."""
    arguments = dict(request.parameters)
    for_template = arguments.pop("chat_template_kwargs", None)
    return arguments | (for_template if isinstance(for_template, dict) else {})


def _template_messages(request: Request, messages: Iterable[Message]) -> list[dict[str, Any]]:
    """OpenAI chat messages; the system blocks are the first of them."""
    result = [_message(message, index) for index, message in enumerate(messages)]
    if request.system:
        system = {"role": "system", "content": _system_text(request)}
        result.insert(0, trace(system, ("system",)))
    return result


def _message(message: Message, index: int) -> Any:
    leaf = ("messages", index)
    return trace(_fields(message, _joined(message.blocks, "\n", (*leaf, "content"))), leaf)


def _fields(message: Message, content: str) -> dict[str, Any]:
    fields = {
        "role": message.role,
        "content": content,
        "reasoning_content": message.reasoning,
        "tool_calls": [_tool_call(call) for call in message.tool_calls] or None,
        "tool_call_id": message.tool_call_id,
        "name": message.name,
    }
    return {k: v for k, v in fields.items() if v is not None}


def _tool_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    identity = {} if call.id is None else {"id": call.id}
    return {**identity, "type": "function", "function": function}


def with_parsed_arguments(message: Message) -> Message:
    """The message with objects for the arguments of its calls that are their JSON text."""
    if not message.tool_calls:
        return message
    calls = tuple(replace(c, arguments=_parsed(c.arguments)) for c in message.tool_calls)
    return replace(message, tool_calls=calls)


def _parsed(arguments: Json) -> Json:
    """Arguments that are the JSON text of an object as that object, others as they are."""
    if not isinstance(arguments, str):
        return arguments
    try:
        value = json.loads(arguments)
    except ValueError:
        return arguments
    return value if isinstance(value, dict) else arguments


def _tool(tool: Tool, index: int) -> Any:
    return trace(tool.definition, ("tools", index))


def _system_text(request: Request) -> str:
    return _joined(request.system, request.joiner, ("system",))


def _joined(blocks: Iterable[Block], joiner: str, leaf: Leaf) -> str:
    """The blocks as one text; block i has the leaf (*leaf, i)."""
    texts = [text_from(block.text, (*leaf, i), 0) for i, block in enumerate(blocks)]
    return concatenated(interleaved(text_from(joiner, (*leaf, "joiner"), 0), texts))


def _in_part_order(request: Request, order: tuple[Part, ...]) -> TemplateRender:
    """The request's parts with blank lines between them, for a model that hides its template."""
    texts = [text for part in order for text in _part_texts(request, part) if text]
    text = concatenated(interleaved("\n\n", texts))
    return TemplateRender(plain_text(text), as_runs(pieces_of(text)), exact=True)


def _part_texts(request: Request, part: Part) -> Iterator[str]:
    match part:
        case Part.TOOLS:
            lines = [_compact_json(_tool(tool, i)) for i, tool in enumerate(request.tools)]
            yield concatenated(interleaved("\n", lines))
        case Part.SYSTEM:
            yield _system_text(request)
        case Part.MESSAGES:
            for index, message in enumerate(request.messages):
                fields = _message(message, index)
                yield fields.get("reasoning_content", "")
                yield fields["content"]
                yield from (_compact_json(c["function"]) for c in fields.get("tool_calls", ()))
        case Part.TEMPLATE:
            pass


def _compact_json(value: Any) -> str:
    return as_json(value, separators=(",", ":"))
