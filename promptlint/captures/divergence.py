"""The first token at which a request parts from an earlier one, and why."""

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from promptlint.captures.causes import Cause, cause_of, changed_parameters, reason_of, tools_cause
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.same_message import as_bytes
from promptlint.captures.splice import is_content
from promptlint.layout import Part, Source
from promptlint.render import Rendered
from promptlint.request import Message, Request
from promptlint.same_objects import same_objects
from promptlint.secrets import masked_part
from promptlint.sections.find import Knowledge, find_sections
from promptlint.sections.names import source_of_name
from promptlint.templates import Leaf
from promptlint.worlds.units import SYSTEM, TOOLS, part_of, unit_of, units

_SHOWN = 80
_SHOWN_BEFORE = 40
_LONGEST_LABEL = 40


class Sent(Struct, frozen=True):
    """One request, and what it was rendered to."""

    request: Request
    rendered: Rendered


class Divergence(Struct, frozen=True):
    """Where a request parts from the earlier one that shares most with it.

    `token` is the first different token and `char` the first different character, both
    of the later prompt. `message` is the index of the message it stands in, None for
    another part. `leaf` is the input that it was rendered from. `reason` is the word of
    the providers' own diagnostics. `by_template`: the requests are equal there, the
    template prints them otherwise. `lost_tokens` stand behind `token` in the earlier
    prompt. `was_last`: the message or block that the later request lacks was the last of
    the earlier one. `before` and `after` are the two texts around `char`, from the same place on,
    with keys masked. `parameters` are those that a cache keeps apart, where they and not the
    text have changed.
    """

    token: int
    char: int
    part: Part
    message: int | None
    source: str
    leaf: Leaf | None
    cause: Cause
    reason: str
    by_template: bool
    lost_tokens: int
    was_last: bool
    before: str
    after: str
    parameters: tuple[str, ...] = ()


def first_divergence(earlier: Sent, later: Sent) -> Divergence | None:
    """Where `later` parts from `earlier`; None where it only goes on, or goes back.

    A request goes on from an earlier one whose whole content it repeats: what the
    template prints behind the last message may change. It goes back if it repeats a
    shorter part of the history and then asks something else.
    """
    old, new = earlier.rendered, later.rendered
    if goes_on(earlier, later) or _goes_back(earlier.request, later.request):
        return None
    char = _parting(earlier, later)
    token = min(common_prefix(old.token_ids, new.token_ids), old.first_token_touching(char))
    side, leaf, cause = _place(earlier, later, char)
    both_templates = _in_template(old, char) and _in_template(new, char)
    if cause is None and both_templates and changed_parameters(earlier.request, later.request):
        leaf, cause = None, Cause.PARAMETERS_CHANGED
    part = _part(leaf)
    message = leaf[1] if leaf and leaf[0] == "messages" and isinstance(leaf[1], int) else None
    shown = _line_start(new.text, char)
    return Divergence(
        token=token,
        char=char,
        part=part,
        message=message,
        source=_source(side, leaf, char),
        leaf=leaf,
        cause=cause or _templates_cause(old, new, message),
        reason=reason_of(part, earlier.request, later.request),
        by_template=cause is None or (leaf is not None and leaf[0] == "clock"),
        lost_tokens=len(old.token_ids) - token,
        was_last=message is not None and _left_out(earlier.request, later.request, message),
        before=masked_part(old.text, shown, char + _SHOWN),
        after=masked_part(new.text, shown, char + _SHOWN),
    )


def goes_on(earlier: Sent, later: Sent) -> bool:
    """Whether a prompt repeats the whole content of an earlier one."""
    return _parting(earlier, later) >= _content_end(earlier.rendered)


def _parting(earlier: Sent, later: Sent) -> int:
    """The first character that differs, or that is somebody else's in one of the prompts.

    Where no template is known, nothing is printed between the system text and the messages, nor
    of who speaks: what moves from one to the other reads the same, and is not the same to the
    model that gets it.
    """
    old, new = earlier.rendered, later.rendered
    char = common_prefix(old.text, new.text)
    if not new.estimated:
        return char
    starts = {_history_start(old), _history_start(new)}
    other = _other_speaker(earlier.request.messages, later.request.messages)
    if other is not None:
        char = min(char, _message_start(old, other), _message_start(new, other))
    return min(char, *starts) if len(starts) > 1 else char


def _other_speaker(earlier: Sequence[Message], later: Sequence[Message]) -> int | None:
    """The first message that somebody else says in the later request."""
    same = same_objects(earlier, later)
    pairs = zip(earlier[same:], later[same:], strict=False)
    others = ((one.role, one.name) != (other.role, other.name) for one, other in pairs)
    return next((index for index, other in enumerate(others, same) if other), None)


def _message_start(rendered: Rendered, message: int) -> int:
    own = ("messages", message)
    starts = (run.start for run in rendered.runs if run.leaf and run.leaf[:2] == own)
    return next(starts, len(rendered.text))


def _history_start(rendered: Rendered) -> int:
    starts = (run.start for run in rendered.runs if run.leaf and run.leaf[0] == "messages")
    return next(starts, len(rendered.text))


