"""What is no text (an image, encrypted reasoning) shown as a text of its own.

Nobody can render it, but a cache sees when it changes: its kind and the start of its hash
stand in its place.
"""

from dataclasses import replace

from promptlint.request import Block, Message, Request

_SHOWN = 12


def with_opaque_shown(request: Request) -> Request:
    """The request with a short text for each block that is no text."""
    if not any(block.opaque for message in request.messages for block in message.blocks):
        return request
    return replace(request, messages=tuple(map(_message, request.messages)))


def _message(message: Message) -> Message:
    return replace(message, blocks=tuple(map(_block, message.blocks)))


def _block(block: Block) -> Block:
    if block.opaque is None:
        return block
    kind, _, digest = block.opaque.partition(" sha256:")
    return replace(block, text=f"[{kind} {digest[:_SHOWN]}]")
