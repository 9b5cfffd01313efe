"""The words of a finding: when a span moved, and what that loses."""

from promptlint.layout import Axis, Layout, Move, Part, Scope, Source, Span

_MOVED_WHEN = {
    Axis.REPEAT: "the same object was asked again and nothing had changed",
    Axis.STEP: "one more tool result was added",
    Axis.TURN: "the next user message came",
    Axis.SECOND: "the clock went on by one second",
    Axis.MINUTE: "the clock went on by one minute",
    Axis.HOUR: "the clock went on by one hour",
    Axis.DAY: "the clock went on by one day",
    Axis.MID_SESSION_EDIT: "a file was edited between two calls of one session",
    Axis.CLOCK_AT_START: "a session was started at another time of the same day",
    Axis.HASH_SEED: "a process was started with another hash seed",
    Axis.NEW_SESSION: "another session was started",
    Axis.LISTING_ORDER: "directories were listed in another order",
    Axis.TOOL_ORDER: "tools were handed over in another order",
    Axis.EDIT_MEMORY: "a memory file was edited between two sessions",
    Axis.EDIT_SKILLS: "a skill was edited between two sessions",
    Axis.EDIT_WORKSPACE: "the workspace changed between two sessions",
    Axis.EDIT_PROJECT: "the project's instructions were edited between two sessions",
    Axis.USER: "another user ran it",
    Axis.MACHINE: "another machine ran it",
    Axis.MODEL: "another model or effort was chosen",
}

_HOW_OFTEN = {
    Axis.REPEAT: "in every request",
    Axis.STEP: "in every step",
    Axis.TURN: "in every turn",
    Axis.SECOND: "in every second",
    Axis.MINUTE: "in every minute",
    Axis.HOUR: "in every hour",
    Axis.DAY: "once a day",
    Axis.MID_SESSION_EDIT: "at every edit",
    Axis.CLOCK_AT_START: "in every session",
    Axis.HASH_SEED: "in every process",
    Axis.NEW_SESSION: "in every session",
    Axis.EDIT_MEMORY: "at every edit",
    Axis.EDIT_SKILLS: "at every edit",
    Axis.EDIT_WORKSPACE: "at every change",
    Axis.EDIT_PROJECT: "at every edit",
}

_MOST_NAMED = 3


def when(axis: Axis) -> str:
    """What was changed on an axis: `the clock went on by one minute`."""
    return _MOVED_WHEN[axis]


def moved_when(span: Span, move: Move) -> str:
    """Between which worlds the span moved, and how that is known."""
    return f"{when(move.axis)} ({span.evidence.value})"


def loses(layout: Layout, span: Span, move: Move) -> str:
    """What stands behind the span and is lost with it."""
    lost = []
    if move.lost_tokens:
        about = "about " if layout.estimated else ""
        tokens = f"{about}{count(move.lost_tokens, 'token')}"
        lost.append(f"{tokens}{_of(layout, span, move)} behind it")
    if move.history_lost:
        lost.append("the whole history")
    often = _HOW_OFTEN.get(move.axis)
    return ", ".join([" and ".join(lost) or "nothing behind it", *([often] if often else [])])


def count(number: int, noun: str) -> str:
    """`1 token`, `3,391 tokens`, `2 fixes`."""
    plural = "es" if noun.endswith("x") else "s"
    return f"{number:,} {noun}{'' if number == 1 else plural}"


def _of(layout: Layout, span: Span, move: Move) -> str:
    tokens: dict[str, int] = {}
    for behind in layout.behind(span):
        if move.scope is not Scope.WITHIN and behind.part is Part.MESSAGES:
            break
        if behind.part not in {Part.TEMPLATE, Part.MESSAGES} and behind.move_on(move.axis) is None:
            tokens[behind.section] = tokens.get(behind.section, 0) + behind.tokens
    named = sorted((name for name in tokens if tokens[name]), key=lambda name: -tokens[name])
    if not named:
        return ""
    more = ["more"] if len(named) > _MOST_NAMED else []
    return f" ({', '.join([*named[:_MOST_NAMED], *more])})"


def where(span: Span) -> str:
    """The section that a span stands in, as messages name it."""
    return "the prompt" if span.section == Source.UNKNOWN else span.section


def subject(span: Span) -> str:
    """The section that a message is about: `text` where nobody knows whose it is."""
    return "text" if span.section == Source.UNKNOWN else span.section
