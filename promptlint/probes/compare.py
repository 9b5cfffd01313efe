"""One prompt under several models: where the verdict differs."""

from msgspec import Struct

from promptlint.layout import Axis, Layout, Scope, Span

AxisKey = tuple[Axis, Scope]


class ComparedModels(Struct, frozen=True):
    """The layouts of one prompt under two or more models, one each."""

    layouts: tuple[Layout, ...]

    def __str__(self) -> str:
        """The models with the order of the prompt under each, as a rule's page shows them."""
        orders = (
            f"{layout.model}: {', '.join(span.section for span in layout.spans)}"
            for layout in self.layouts
        )
        return "; ".join(orders)


class Divergence(Struct, frozen=True):
    """An axis that costs much under one model and little under another.

    `span` moves on it under the model where it costs most. `lost` are the tokens lost
    under each of the `models`.
    """

    axis: Axis
    scope: Scope
    span: Span
    models: tuple[str, ...]
    lost: tuple[int, ...]

    @property
    def difference(self) -> int:
        """The tokens that the best model keeps and the worst one loses."""
        return max(self.lost) - min(self.lost)


def lost_per_axis(layout: Layout) -> dict[AxisKey, tuple[int, bool]]:
    """What each axis loses at most: tokens, and whether the whole history goes with them."""
    lost: dict[AxisKey, tuple[int, bool]] = {}
    for span in layout.spans:
        for move in span.moves:
            tokens, history = lost.get((move.axis, move.scope), (0, False))
            worst = max(tokens, move.lost_tokens), history or move.history_lost
            lost[move.axis, move.scope] = worst
    return lost


def order_divergences(compared: ComparedModels, threshold: int) -> tuple[Divergence, ...]:
    """The axes on which two models of one prompt differ by at least `threshold` tokens.

    The order of the parts makes the difference: the same words move in each of them.
    """
    layouts = compared.layouts
    names = tuple(layout.model for layout in layouts)
    lost = [lost_per_axis(layout) for layout in layouts]
    found = []
    for axis, scope in dict.fromkeys(key for one in lost for key in one):
        tokens = tuple(one.get((axis, scope), (0, False))[0] for one in lost)
        span = _worst(layouts[tokens.index(max(tokens))], axis, scope)
        made = Divergence(axis, scope, span, names, tokens)
        if made.difference >= threshold:
            found.append(made)
    return tuple(found)


def _worst(layout: Layout, axis: Axis, scope: Scope) -> Span:
    """The span whose move on the axis loses most."""
    moves = (
        (move.lost_tokens, -index, span)
        for index, span in enumerate(layout.spans)
        for move in span.moves
        if (move.axis, move.scope) == (axis, scope)
    )
    return max(moves, key=lambda found: found[:2])[2]
