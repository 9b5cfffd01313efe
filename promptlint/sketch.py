"""Tiny layouts written by hand, for the examples that every rule carries."""

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import (
    Axis,
    Cause,
    CauseKind,
    Confidence,
    Evidence,
    Layout,
    Lifetime,
    Move,
    Part,
    Rebuilt,
    Scope,
    Source,
    Span,
    ToolsPosition,
)
from promptlint.location import Location
from promptlint.worlds.axes import BETWEEN, EDITS, WITHIN, lifetime_of

_PARTS = {
    Source.TOOLS: Part.TOOLS,
    Source.TEMPLATE: Part.TEMPLATE,
    Source.USER: Part.MESSAGES,
    Source.HISTORY: Part.MESSAGES,
}


class Piece(Struct, frozen=True):
    """One span of a sketch, before it is put in its place."""

    source: Source
    tokens: int
    moves: tuple[tuple[Axis, Scope], ...] = ()
    cause: Cause | None = None
    texts: tuple[str, str] = ("", "")
    order: bool = False
    evidence: Evidence = Evidence.MEASURED


def still(source: Source, tokens: int) -> Piece:
    """A span of this many tokens that never moves."""
    return Piece(source, tokens)


def moving(
    source: Source,
    tokens: int,
    *axes: Axis | tuple[Axis, Scope],
    kind: CauseKind = CauseKind.OTHER,
    detail: str = "",
    texts: tuple[str, str] = ("", ""),
    order: bool = False,
    evidence: Evidence = Evidence.MEASURED,
) -> Piece:
    """A span that moves on these axes, each in the scope that the table of axes gives it.

    `texts` are what stands there before and after.
    """
    moves = tuple((axis, scope_of(axis)) if isinstance(axis, Axis) else axis for axis in axes)
    cause = Cause(kind, detail, Location("agent/prompt.py", 7, 12))
    return Piece(source, tokens, moves, cause, texts, order, evidence)


def layout(
    *pieces: Piece, rebuilt: Rebuilt | None = Rebuilt.REQUEST, source_only: bool = False
) -> Layout:
    """The layout of these pieces in this order. Lost tokens follow from what stands behind."""
    placed: list[Span] = []
    at = 0
    for piece in pieces:
        lifetime = min((lifetime_of(*move) for move in piece.moves), default=Lifetime.STATIC)
        placed.append(
            Span(
                source=piece.source,
                part=_PARTS.get(piece.source, Part.SYSTEM),
                start_char=4 * at,
                end_char=4 * (at + piece.tokens),
                start_token=at,
                end_token=at + piece.tokens,
                section=piece.source.value,
                tokens=piece.tokens,
                lifetime=lifetime,
                cause=piece.cause,
                origin=piece.cause.location if piece.cause else None,
                confidence=Confidence.LOW
                if piece.evidence is Evidence.GUESSED
                else Confidence.HIGH,
                evidence=piece.evidence,
                order=piece.order,
            )
        )
        at += piece.tokens
    spans = tuple(
        replace(span, moves=tuple(_move(m, index, pieces, placed) for m in pieces[index].moves))
        for index, span in enumerate(placed)
    )
    return Layout(
        "coder",
        "Qwen/Qwen3-8B",
        spans,
        at,
        rebuilt=rebuilt,
        source_only=source_only,
        estimated=source_only,
        tools_position=ToolsPosition.AFTER_SYSTEM,
    )


def scope_of(axis: Axis) -> Scope:
    """The scope in which an axis is first judged."""
    if axis in EDITS:
        return EDITS[axis][0]
    return next((row.scope for row in (*WITHIN, *BETWEEN) if row.axis is axis), Scope.ACROSS)


def _move(
    move: tuple[Axis, Scope], index: int, pieces: tuple[Piece, ...], placed: list[Span]
) -> Move:
    lost = 0
    for piece, span in list(zip(pieces, placed, strict=True))[index + 1 :]:
        if span.part is Part.MESSAGES:
            break
        lost += 0 if move in piece.moves else span.tokens
    own = pieces[index]
    return Move(*move, lost, move[1] is Scope.WITHIN, *own.texts)
