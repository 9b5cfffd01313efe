"""The stable prefix of a layout: the tokens in front of the first one that moves."""

from collections.abc import Callable

from promptlint.layout import Axis, Layout, Move, Scope, Span


def stable_within_tokens(layout: Layout) -> int:
    """The tokens that every request of one session reads from the cache, until a file is edited."""
    return _tokens_before(layout, _within)


def stable_between_tokens(layout: Layout) -> int:
    """The tokens that a later session reads as well."""
    return _tokens_before(layout, _between)


def stable_unedited_tokens(layout: Layout) -> int:
    """The tokens that a later session reads as long as nobody edits the project's instructions."""
    return _tokens_before(layout, _between_by_itself)


def first_mover(layout: Layout) -> Span | None:
    """The span that decides what a cache keeps: the first within a session, else between two.

    People edit a project's instructions so rarely that what the agent itself moves counts
    first. What moves only for other users or machines decides nothing.
    """
    for counts in (_within, _between_by_itself, _between):
        found = next((span for span in layout.spans if any(map(counts, span.moves))), None)
        if found is not None:
            return found
    return None


def _within(move: Move) -> bool:
    return move.scope is Scope.WITHIN


def _between(move: Move) -> bool:
    return move.scope is not Scope.ACROSS


def _between_by_itself(move: Move) -> bool:
    return _between(move) and move.axis is not Axis.EDIT_PROJECT


def _tokens_before(layout: Layout, counts: Callable[[Move], bool]) -> int:
    for span in layout.spans:
        if span.start_token is not None and any(counts(move) for move in span.moves):
            return span.start_token
    return layout.tokens
