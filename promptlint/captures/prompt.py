"""A request as it was rendered, on its way from its text to its tokens."""

from msgspec import Struct

from promptlint.captures.blocks import Blocks, Extents
from promptlint.render import Rendered
from promptlint.request import Request


class Prompt(Struct, eq=False):
    """A rendered request with its content blocks.

    It is printed first, which others can go on from. Tokens and blocks are counted later:
    until then `extents` are the characters of its blocks, but for those that it has from
    `after`, the prompt that it goes on from: what stands before message `kept`. `has_opaque`
    says that the request holds what is no text.
    """

    request: Request
    rendered: Rendered
    extents: Extents
    has_opaque: bool
    after: "Prompt | None" = None
    kept: int = 0
    blocks: Blocks = Blocks()
