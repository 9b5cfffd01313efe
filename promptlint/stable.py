"""The stable prefix of a layout: the tokens in front of the first one that moves."""

from collections.abc import Callable

from promptlint.layout import Axis, Layout, Move, Scope, Span


def stable_within_tokens(layout: Layout) -> int:
    """The tokens that every request of one session reads from the cache, until a file is edited."""
    return _tokens_before(layout, lambda move: move.scope is Scope.WITHIN)


def stable_between_tokens(layout: Layout) -> int:
    """The tokens that a later session reads as well."""
    return _tokens_before(layout, lambda move: move.scope is not Scope.ACROSS)


def stable_unedited_tokens(layout: Layout) -> int:
    """The tokens that a later session reads as long as nobody edits the project's instructions."""
    return _tokens_before(
        layout, lambda move: move.scope is not Scope.ACROSS and move.axis is not Axis.EDIT_PROJECT
    )


def first_mover(layout: Layout) -> Span | None:
    """The span that decides what a cache keeps: the first within a session, else between two.

    People edit a project's instructions so rarely that what the agent itself moves counts first.
    """
    within = (span for span in layout.spans if span.moves_in(Scope.WITHIN))
    agents = (s for s in layout.moving() if any(m.axis is not Axis.EDIT_PROJECT for m in s.moves))
    return next(within, None) or next(agents, None) or next(layout.moving(), None)


def _tokens_before(layout: Layout, counts: Callable[[Move], bool]) -> int:
    for span in layout.spans:
        if span.start_token is not None and any(counts(move) for move in span.moves):
            return span.start_token
    return layout.tokens
