"""How a rule reports a request of a captured session."""

from collections.abc import Callable, Iterable, Iterator

from promptlint.cache.judged import JudgedSession
from promptlint.captures.divergence import Divergence
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Related, Severity
from promptlint.layout import Confidence, Scope
from promptlint.phrases import count
from promptlint.severity import Options

_MOST_RELATED = 8
_COMPACTED = 0.5

Broken = tuple[Turn, Divergence]
"""A request, and where it parts from the one before it."""


def report_turn(
    session: JudgedSession,
    turn: Turn,
    level: Severity,
    *,
    message: str,
    advice: str,
    lost_tokens: int = 0,
    facts: tuple[tuple[str, str], ...] = (),
    again: Iterable[Turn] = (),
) -> Finding:
    """The finding for one request; `again` are later ones with the same fault."""
    related = [Related(f"again in request {t.index}", t.captured.place) for t in again]
    if len(related) > _MOST_RELATED:
        more = Related(f"and in {len(related) - _MOST_RELATED} more")
        related = [*related[:_MOST_RELATED], more]
    return Finding(
        rule="",
        severity=level,
        confidence=Confidence.HIGH,
        message=message,
        advice=advice,
        prompt=session.name,
        model=session.model,
        location=turn.captured.place,
        scope=Scope.WITHIN,
        lost_tokens=lost_tokens,
        total_tokens=turn.tokens,
        facts=facts,
        related=tuple(related),
    )


def report_broken(
    session: JudgedSession, group: list[Broken], options: Options, *, message: str, advice: str
) -> Finding:
    """The finding for one fault in the history, at the first request that shows it."""
    turn, broken = group[0]
    lost = max(divergence.lost_tokens for _, divergence in group)
    about = "about " if session.estimated else ""
    often = f", in {len(group)} requests" if len(group) > 1 else ""
    return report_turn(
        session,
        turn,
        loss_severity(lost, options),
        message=message,
        advice=advice,
        lost_tokens=lost,
        facts=(
            ("parts at", f"token {broken.token:,} of {turn.tokens:,}, in request {turn.index}"),
            ("loses", f"{about}{count(lost, 'token')} of the conversation behind it{often}"),
        ),
        again=(turn for turn, _ in group[1:]),
    )


def loss_severity(lost_tokens: int, options: Options) -> Severity:
    """A session that breaks by itself: the history behind it grows, so a small loss counts too."""
    return Severity.ERROR if lost_tokens >= options.threshold else Severity.WARNING


def broken_turns(
    session: JudgedSession, counts: Callable[[Divergence], bool]
) -> Iterator[list[Broken]]:
    """The breaks that count, grouped by cause and message: a fault that comes back is one.

    A compaction throws the history away on purpose: a prompt that is then less than half
    as long is no fault. Nor is a reminder at the very end that is left out afterwards:
    nothing that stays stood behind it.
    """
    groups: dict[object, list[Broken]] = {}
    for turn in session.turns:
        broken = turn.divergence
        if broken is None or not counts(broken):
            continue
        if _is_compaction(turn, broken) or broken.was_last:
            continue
        groups.setdefault((broken.cause, broken.part, broken.message), []).append((turn, broken))
    return iter(groups.values())


def _is_compaction(turn: Turn, broken: Divergence) -> bool:
    return turn.tokens <= _COMPACTED * (broken.token + broken.lost_tokens)
