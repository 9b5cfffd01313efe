"""How bad a moving span is: the loss that can be avoided."""

from msgspec import Struct

from promptlint.cost import rate
from promptlint.finding import Severity
from promptlint.layout import Axis, Confidence, Evidence, Layout, Move, Part, Scope, Span

DEFAULT_THRESHOLD = 256

# These move within a session by themselves, with nobody editing anything.
_BY_ITSELF = frozenset({Axis.REPEAT, Axis.STEP, Axis.TURN, Axis.SECOND, Axis.MINUTE, Axis.HOUR})

# Sorting, freezing or moving to the newest user turn cures these, wherever the span stands.
_CURABLE = frozenset(
    {Axis.CLOCK_AT_START, Axis.HASH_SEED, Axis.NEW_SESSION, Axis.LISTING_ORDER, Axis.TOOL_ORDER}
)


class Options(Struct, frozen=True):
    """What a user may set for a prompt's verdicts.

    `threshold` is the smallest loss that matters (tokens). `many` says that other
    users and machines share the cache. `cache` names the cache that the prompt
    meets, `cache_minimum` is the shortest prefix that it keeps (tokens).
    """

    threshold: int = DEFAULT_THRESHOLD
    many: bool = False
    cache: str | None = None
    cache_minimum: int = 0


DEFAULT_OPTIONS = Options()


def severity(layout: Layout, span: Span, move: Move, options: Options) -> Severity:
    """The severity of one move of one span."""
    if span.evidence is Evidence.GUESSED or below_minimum(layout, options):
        return Severity.INFO
    if move.scope is Scope.ACROSS:
        unordered = move.axis in _CURABLE and span.confidence is Confidence.HIGH and span.order
        judged = options.many or (unordered and layout.source_only)
        return _warn_if(judged and move.lost_tokens >= options.threshold)
    if move.scope is Scope.WITHIN and move.axis is not Axis.DAY:
        if not (move.history_lost or move.lost_tokens >= options.threshold):
            return Severity.INFO
        sure = move.axis in _BY_ITSELF and rebuilding_known(layout)
        return Severity.ERROR if sure else Severity.WARNING
    return _warn_if(avoidable_tokens(layout, span, move) >= options.threshold)


def confidence(layout: Layout, span: Span, move: Move) -> Confidence:
    """How sure a finding is: whether a plain function is called again in a session is not known."""
    if move.scope is Scope.WITHIN and not rebuilding_known(layout):
        return min(span.confidence, Confidence.MEDIUM)
    return span.confidence


def rebuilding_known(layout: Layout) -> bool:
    """Whether it is known how often the agent builds this prompt."""
    return layout.source_only or layout.turns_measured or layout.rebuilt is not None


def below_minimum(layout: Layout, options: Options) -> bool:
    """Whether the whole prompt is too short for the cache that it meets; estimates never are."""
    return not layout.source_only and layout.tokens < options.cache_minimum


def avoidable_tokens(layout: Layout, span: Span, move: Move) -> int:
    """The lost tokens that another order, sorting or freezing would save (tokens).

    An order can put the span behind the sections of the system text that change
    less often; what the template prints behind the system text stays behind it.
    """
    if move.axis in _CURABLE:
        return move.lost_tokens
    own = rate(m.axis for m in span.moves)
    return sum(
        behind.tokens
        for behind in layout.behind(span)
        if behind.part is Part.SYSTEM
        and behind.move_on(move.axis) is None
        and rate(m.axis for m in behind.moves) < own
    )


def _warn_if(condition: bool) -> Severity:
    return Severity.WARNING if condition else Severity.INFO
