"""From prompts to layouts: spans in order, what moves them, and what stands behind them."""

import re
from collections.abc import Iterator

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
    Scope,
    Source,
    Span,
)
from promptlint.request import SYSTEM_ROLES
from promptlint.source.conversations import USER_ROLES, Kind, Prompt
from promptlint.source.pieces import (
    Branch,
    Literal,
    Piece,
    Pieces,
    Stage,
    Unresolved,
    Volatile,
    has_volatile,
)
from promptlint.source.tables import Guess, Tables
from promptlint.worlds.axes import lifetime_of

CHARACTERS_PER_TOKEN = 4
_JUDGED_ROLES = SYSTEM_ROLES | USER_ROLES | {"tools"}
_EDITS = {
    Source.MEMORY: Axis.EDIT_MEMORY,
    Source.SKILLS: Axis.EDIT_SKILLS,
}
_PLACEHOLDER = re.compile(
    r"\{\{-?\s*([A-Za-z_][\w.]*)[^{}]*\}\}|\{([A-Za-z_][\w.]*)\}|\$\{?(\w+)\}?"
)


def moves(piece: Volatile) -> tuple[Move, ...]:
    """The axes on which a piece moves, by its axis and by how long it lives."""
    live = piece.stage is Stage.CALL
    within = Scope.WITHIN if live else Scope.BETWEEN
    unsorted = (Move(Axis.LISTING_ORDER, Scope.ACROSS),) if piece.unsorted else ()
    match piece.axis:
        case Axis.USER | Axis.MACHINE | Axis.MODEL | Axis.TOOL_ORDER | Axis.LISTING_ORDER:
            return (Move(piece.axis, Scope.ACROSS),)
        case Axis.HASH_SEED | Axis.NEW_SESSION:
            return (Move(piece.axis, Scope.BETWEEN),)
        case Axis.EDIT_PROJECT:
            return (Move(piece.axis, Scope.BETWEEN), *unsorted)
        case Axis.SECOND | Axis.MINUTE | Axis.HOUR:
            return (Move(piece.axis if live else Axis.CLOCK_AT_START, within),)
        case Axis.DAY | Axis.EDIT_WORKSPACE:
            return (Move(piece.axis, within), *unsorted)
        case Axis.MID_SESSION_EDIT if not live:
            edit = _EDITS.get(Source(piece.source), Axis.EDIT_WORKSPACE)
            return (Move(edit, Scope.BETWEEN), *unsorted)
        case _:
            return (Move(piece.axis if live else Axis.NEW_SESSION, within), *unsorted)


def _lifetime(found: tuple[Move, ...]) -> Lifetime:
    """The shortest lifetime of some moves; a workspace read anew each time lives a turn."""
    lasting = [
        Lifetime.TURN
        if (move.axis, move.scope) == (Axis.EDIT_WORKSPACE, Scope.WITHIN)
        else lifetime_of(move.axis, move.scope)
        for move in found
    ]
    return min(lasting, default=Lifetime.STATIC)


class _Context(Struct, frozen=True):
    """What all spans of one prompt share."""

    tables: Tables
    part: Part
    role: str
    kind: Kind
    has_history: bool
    guessed: bool
    whole: bool

    @property
    def written_once(self) -> bool:
        """Whether edits cannot reach the text later: a user's message is sent again as it was.

        A request that ends with it and has no history is the only one of its session.
        """
        return self.role in USER_ROLES or self.whole


def layout(prompt: Prompt, tables: Tables) -> Layout:
    """The layout of a prompt: system text and messages in order, tools last.

    Without a template nothing is known of where the tools stand.
    """
    ordered = sorted(prompt.entries, key=lambda entry: entry.part is Part.TOOLS)
    has_history = any(entry.role == "history" for entry in ordered)
    sent = [entry.role for entry in ordered if entry.part is Part.MESSAGES]
    whole = bool(sent) and USER_ROLES.issuperset(sent)
    spans: list[Span] = []
    for at, entry in enumerate(ordered):
        newest = entry.role in USER_ROLES and not any(
            later.part is Part.MESSAGES and later.role not in USER_ROLES
            for later in ordered[at + 1 :]
        )
        context = _Context(
            tables, entry.part, entry.role, prompt.kind, has_history, prompt.guessed, whole
        )
        found = list(_spans(entry.pieces, context))
        still = newest or entry.role not in _JUDGED_ROLES
        spans.extend(_still(span, newest=newest) if still else span for span in found)
    spans = list(_once(spans))
    final = tuple(_with_losses(spans, at) for at in range(len(spans)))
    return Layout(
        prompt=prompt.name,
        model="",
        spans=final,
        tokens=sum(span.tokens for span in final),
        exact=False,
        estimated=True,
        source_only=True,
        built_alone=prompt.kind in (Kind.BUILDER, Kind.STORED),
        location=prompt.place,
    )


def _once(spans: list[Span]) -> Iterator[Span]:
    """Each cause once, where it first stands: alternatives and repeats say nothing new."""
    seen: set[object] = set()
    for span in spans:
        key = span.cause and (span.cause.kind, span.cause.location)
        if not span.moves or key not in seen:
            yield span
        seen.add(key)


