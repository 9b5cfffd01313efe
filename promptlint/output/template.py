"""A chat template's facts, and a user's session under it, for people."""

from collections.abc import Iterator, Sequence

from promptlint.layout import ToolsPosition
from promptlint.output.plain import excerpt, one_line
from promptlint.output.styled import Line
from promptlint.phrases import count
from promptlint.probes.breaks import Break, Cause, Event
from promptlint.probes.dates import PrintedDate
from promptlint.probes.parts import ArgumentsEffect, Parts
from promptlint.probes.session_facts import SessionFacts
from promptlint.probes.system import Fate, SystemText
from promptlint.probes.template_facts import TemplateFacts

_LABEL = 16
_WIDTH = 60

_TOOLS = {
    ToolsPosition.AFTER_SYSTEM: "after the system text",
    ToolsPosition.BEFORE_SYSTEM: "before the system text",
    ToolsPosition.LAST_USER: "in the newest user turn: they move with every user message",
    ToolsPosition.NOT_RENDERED: "not printed",
}
_SYSTEM = {
    SystemText.VERBATIM: "printed as it is",
    SystemText.TRIMMED: "printed without its outer white space",
    SystemText.DROPPED: "not printed",
}
_FATES = {
    Fate.KEPT: "stays where it was sent",
    Fate.HOISTED: "is moved to the head: all that stood there is lost",
    Fate.DROPPED: "is not printed",
    Fate.RAISES: "is refused",
}
_PARTS = {
    Parts.JOINED: "joined",
    Parts.LEAKED: "printed as Python or JSON",
    Parts.DROPPED: "not printed",
    Parts.RAISES: "refused",
}
_ARGUMENTS = {
    ArgumentsEffect.SAME: "an object and its JSON text print the same",
    ArgumentsEffect.DIFFER: "an object and its JSON text print differently",
    ArgumentsEffect.TEXT_RAISES: "JSON text is refused, an object is not",
    ArgumentsEffect.OBJECT_RAISES: "an object is refused, JSON text is not",
    ArgumentsEffect.NOT_RENDERED: "not printed",
}
_CAUSES = {
    Cause.TOOLS_MOVED: "the tools move",
    Cause.SYSTEM_MOVED: "the system text moves",
    Cause.REASONING_DROPPED: "earlier reasoning is dropped",
    Cause.TEXT_DROPPED: "earlier text is dropped",
    Cause.CALLS_REWRITTEN: "earlier tool calls are written otherwise",
    Cause.MESSAGES_REWRITTEN: "earlier messages are written otherwise",
    Cause.OWN_TEXT_CHANGED: "the template's own text around earlier messages changes",
    Cause.GENERATION_PROMPT: "what the template writes behind the last message is not repeated",
}
_CONTINUED = "one; behind it a tool call, an answer and a user message of promptlint's own"
_EVENTS = {Event.STEP: "after a tool result", Event.TURN: "after a new user message"}


def template_lines(facts: TemplateFacts) -> Iterator[Line]:
    """All that was measured about one template."""
    yield ((one_line(facts.name), "bold"), (f" · {one_line(facts.origin)}", "dim"))
    for label, text in _rows(facts):
        yield _row(label, text)
    yield from _history("history", facts.breaks)
    if _content(facts.breaks) != _content(facts.breaks_without_reasoning):
        yield from _history("no reasoning", facts.breaks_without_reasoning)


def _content(breaks: Sequence[Break]) -> list[tuple[int, Cause]]:
    return [(made.step, made.cause) for made in breaks if made.loses_content]


def _rows(facts: TemplateFacts) -> Iterator[tuple[str, str]]:
    if facts.refused:
        yield "refuses", "; ".join(facts.refused)
    order = "; the order of their keys shows" if facts.key_order_matters else ""
    yield "tools", f"{_TOOLS[facts.tools]}{order}"
    yield "date", "; ".join(map(_date_text, facts.dates)) or _no_date(facts)
    yield "system text", _SYSTEM[facts.system_text]
    if facts.default_system:
        yield "if none is given", f"it writes: {excerpt(facts.default_system, _WIDTH)}"
    yield "a second one", _FATES[facts.second_system]
    yield "developer", _FATES[facts.developer]
    parts = f"of the user {_PARTS[facts.user_parts]}, of the system {_PARTS[facts.system_parts]}"
    yield "content parts", parts
    yield "call arguments", _ARGUMENTS[facts.arguments]
    if facts.parameters:
        shown = (f"{p.name} from character {p.char:,}" for p in facts.parameters)
        yield "arguments", ", ".join(shown)


def _date_text(date: PrintedDate) -> str:
    """One date: its format, how fine it is, where it moves."""
    when = f", {date.when}" if date.when else ""
    return (
        f"{date.format} ({date.precision.value} precision), moves at character {date.char:,}{when}"
    )


def _no_date(facts: TemplateFacts) -> str:
    if facts.asks_for_time:
        return "it asks for the time, but no probe made it print one"
    return "none"


def _history(label: str, breaks: Sequence[Break], *, own: bool = False) -> Iterator[Line]:
    """The breaks; `own` says that their tokens count the user's own text only."""
    if not breaks:
        yield _row(label, "each request extends the one before")
    for number, made in enumerate(breaks):
        what = f"request {made.step}, {_EVENTS[made.event]}: {_CAUSES[made.cause]}"
        yield _row("" if number else label, what)
        cure = f"; {_cure_text(made)}" if made.loses_content else ""
        lost = _own_lost_text(made) if own else _lost_text(made)
        yield _row("", f"  {lost}{cure}")


def _lost_text(made: Break) -> str:
    lost = f"{count(made.lost_tokens, 'token')} ({count(made.lost_chars, 'character')})"
    return f"{lost} lost from character {made.char:,}"


def _own_lost_text(made: Break) -> str:
    own = f"{count(made.lost_tokens, 'token')} of it and" if made.lost_tokens else "none of it, but"
    return f"{own} what follows it lost from character {made.char:,}"


def _cure_text(made: Break) -> str:
    """Which switch removes a break."""
    if made.switch is None:
        return "no switch of the template removes this"
    left = f"{made.switch} leaves {count(made.left_chars, 'character')} of it"
    return left if made.left_chars else f"{made.switch} removes it"


def session_lines(facts: SessionFacts) -> Iterator[Line]:
    """What the template does to a user's own requests."""
    about = "about " if facts.estimated else ""
    tokens = f"{about}{count(facts.tokens, 'token')}"
    yield ((one_line(facts.prompt), "bold"), (f" · {one_line(facts.model)} · {tokens}", ""))
    yield _row("tools", f"{count(facts.tools_tokens, 'token')}, {_TOOLS[facts.tools]}")
    yield _row("requests", _CONTINUED if facts.continued else "as they were sent")
    yield from _history("history", facts.breaks, own=facts.continued)
    for message in facts.moved:
        lost = f"{count(message.lost_tokens, 'token')} lost"
        fate = _FATES[message.fate].partition(":")[0]
        yield _row("moved", f"message {message.message + 1} ({message.role}) {fate}: {lost}")
    for index in facts.leaked:
        yield _row("leaked", f"the parts of message {index + 1} are printed as Python or JSON")
    for parameter in facts.parameters:
        lost = f"{count(parameter.lost_tokens, 'token')} behind it"
        yield _row("parameter", f"{parameter.name} shows at character {parameter.char:,}: {lost}")


def _row(label: str, text: str) -> Line:
    return ((f"  {label:<{_LABEL}} ", "dim"), (one_line(text), ""))
