"""The runs of text in which two renderings differ, as small as they honestly are."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from msgspec import Struct

from promptlint.secrets import keys

_WORD = re.compile(r"\w+|\s+|[^\w\s]")

# Above this many words a word-by-word comparison is slow and tells people nothing.
_MOST_WORDS = 4_000


class Hunk(Struct, frozen=True):
    """`before[start:end]` became `after[after_start:after_end]` (characters)."""

    start: int
    end: int
    after_start: int
    after_end: int


def hunks(before: str, after: str) -> tuple[Hunk, ...]:
    """The differing runs of two texts in order: by lines first, by words inside them."""
    if before == after:
        return ()
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    # Whole lines keep the words at both ends of the changed region intact.
    first = before.rfind("\n", 0, head) + 1
    last = before.find("\n", len(before) - tail)
    kept = 0 if last < 0 else len(before) - last
    middle_before, middle_after = (
        before[first : len(before) - kept],
        after[first : len(after) - kept],
    )
    found = [
        Hunk(first + h.start, first + h.end, first + h.after_start, first + h.after_end)
        for h in _by_lines(middle_before, middle_after)
    ]
    return tuple(_joined(found, before, after))


def same_words(before: str, after: str) -> bool:
    """Whether two texts hold the same words in another order."""
    return before != after and sorted(_words(before)) == sorted(_words(after))


def _words(text: str) -> list[str]:
    return [word for word in _pieces(text) if not word.isspace()]


def _pieces(text: str) -> list[str]:
    """The words of a text and what stands between them; a key is one word, shown whole or not."""
    pieces, at = [], 0
    for start, end in keys(text, 0, len(text)):
        pieces += [*_WORD.findall(text, at, start), text[start:end]]
        at = end
    return [*pieces, *_WORD.findall(text, at)]


def _common(one: str, other: str) -> int:
    """The length of the common prefix, by halving: comparing slices is fast, characters are not."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _by_lines(before: str, after: str) -> Iterator[Hunk]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    old_at, new_at = _offsets(old), _offsets(new)
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        block = Hunk(old_at[i], old_at[j], new_at[k], new_at[m])
        if tag == "replace":
            yield from _by_words(block, before, after)
        elif tag != "equal":
            yield block


def _by_words(block: Hunk, before: str, after: str) -> Iterator[Hunk]:
    old = _pieces(before[block.start : block.end])
    new = _pieces(after[block.after_start : block.after_end])
    if len(old) + len(new) > _MOST_WORDS:
        yield block
        return
    old_at, new_at = _offsets(old), _offsets(new)
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Hunk(
                block.start + old_at[i],
                block.start + old_at[j],
                block.after_start + new_at[k],
                block.after_start + new_at[m],
            )


def _offsets(pieces: list[str]) -> list[int]:
    offsets = [0]
    for piece in pieces:
        offsets.append(offsets[-1] + len(piece))
    return offsets


def _joined(found: list[Hunk], before: str, after: str) -> Iterator[Hunk]:
    """Join hunks that only punctuation or a single space keeps apart: `12:10` is one value."""
    current: Hunk | None = None
    for hunk in found:
        if current is None:
            current = hunk
        elif _trifle(before[current.end : hunk.start]) and _trifle(
            after[current.after_end : hunk.after_start]
        ):
            current = Hunk(current.start, hunk.end, current.after_start, hunk.after_end)
        else:
            yield current
            current = hunk
    if current is not None:
        yield current


def _trifle(gap: str) -> bool:
    return len(gap) <= 2 and "\n" not in gap and not any(c.isalnum() for c in gap)
