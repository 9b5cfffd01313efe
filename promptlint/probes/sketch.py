"""Sessions written by hand, for the examples of the rules about templates."""

from promptlint.layout import ToolsPosition
from promptlint.probes.breaks import Break, Cause, Event
from promptlint.probes.session_facts import HeadParameter, MovedMessage, SessionFacts
from promptlint.probes.switch import Switch


def lost_at(
    step: int, event: Event, cause: Cause, tokens: int, switch: Switch | None = None
) -> Break:
    """A break of a session written by hand."""
    return Break(
        step, event, (cause,), 4000, 4 * tokens, tokens, ("history",), "", "", switch=switch
    )


def session(
    *breaks: Break,
    tools: ToolsPosition = ToolsPosition.AFTER_SYSTEM,
    moved: tuple[MovedMessage, ...] = (),
    leaked: tuple[int, ...] = (),
    parameters: tuple[HeadParameter, ...] = (),
    continued: bool = False,
) -> SessionFacts:
    """The facts of a session written by hand: 9,000 tokens, 3,000 of them tools."""
    return SessionFacts(
        prompt="coder",
        model="Qwen/Qwen3-8B",
        tokens=9000,
        tools=tools,
        tools_tokens=3000,
        breaks=breaks,
        moved=moved,
        leaked=leaked,
        parameters=parameters,
        continued=continued,
    )
