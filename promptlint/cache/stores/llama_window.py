"""What llama.cpp's server keeps of a prompt whose attention slides over a window.

Source: llama.cpp b11434, tools/server/server-context.cpp (checkpoints) and
src/llama-kv-cache.cpp (`find_slot`, `apply_ubatch`). Positions that left the window are
overwritten; they come back only from a checkpoint. Positions are token offsets.
"""

from typing import Protocol

from msgspec import Struct, field

from promptlint.cache.policy import Policy

_EMPTY = -1
_CELL_STEP = 256
_LAST_TOKENS_APART = 4


class Window(Protocol):
    """What a slot still holds of its tokens."""

    def rewind(self, shared: int, prompt: int) -> int:
        """Cut back to the first `shared` tokens of a prompt; how many of them are still there."""

    def advance(self, read: int, prompt: int, answer: int, user_starts: tuple[int, ...]) -> None:
        """Compute a prompt from `read` on, and the stored tokens of its answer."""

    def saved(self) -> "Window":
        """What a copy in memory keeps."""


def window_of(policy: Policy) -> Window:
    """The empty window of a policy's slots."""
    if not policy.settings["window"]:
        return WholePrompt()
    settings = {key: int(value) for key, value in policy.settings.items() if key != "similarity"}
    size = min(settings["context"], settings["window"] + settings["micro_batch"])
    cells = settings["context"] if settings["full_window"] else -(-size // _CELL_STEP) * _CELL_STEP
    return SlidingWindow(
        width=settings["window"],
        batch=settings["batch"],
        micro_batch=settings["micro_batch"],
        checkpoint_step=settings["checkpoint_step"],
        max_checkpoints=0 if settings["full_window"] else settings["checkpoints"],
        cells=[_EMPTY] * cells,
    )


class WholePrompt:
    """Full attention: every token stays."""

    def rewind(self, shared: int, prompt: int) -> int:
        """All shared tokens are there."""
        return min(shared, prompt)

    def advance(self, read: int, prompt: int, answer: int, user_starts: tuple[int, ...]) -> None:
        """Nothing can be lost."""

    def saved(self) -> "WholePrompt":
        """The same."""
        return self


class _Checkpoint(Struct, frozen=True):
    """A copy of the window before token `tokens`: the positions it covers, and those it holds."""

    tokens: int
    first: int
    last: int
    positions: tuple[int, ...]


class SlidingWindow(Struct):
    """The cells of one slot: which position each holds. `max_checkpoints` 0 is the full window."""

    width: int
    batch: int
    micro_batch: int
    checkpoint_step: int
    max_checkpoints: int
    cells: list[int]
    head: int = 0
    checkpoints: tuple[_Checkpoint, ...] = field(default=())

    def rewind(self, shared: int, prompt: int) -> int:
        """The shared tokens if the window still covers them, else the last checkpoint's, else 0."""
        if not shared:
            self._restore(())
            self.checkpoints = ()
            return 0
        width = self.width if self.max_checkpoints else 0
        needed = max(0, shared - width - (0 if shared < prompt else 1))
        read = shared if self._first() < needed else self._from_checkpoint(shared, needed)
        self.checkpoints = tuple(c for c in self.checkpoints if c.last <= read)
        self._drop_from(min(read, prompt - 1))
        return read

    def advance(self, read: int, prompt: int, answer: int, user_starts: tuple[int, ...]) -> None:
        """Batch by batch, with a checkpoint before a batch where the server makes one."""
        position = read
        while position < prompt:
            end = self._batch_end(position, prompt, user_starts)
            self._checkpoint(position, end, prompt, user_starts)
            for start in range(position, end, self.micro_batch):
                self._write(range(start, min(start + self.micro_batch, end)))
            position = end
        for token in range(prompt, prompt + answer):
            self._write(range(token, token + 1))

    def saved(self) -> "SlidingWindow":
        """A copy holds what the window covers, packed from the first cell on."""
        copy = SlidingWindow(
            self.width,
            self.batch,
            self.micro_batch,
            self.checkpoint_step,
            self.max_checkpoints,
            [_EMPTY] * len(self.cells),
            checkpoints=self.checkpoints,
        )
        copy._restore(self._covered())
        return copy

    def _first(self) -> int:
        """The first position that is still held."""
        return min(cell for cell in self.cells if cell != _EMPTY)

    def _last(self) -> int:
        return max(self.cells)

    def _covered(self) -> tuple[int, ...]:
        """The positions that a copy keeps: the newest `width`."""
        last = self._last()
        return tuple(cell for cell in self.cells if cell != _EMPTY and last - cell < self.width)

    def _from_checkpoint(self, shared: int, needed: int) -> int:
        """Restore the newest checkpoint that serves; the tokens that are read with it."""
        for checkpoint in reversed(self.checkpoints):
            fits = checkpoint.last <= shared
            if fits and (checkpoint.first < needed or checkpoint.first == 0):
                self._restore(checkpoint.positions)
                reach = min(shared, max(checkpoint.first + 1, checkpoint.last))
                return min(reach, checkpoint.tokens)
        self._restore(())
        return 0

    def _restore(self, positions: tuple[int, ...]) -> None:
        self.cells = [*positions, *[_EMPTY] * (len(self.cells) - len(positions))]
        self.head = len(positions)

    def _drop_from(self, position: int) -> None:
        """Empty the cells from a position on; the search for free cells starts at the first."""
        freed = [index for index, cell in enumerate(self.cells) if cell >= position]
        for index in freed:
            self.cells[index] = _EMPTY
        if freed:
            self.head = min(self.head, freed[0])

    def _batch_end(self, start: int, prompt: int, user_starts: tuple[int, ...]) -> int:
        """Where a batch ends: at its size, at a user message, or just before the prompt's end."""
        end = min(start + self.batch, prompt)
        if not self.max_checkpoints:
            return end
        stops = [prompt - self.micro_batch - _LAST_TOKENS_APART, prompt - _LAST_TOKENS_APART]
        stops += [u for u in user_starts if u == user_starts[-1] or self._far(u)]
        return min((stop for stop in stops if start < stop < end), default=end)

    def _far(self, position: int) -> bool:
        """Whether a checkpoint here would not stand too close to the last one."""
        newest = self.checkpoints[-1] if self.checkpoints else None
        return newest is None or position > newest.tokens + self.checkpoint_step

    def _checkpoint(self, start: int, end: int, prompt: int, user_starts: tuple[int, ...]) -> None:
        """Make a checkpoint before the batch, if the server makes one there."""
        if not self.max_checkpoints or self._last() == _EMPTY:
            return
        near_end = prompt < end + self.micro_batch
        at_user = start in user_starts
        if not (near_end or at_user):
            return
        at_last_user = bool(user_starts) and start == user_starts[-1]
        if not (near_end or at_last_user or self._far(start)):
            return
        others = tuple(c for c in self.checkpoints if c.tokens != start)
        new = _Checkpoint(start, self._first(), self._last(), self._covered())
        self.checkpoints = (*others, new)[-self.max_checkpoints :]

    def _write(self, positions: range) -> None:
        """Put positions into free cells, else into cells that left the window.

        What is older than an overwritten position goes as well: the held run has no gap.
        """
        free = self._free_cells(len(positions))
        overwritten = max(self.cells[index] for index in free)
        for index, position in zip(free, positions, strict=True):
            self.cells[index] = position
        self.head = free[-1] + 1
        if overwritten != _EMPTY:
            self.cells = [_EMPTY if cell <= overwritten else cell for cell in self.cells]

    def _free_cells(self, count: int) -> list[int]:
        used = sum(cell != _EMPTY for cell in self.cells)
        start = 0 if self.head > used + 2 * count else self.head
        next_position = self._last() + 1
        free: list[int] = []
        for offset in range(len(self.cells)):
            index = (start + offset) % len(self.cells)
            cell = self.cells[index]
            if cell == _EMPTY or next_position - cell >= self.width:
                free.append(index)
                if len(free) == count:
                    break
        return free