def _place(earlier: Sent, later: Sent, char: int) -> tuple[Sent, Leaf | None, Cause | None]:
    """What a difference is put down to: the request that it belongs to, the leaf, and the cause.

    The first of the texts around it in which the requests differ; without one, the first text.
    """
    places = _places(earlier, later, char)
    caused = ((*place, cause_of(earlier.request, later.request, place[1])) for place in places)
    return next((found for found in caused if found[2]), (*places[0], None))


def _places(earlier: Sent, later: Sent, char: int) -> list[tuple[Sent, Leaf | None]]:
    """The texts that may have made a difference at a character.

    The later request's own text, then the earlier one's that is gone, then the next text of
    a request behind one of the template, tools first where there were none, then the text
    in front of it: its end may be gone.
    """
    sides = (later, earlier)
    own = [(side, _leaf_at(side.rendered, char)) for side in sides]
    following = [(side, _next_leaf(side.rendered, char)) for side in sides]
    following.sort(key=lambda place: unit_of(place[1]) != TOOLS)
    previous = [(side, _previous_leaf(side.rendered, char)) for side in sides]
    traced = [place for place in (*own, *following, *previous) if place[1] is not None]
    return traced or own


def _leaf_at(rendered: Rendered, char: int) -> Leaf | None:
    """What a character was rendered from; None for the template's text and behind the end."""
    index = bisect_right(rendered.runs, char, key=lambda run: run.start) - 1
    return rendered.runs[index].leaf if char < len(rendered.text) else None


def _in_template(rendered: Rendered, char: int) -> bool:
    return _leaf_at(rendered, char) is None


def _next_leaf(rendered: Rendered, char: int) -> Leaf | None:
    return next((run.leaf for run in rendered.runs if run.end > char and is_content(run)), None)


def _previous_leaf(rendered: Rendered, char: int) -> Leaf | None:
    last = bisect_right(rendered.runs, char, key=lambda run: run.start)
    before = (run for run in reversed(rendered.runs[:last]) if run.end <= char)
    return next((run.leaf for run in before if is_content(run)), None)


def _part(leaf: Leaf | None) -> Part:
    """The part that a leaf stands for: the role of a message tells of another message."""
    return Part.MESSAGES if leaf and leaf[0] == "messages" else part_of(unit_of(leaf))


def _source(side: Sent, leaf: Leaf | None, char: int) -> str:
    """Who wrote the text: by the part, and inside the system text by its headings."""
    match leaf:
        case ("tools", *_):
            return Source.TOOLS
        case ("system", *_):
            return _section(side.rendered, char)
        case ("messages", int() as index, *_):
            newest = index == len(side.request.messages) - 1
            user = newest and side.request.messages[index].role == "user"
            return Source.USER if user else Source.HISTORY
        case ("clock", *_):
            return Source.TIMESTAMP
        case _:
            return Source.TEMPLATE


def _section(rendered: Rendered, char: int) -> str:
    """The source of the system section that holds a character; a line's own label goes first."""
    line = rendered.text[_line_start(rendered.text, char) :].partition("\n")[0]
    label, colon, _ = line.partition(":")
    named = source_of_name(label) if colon and len(label) <= _LONGEST_LABEL else None
    if named:
        return named
    unit = units(rendered.text, rendered.runs)[SYSTEM]
    offset = sum(max(0, min(end, char) - start) for start, end in unit.pieces)
    sections = find_sections(unit.text, Knowledge())
    return next((m.source for m in sections if m.start <= offset < m.end), Source.UNKNOWN)


def _templates_cause(old: Rendered, new: Rendered, message: int | None) -> Cause:
    """What a template did to a message that is equal in both requests."""
    leaf = ("messages", message, "reasoning_content")
    printed = [any(run.leaf == leaf for run in rendered.runs) for rendered in (old, new)]
    return Cause.REASONING_DROPPED if printed == [True, False] else Cause.HISTORY_REWRITTEN


def _line_start(text: str, char: int) -> int:
    """The start of the line that a character stands in, or a little before it."""
    return max(text.rfind("\n", 0, char) + 1, char - _SHOWN_BEFORE)


def _content_end(rendered: Rendered) -> int:
    """Where the last text of the request itself ends; behind it is the generation prompt."""
    ends = (run.end for run in reversed(rendered.runs) if is_content(run))
    return next(ends, len(rendered.text))


def _left_out(earlier: Request, later: Request, message: int) -> bool:
    """Whether the end of the earlier request is gone: its last message, or blocks of it."""
    if message != len(earlier.messages) - 1 or message >= len(later.messages):
        return False
    old, new = earlier.messages[message], later.messages[message]
    kept = [block.text for block in new.blocks]
    return old.role != new.role or (
        0 < len(kept) < len(old.blocks) and kept == [b.text for b in old.blocks[: len(kept)]]
    )


def _goes_back(earlier: Request, later: Request) -> bool:
    """Whether everything but the last message is the start of the earlier request."""
    kept = later.messages[:-1]
    return (
        bool(later.messages)
        and len(later.messages) <= len(earlier.messages)
        and all(map(_same_bytes, kept, earlier.messages))
        and earlier.system_text == later.system_text
        and tools_cause(earlier.tools, later.tools) is None
    )


def _same_bytes(one: Message, other: Message) -> bool:
    return as_bytes(one) == as_bytes(other)
