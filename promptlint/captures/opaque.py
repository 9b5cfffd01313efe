"""What is no text (an image, encrypted reasoning) shown as a text of its own.

Nobody can render it, but a cache sees when it changes: its kind and the start of its hash
stand in its place.
"""

from msgspec.structs import replace

from promptlint.request import Block, Message

_SHOWN = 12


def with_opaque_shown(message: Message) -> Message:
    """The message with a short text for each block that is no text."""
    if not message.has_opaque:
        return message
    return replace(message, blocks=tuple(map(_block, message.blocks)))


def _block(block: Block) -> Block:
    if block.opaque is None:
        return block
    kind, _, digest = block.opaque.partition(" sha256:")
    return replace(block, text=f"[{kind} {digest[:_SHOWN]}]")
