"""The content blocks of a rendered request, in tokens."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from msgspec import Struct, field

from promptlint.layout import Part
from promptlint.models.tokens import Row, rank
from promptlint.request import Mark, Request
from promptlint.templates import Leaf, Run

BlockKey = tuple[str | int, ...]
"""`("tools", i)`, `("system", i)`, `("messages", i, kind, j)`: one block of the request."""

Extents: TypeAlias = dict[BlockKey, tuple[int, int]]
"""The characters in which blocks were rendered: the first, and the one behind the last."""


class ContentBlock(Struct, frozen=True):
    """One tool, system block, or piece of a message, as it stands in the rendered prompt.

    `start` and `end` are tokens. `mark` is the cache breakpoint at its end, where it has one.
    `opens_user` says that a user's message begins with it.
    """

    key: BlockKey
    part: Part
    start: int
    end: int
    mark: Mark = None
    opens_user: bool = False

    @property
    def message(self) -> int:
        """The message that the block belongs to; -1 for the system and the tools."""
        return int(self.key[1]) if self.part is Part.MESSAGES else -1


class Blocks(Struct, frozen=True):
    """The blocks of one prompt in the order in which they end.

    `ends` are their ends in tokens, rising; `starts` where the first block of each part starts;
    `reach` the last message that the blocks so far belong to; `users` the numbers of those that
    open a user's message.
    """

    all: tuple[ContentBlock, ...] = ()
    ends: tuple[int, ...] = ()
    starts: Mapping[Part, int] = field(default_factory=dict)
    reach: tuple[int, ...] = ()
    users: tuple[int, ...] = ()

    def __iter__(self) -> Iterator[ContentBlock]:
        return iter(self.all)

    def before(self, message: int) -> "Blocks | None":
        """The blocks of what stands before a message; None where these are not the first ones."""
        kept = bisect_left(self.reach, message)
        behind = self.all[kept:]
        if any(block.message < message for block in behind):
            return None
        if not kept or any(block.start <= self.starts[block.part] for block in behind):
            return Blocks().followed_by(self.all[:kept])
        ends = self.ends[: bisect_right(self.ends, self.all[kept - 1].end)]
        users = self.users[: bisect_left(self.users, kept)]
        return Blocks(self.all[:kept], ends, self.starts, self.reach[:kept], users)

    def followed_by(self, new: tuple[ContentBlock, ...]) -> "Blocks":
        """These blocks and those of messages behind them."""
        starts: dict[Part, int] = {}
        for block in new:
            starts[block.part] = min(starts.get(block.part, block.start), block.start)
        first = min((block.end for block in new), default=0)
        apart = bisect_left(self.ends, first)
        ends = sorted({*self.ends[apart:], *(block.end for block in new)})
        last = self.reach[-1] if self.reach else -1
        reach = accumulate((max(block.message, last) for block in new), max)
        return Blocks(
            self.all + new,
            self.ends[:apart] + tuple(ends),
            {**starts, **self.starts},
            self.reach + tuple(reach),
            self.users + tuple(n for n, b in enumerate(new, len(self.all)) if b.opens_user),
        )


def content_blocks(request: Request, extents: Extents, starts: Row) -> tuple[ContentBlock, ...]:
    """Blocks in these characters, in the order in which they end, without breakpoints.

    `starts` are the characters at which the prompt's tokens start.
    """
    blocks = [
        ContentBlock(
            key,
            Part(str(key[0])),
            rank(starts, start),
            rank(starts, end),
            opens_user=_opens_user(key, request),
        )
        for key, (start, end) in extents.items()
    ]
    blocks.sort(key=lambda block: (block.end, block.start))
    return tuple(blocks)


def _opens_user(key: BlockKey, request: Request) -> bool:
    match key:
        case ("messages", int() as index, "content", 0):
            return request.messages[index].role == "user"
        case _:
            return False


def block_extents(request: Request, runs: Iterable[Run]) -> Extents:
    """The characters in which each block was rendered."""
    extents: Extents = {}
    for run in runs:
        key = _key(run.leaf, request)
        if key is not None and run.start < run.end:
            start, _ = extents.get(key, (run.start, run.end))
            extents[key] = (start, run.end)
    return extents


def last_block_end(request: Request, runs: Sequence[Run]) -> int:
    """The character behind the last block that was rendered; 0 without one."""
    ends = (run.end for run in reversed(runs) if _key(run.leaf, request) is not None)
    return next(ends, 0)


def _key(leaf: Leaf | None, request: Request) -> BlockKey | None:
    """The block that a run belongs to; a tool result is one block, whatever parts it has."""
    match leaf:
        case ("tools", int() as index, *_):
            return ("tools", index)
        case ("system", int() as index, *_):
            return ("system", index)
        case ("messages", int() as index, *_) if request.messages[index].role == "tool":
            return ("messages", index, "content", 0)
        case ("messages", int() as index, ("content" | "tool_calls") as kind, int() as piece, *_):
            return ("messages", index, kind, piece)
        case ("messages", int() as index, "reasoning_content", *_):
            return ("messages", index, "reasoning_content", 0)
        case _:
            return None
