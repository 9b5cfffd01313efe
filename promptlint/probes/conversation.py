"""The conversation that templates are probed with: tool calls, reasoning, new user turns.

Every text in it occurs once, so that what is printed says where it came from.
"""

from collections.abc import Iterator
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from promptlint.request import Block, Json, Message, Request, Tool, ToolCall

SYSTEM_TEXT = "  \n Systemword, you answer in one line.\nRead before you write. \n "
"""The system text of the probes. Its outer white space shows whether a template trims."""

CALLED_PATH = "log.txt"
"""An argument of the first tool call."""

TOOLS = (
    Tool(
        "read_file",
        {
            "type": "function",
            "function": {
                "name": "read_file",
                "description": "Toolword: the text of a file.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "path": {"type": "string", "description": "Relative to the workspace."},
                        "limit": {"type": "integer", "description": "Lines at most."},
                    },
                    "required": ["path"],
                },
            },
        },
    ),
    Tool(
        "run_tests",
        {
            "type": "function",
            "function": {
                "name": "run_tests",
                "description": "The result of the tests.",
                "parameters": {"type": "object", "properties": {}, "required": []},
            },
        },
    ),
)


class Shape(Struct, frozen=True):
    """How the conversation is put, since not every template takes all of it.

    The fields stand in the order in which they are given up, the last one last:
    arguments as an object (else as JSON text), text beside a tool call, reasoning,
    a system message, tool calls and their results.
    """

    arguments_as_object: bool = True
    text_beside_calls: bool = True
    reasoning: bool = True
    system: bool = True
    calls: bool = True

    @property
    def refused(self) -> tuple[str, ...]:
        """What had to be given up, in words."""
        return tuple(_REFUSED[name] for name in self.__struct_fields__ if not getattr(self, name))


_REFUSED = {
    "arguments_as_object": "tool call arguments as an object",
    "text_beside_calls": "text and reasoning beside a tool call",
    "reasoning": "reasoning",
    "system": "a system message",
    "calls": "tool calls and results",
}


def shapes() -> Iterator[Shape]:
    """Every shape, from the whole conversation to the barest."""
    for given in product((True, False), repeat=len(Shape.__struct_fields__)):
        yield Shape(*reversed(given))


def session(shape: Shape) -> tuple[Request, ...]:
    """The requests of the conversation, each with one exchange more than the one before.

    Two steps with tools and an answer to the first user message; one step and an
    answer to the second; the third user message.
    """
    first = replace(base_request(shape), messages=(user("Firstuserword: what fails?"),))
    return continued(
        first,
        shape,
        (
            (
                assistant(shape, 1, "Looking at the log.", "read_file", CALLED_PATH),
                "Resultword one.",
            ),
            (assistant(shape, 2, "", "run_tests"), "Resultword two."),
            (assistant(shape, 3, "Answerword one."), user("Seconduserword: repair it.")),
            (assistant(shape, 4, "", "read_file", "code.py"), "Resultword three."),
            (assistant(shape, 5, "Answerword two."), user("Thirduserword: thanks.")),
        ),
    )


def base_request(shape: Shape) -> Request:
    """The system text and the tools, with no message yet."""
    return Request(system=(Block(SYSTEM_TEXT),) if shape.system else (), tools=TOOLS)


def continued(
    first: Request, shape: Shape, exchanges: tuple[tuple[Message, Message | str], ...]
) -> tuple[Request, ...]:
    """`first`, and one request more for each exchange: the model's message and what came back.

    A text that came back is the result of the message's call.
    """
    requests = [first]
    for answer, back in exchanges:
        if isinstance(back, str) and not shape.calls:
            continue
        reply = result(answer, back) if isinstance(back, str) else back
        last = requests[-1]
        requests.append(replace(last, messages=(*last.messages, answer, reply)))
    return tuple(requests)


def assistant(
    shape: Shape, number: int, text: str, tool: str | None = None, path: str | None = None
) -> Message:
    """A message of the model: an answer, or the call of a tool."""
    arguments: Json = {} if path is None else {"path": path, "limit": 7}
    if not shape.arguments_as_object:
        arguments = "{}" if path is None else f'{{"path": "{path}", "limit": 7}}'
    call = () if tool is None else (ToolCall(tool, arguments, f"call0000{number}"),)
    shown = "" if call and not shape.text_beside_calls else text
    return Message(
        "assistant",
        (Block(shown),) if shown else (),
        tool_calls=call,
        reasoning=f"Reasonword {number}: one thing after the other." if shape.reasoning else None,
    )


def result(answer: Message, text: str) -> Message:
    """The result of the message's call."""
    call = answer.tool_calls[0]
    return Message("tool", (Block(text),), tool_call_id=call.id, name=call.name)


def user(text: str) -> Message:
    """A user message."""
    return Message("user", (Block(text),))
