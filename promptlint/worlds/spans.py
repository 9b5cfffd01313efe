"""The spans of a layout: rendered units cut at sections and at moving runs."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import (
    Axis,
    Cause,
    CauseKind,
    Confidence,
    Evidence,
    Lifetime,
    Move,
    Part,
    Scope,
    Source,
    Span,
)
from promptlint.location import Location
from promptlint.render import Rendered
from promptlint.secrets import masked
from promptlint.sections.mark import Mark
from promptlint.sections.names import source_of_file
from promptlint.worlds.compare import Region
from promptlint.worlds.lost import lost_tokens, scope_end
from promptlint.worlds.moving import MovingRun, Trial
from promptlint.worlds.units import Unit, UnitKey, part_of

# What a moving run in the base prompt is called, by the kind of call that made it.
_SOURCES = {
    CauseKind.CLOCK: Source.TIMESTAMP,
    CauseKind.AGE: Source.TIMESTAMP,
    CauseKind.IDENTIFIER: Source.IDENTITY,
    CauseKind.RANDOM: Source.IDENTITY,
    CauseKind.HOST: Source.ENVIRONMENT,
    CauseKind.PROCESS: Source.WORKSPACE,
    CauseKind.LISTING: Source.WORKSPACE,
    CauseKind.QUERY: Source.RETRIEVAL,
}
_UNNAMED = frozenset({Source.BASE, Source.UNKNOWN, Source.ENVIRONMENT})
_OWN_WORDS = _UNNAMED | {Source.HISTORY}
_KEPT = frozenset({Source.MEMORY, Source.SKILLS, Source.PROJECT, Source.HISTORY})

# Of a moved text, people read the beginning.
_LONGEST_EXCERPT = 200


class Piece(Struct, frozen=True):
    """Characters `start` to `end` of the rendered text, of one unit and one section."""

    start: int
    end: int
    unit: UnitKey
    mark: Mark | None


def spans(
    rendered: Rendered,
    units: dict[UnitKey, Unit],
    sections: Mapping[UnitKey, Sequence[Mark]],
    runs: Sequence[MovingRun],
    newest_user: UnitKey | None,
) -> tuple[Span, ...]:
    """The spans of the layout, tiling the rendered text and its tokens."""
    found = []
    for piece, run in _cut(list(_pieces(units, sections)), runs):
        first = bisect_left(rendered.token_starts, piece.start)
        last = bisect_left(rendered.token_starts, piece.end)
        moves = _moves(rendered, units, run, newest_user) if run else ()
        source, label = _source(piece, run, newest_user)
        found.append(
            Span(
                source=source,
                part=part_of(piece.unit),
                start_char=piece.start,
                end_char=piece.end,
                start_token=first,
                end_token=last,
                section=label,
                tokens=last - first,
                moves=moves,
                lifetime=run.lifetime if run else Lifetime.STATIC,
                cause=run.cause if run else None,
                origin=_origin(piece, run),
                confidence=_confidence(piece, run),
                evidence=Evidence.MEASURED,
                order=run.order if run else False,
            )
        )
    return tuple(_named_blanks(found, rendered.text))


def _named_blanks(found: list[Span], text: str) -> Iterator[Span]:
    """White space around a moving value, which nobody claims, belongs to the section behind it."""
    for index, span in enumerate(found):
        behind = found[index + 1 : index + 2]
        blank = span.source == Source.UNKNOWN and not text[span.start_char : span.end_char].strip()
        if blank and not span.moving and behind and behind[0].part is span.part:
            yield replace(span, source=behind[0].source, section=behind[0].section)
        else:
            yield span


def _pieces(
    units: dict[UnitKey, Unit], sections: Mapping[UnitKey, Sequence[Mark]]
) -> Iterator[Piece]:
    pieces = []
    for key, unit in units.items():
        offset = 0
        for start, end in unit.pieces:
            length = end - start
            for mark in sections.get(key, ()):
                low, high = max(mark.start, offset), min(mark.end, offset + length)
                if low < high:
                    pieces.append(Piece(start + low - offset, start + high - offset, key, mark))
            if key not in sections:
                pieces.append(Piece(start, end, key, None))
            offset += length
    return iter(sorted(pieces, key=lambda piece: piece.start))


def _cut(
    pieces: list[Piece], runs: Sequence[MovingRun]
) -> Iterator[tuple[Piece, MovingRun | None]]:
    """Every piece cut at the moving runs of its unit; an insertion is a piece of no length."""
    insertions = [run for run in runs if run.start == run.end]
    for piece in pieces:
        here = [run for run in insertions if _inserted_into(piece, run)]
        insertions = [run for run in insertions if run not in here]
        inside = [run for run in runs if run.start < piece.end and piece.start < run.end]
        here += [run for run in inside if run.unit == piece.unit and run.start < run.end]
        at = piece.start
        for run in sorted(here, key=lambda run: (run.start, run.end)):
            low, high = max(run.start, piece.start), min(run.end, piece.end)
            if at < low:
                yield replace(piece, start=at, end=low), None
            yield replace(piece, start=low, end=high), run
            at = high
        if at < piece.end:
            yield replace(piece, start=at), None
    for run in insertions:
        # Nothing of this unit was rendered in the base world: it would have begun the prompt.
        yield Piece(run.start, run.end, run.unit, None), run


def _inserted_into(piece: Piece, run: MovingRun) -> bool:
    """Whether an insertion belongs to this piece: appended text belongs to what it follows."""
    return piece.unit == run.unit and piece.start <= run.start <= piece.end


def _moves(
    rendered: Rendered,
    units: dict[UnitKey, Unit],
    run: MovingRun,
    newest_user: UnitKey | None,
) -> tuple[Move, ...]:
    moves = {}
    for trial, region in run.moved_by:
        if (trial.axis, trial.scope) in moves:
            continue
        # Within one turn the newest user message is history already.
        newest = None if trial.axis is Axis.STEP else newest_user
        end = scope_end(trial.scope, units, newest, len(rendered.text))
        first = rendered.first_token_touching(region.start)
        moves[trial.axis, trial.scope] = Move(
            trial.axis,
            trial.scope,
            lost_tokens(rendered.token_starts, first, end, _other_text(trial)),
            history_lost=trial.scope is Scope.WITHIN and region.start < end,
            before=masked(region.before)[:_LONGEST_EXCERPT],
            after=masked(region.after)[:_LONGEST_EXCERPT],
        )
    return tuple(moves.values())


def _other_text(trial: Trial) -> list[Region]:
    """What another world has other text for. The same words in one fixed order would be read."""
    return [region for region in trial.regions if not region.order]


def _source(piece: Piece, run: MovingRun | None, newest_user: UnitKey | None) -> tuple[str, str]:
    part = part_of(piece.unit)
    if piece.unit[0] == "unknown":
        return Source.UNKNOWN, Source.UNKNOWN
    if part is Part.TEMPLATE or part is Part.TOOLS:
        name = Source.TEMPLATE if part is Part.TEMPLATE else Source.TOOLS
        return name, name
    if piece.unit == newest_user and (piece.mark is None or piece.mark.source in _OWN_WORDS):
        return Source.USER, Source.USER
    if part is Part.MESSAGES and piece.mark is None:
        return Source.HISTORY, Source.HISTORY
    if piece.mark is None:
        return Source.UNKNOWN, Source.UNKNOWN
    caused = _source_of_cause(run.cause) if run else None
    if caused is not None and _may_be_renamed(piece.mark):
        return caused, caused
    return piece.mark.source, piece.mark.label


def _may_be_renamed(mark: Mark) -> bool:
    """An observed call knows better than no name and than a heading's guess."""
    guessed = mark.confidence is Confidence.LOW and mark.source not in _KEPT
    return mark.source in _UNNAMED or guessed


def _source_of_cause(cause: Cause | None) -> Source | None:
    if cause is None:
        return None
    if cause.kind is CauseKind.FILE:
        return source_of_file(cause.detail) or (Source.WORKSPACE if cause.detail else None)
    return _SOURCES.get(cause.kind)


def _origin(piece: Piece, run: MovingRun | None) -> Location | None:
    if run and run.cause and run.cause.location:
        return run.cause.location
    return piece.mark.origin if piece.mark else None


def _confidence(piece: Piece, run: MovingRun | None) -> Confidence:
    if run:
        return Confidence.HIGH
    return piece.mark.confidence if piece.mark else Confidence.HIGH