def _still(span: Span, *, newest: bool) -> Span:
    """The newest user message never counts as moving, nor do answers that are sent again."""
    source = Source.USER if newest else Source.HISTORY
    return replace(span, source=source, moves=(), lifetime=Lifetime.STATIC, cause=None)


def _spans(pieces: Pieces, context: _Context) -> Iterator[Span]:
    for piece in pieces:
        match piece:
            case Branch(options=options):
                for option in sorted(options, key=has_volatile):
                    yield from _spans(option, context)
            case Literal():
                yield from _literal(piece, context)
            case Unresolved():
                yield _unresolved(piece, context)
            case Volatile():
                yield _volatile(piece, context)
            case _:
                pass


def _base(context: _Context, piece: Piece, source: str, tokens: int) -> Span:
    place = piece.place if isinstance(piece, Literal | Volatile | Unresolved) else None
    return Span(
        source=source,
        part=context.part,
        start_char=None,
        end_char=None,
        start_token=None,
        end_token=None,
        section=source,
        tokens=tokens,
        origin=place,
        evidence=Evidence.FOLLOWED,
    )


def _count(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def _literal(piece: Literal, context: _Context) -> Iterator[Span]:
    """Literal text; a placeholder in it that nobody filled is guessed by its name."""
    source = {
        Part.TOOLS: Source.TOOLS,
        Part.MESSAGES: Source.HISTORY,
    }.get(context.part, Source.BASE)
    end = 0
    for match in _PLACEHOLDER.finditer(piece.text):
        name = next(group for group in match.groups() if group)
        guess = context.tables.guess(name)
        if guess is None or guess.axis in (Axis.MODEL, Axis.MACHINE):
            continue
        before = piece.text[end : match.start()]
        if before:
            yield _base(context, piece, source, _count(before))
        end = match.end()
        yield _volatile(_guessed(guess, name, piece), context)
    rest = piece.text[end:]
    if rest:
        yield _base(context, piece, source, _count(rest))


def _guessed(guess: Guess, name: str, piece: Literal | Unresolved) -> Volatile:
    return Volatile(
        guess.kind, guess.source, guess.axis, name, piece.place,
        confidence=Confidence.LOW, guessed=True,
    )  # fmt: skip


def _unresolved(piece: Unresolved, context: _Context) -> Span:
    if context.role == "history":
        return _base(context, piece, Source.HISTORY, 0)
    if piece.user and context.role in SYSTEM_ROLES:
        confidence = Confidence.MEDIUM if context.has_history else Confidence.LOW
        moving = Volatile(
            CauseKind.QUERY, Source.USER, Axis.TURN, piece.name, piece.place,
            confidence=confidence, guessed=not context.has_history,
        )  # fmt: skip
        return _volatile(moving, context)
    name = piece.name
    guess = context.tables.guess(name)
    if guess is None and ")." in name:
        guess = context.tables.guess(name[: name.rindex(").") + 1])
    if guess is None:
        return _base(context, piece, Source.UNKNOWN, context.tables.tokens["unknown"])
    return _volatile(_guessed(guess, name, piece), context)


def _volatile(piece: Volatile, context: _Context) -> Span:
    if context.role in USER_ROLES and piece.stage is not Stage.CALL:
        return _base(context, piece, Source.USER, context.tables.tokens.get(piece.source, 0))
    if context.written_once and piece.axis in (Axis.MID_SESSION_EDIT, Axis.EDIT_WORKSPACE):
        piece = replace(piece, stage=min(piece.stage, Stage.MEMO))
    found = moves(piece)
    confidence = piece.confidence
    if context.kind in (Kind.BUILDER, Kind.STORED):
        confidence = min(confidence, Confidence.MEDIUM)
    guessed = piece.guessed or context.guessed
    if guessed:
        confidence = Confidence.LOW
    tokens = context.tables.tokens.get(piece.source, 0)
    if piece.text:
        tokens = _count(piece.text)
    cause = Cause(piece.kind, piece.detail, piece.place, piece.trail)
    return replace(
        _base(context, piece, piece.source, tokens),
        section=piece.section or piece.source,
        moves=found,
        lifetime=_lifetime(found),
        cause=cause,
        confidence=confidence,
        evidence=Evidence.GUESSED if guessed else Evidence.FOLLOWED,
        order=piece.order or piece.unsorted,
    )


def _with_losses(spans: list[Span], at: int) -> Span:
    """A span whose moves say what is lost behind it, tools aside."""
    span = spans[at]
    if not span.moves:
        return span
    behind = [other for other in spans[at + 1 :] if other.part is not Part.TOOLS]
    if span.part is Part.TOOLS:
        behind = []
    return replace(span, moves=tuple(_with_loss(move, behind) for move in span.moves))


def _with_loss(move: Move, behind: list[Span]) -> Move:
    within = move.scope is Scope.WITHIN
    lost = sum(
        other.tokens
        for other in behind
        if (within or other.part is Part.SYSTEM) and not _moves_too(other, move)
    )
    return replace(move, lost_tokens=lost, history_lost=within)


def _moves_too(span: Span, move: Move) -> bool:
    return any(own.axis is move.axis and own.scope is move.scope for own in span.moves)
