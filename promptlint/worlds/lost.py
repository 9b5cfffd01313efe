"""Lost tokens: what would have been read from the cache had the moving span stood last."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from promptlint.layout import Scope
from promptlint.worlds.compare import Region
from promptlint.worlds.units import Unit, UnitKey


def scope_end(
    scope: Scope,
    units: dict[UnitKey, Unit],
    newest_user: UnitKey | None,
    length: int,
) -> int:
    """The character at which reuse ends in this scope.

    Within a session that is the end of what the previous request held: the newest
    user message and all behind it are new anyway, unless there is none (None). Between
    sessions it is the start of the first message.
    """
    if scope is Scope.WITHIN:
        return units[newest_user].pieces[0][0] if newest_user in units else length
    messages = (unit.pieces[0][0] for key, unit in units.items() if key[0] == "messages")
    return min(messages, default=length)


def lost_tokens(
    token_starts: Sequence[int],
    first_token: int,
    end_char: int,
    moved: Iterable[Region],
) -> int:
    """The tokens from `first_token` up to `end_char` that did not move themselves."""
    last_token = bisect_left(token_starts, end_char)
    lost = max(last_token - first_token, 0)
    for start, end in _disjoint(moved):
        low = max(bisect_left(token_starts, start), first_token)
        high = min(bisect_left(token_starts, end), last_token)
        lost -= max(high - low, 0)
    return max(lost, 0)


def _disjoint(moved: Iterable[Region]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted((region.start, region.end) for region in moved):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
