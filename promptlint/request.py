"""What is sent to a model, in one shape for every wire format."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, TypeAlias

from msgspec import Struct, field

Json: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None

Mark: TypeAlias = str | None
"""A cache breakpoint: the lifetime that it asks for (`5m`, `1h`), "" if it names none.

None is no breakpoint.
"""

SYSTEM_ROLES = frozenset({"system", "developer"})
"""The roles of messages that are system prompts."""


class Block(Struct, frozen=True):
    """One run of text of a system prompt or a message.

    `name` is the part's name where the builder gave one. `mark` is the cache
    breakpoint at its end. What is no text (an image, a document, hidden reasoning) carries
    its kind and a hash in `opaque`, and an empty text; `is_image` tells images apart.
    """

    text: str
    name: str | None = None
    mark: Mark = None
    opaque: str | None = None
    is_image: bool = False


class ToolCall(Struct, frozen=True):
    """A call the model made. `arguments` is kept as it was sent: text or an object."""

    name: str
    arguments: Json
    id: str | None = None
    mark: Mark = None


class Message(Struct, frozen=True):
    """One message of the conversation. `role` is system, developer, user, assistant or tool."""

    role: str
    blocks: tuple[Block, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str | None = None
    tool_call_id: str | None = None
    name: str | None = None

    @property
    def text(self) -> str:
        """The message's blocks as engines join them: with a newline."""
        return "\n".join(block.text for block in self.blocks)

    @property
    def has_opaque(self) -> bool:
        """Whether it holds images or other parts that are no text."""
        return any(block.opaque for block in self.blocks)


class Tool(Struct, frozen=True):
    """One tool definition.

    `definition` is what the template prints: the OpenAI nested form
    (`{"type": "function", "function": {...}}`), or the entry as it was sent where
    it is no function (`web_search`). Key order is kept: it changes the bytes.
    """

    name: str
    definition: Mapping[str, Json]
    mark: Mark = None


class Request(Struct, frozen=True):
    """System blocks, tools, messages and parameters.

    `joiner` stands between two system blocks. `parameters` are what a template
    or a provider may read (`reasoning_effort`, `tool_choice`, ...).
    `unknown_fields` are fields of a body that no reader knows, by path.
    """

    system: tuple[Block, ...] = ()
    tools: tuple[Tool, ...] = ()
    messages: tuple[Message, ...] = ()
    parameters: Mapping[str, Json] = field(default_factory=dict)
    joiner: str = "\n\n"
    model: str | None = None
    unknown_fields: tuple[str, ...] = ()

    @property
    def system_text(self) -> str:
        """The whole system prompt as one text."""
        return self.joiner.join(block.text for block in self.system)

    @property
    def has_opaque(self) -> bool:
        """Whether the prompt holds images or other parts that are no text."""
        return any(block.opaque for block in self._blocks())

    @property
    def has_images(self) -> bool:
        """Whether there is an image anywhere in the prompt."""
        return any(block.is_image for block in self._blocks())

    def _blocks(self) -> Iterator[Block]:
        """The blocks of the system prompt and of all messages."""
        return chain(self.system, *(message.blocks for message in self.messages))


class Session(Struct, frozen=True):
    """The requests of one conversation in time order."""

    requests: tuple[Request, ...]
    name: str = ""
