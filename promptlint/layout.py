"""The layout of one prompt: who wrote which tokens, and what makes them move."""

from collections.abc import Iterator
from enum import IntEnum, StrEnum

from msgspec import Struct, field

from promptlint.location import Location


class Part(StrEnum):
    """The part of the request that a span was rendered from."""

    TOOLS = "tools"
    SYSTEM = "system"
    MESSAGES = "messages"
    TEMPLATE = "template"


class Source(StrEnum):
    """The known sources of prompt text. A user may add names of their own."""

    TOOLS = "tools"
    BASE = "base"
    PROJECT = "project"
    SKILLS = "skills"
    MEMORY = "memory"
    TIMESTAMP = "timestamp"
    ENVIRONMENT = "environment"
    WORKSPACE = "workspace"
    IDENTITY = "identity"
    RETRIEVAL = "retrieval"
    HISTORY = "history"
    USER = "user"
    TEMPLATE = "template"
    UNKNOWN = "unknown"


class Axis(StrEnum):
    """One thing of the world that is changed between two renderings."""

    REPEAT = "repeat"
    STEP = "step"
    TURN = "turn"
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    MID_SESSION_EDIT = "mid-session-edit"
    CLOCK_AT_START = "clock-at-start"
    HASH_SEED = "hash-seed"
    NEW_SESSION = "new-session"
    LISTING_ORDER = "listing-order"
    TOOL_ORDER = "tool-order"
    EDIT_MEMORY = "edit-memory"
    EDIT_SKILLS = "edit-skills"
    EDIT_WORKSPACE = "edit-workspace"
    EDIT_PROJECT = "edit-project"
    USER = "user"
    MACHINE = "machine"
    MODEL = "model"


class Scope(StrEnum):
    """Who could have reused the tokens behind a moving span."""

    WITHIN = "within"
    BETWEEN = "between"
    ACROSS = "across"


class Lifetime(IntEnum):
    """How long a span stays the same, shortest first."""

    REQUEST = 0
    TURN = 1
    SESSION = 2
    DAY = 3
    EDIT = 4
    STATIC = 5

    def __str__(self) -> str:
        return self.name.lower()


class Confidence(IntEnum):
    """How sure we are. Measured by renderings is high, guessed from a name is low."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    def __str__(self) -> str:
        return self.name.lower()


class Evidence(StrEnum):
    """How a move became known."""

    MEASURED = "measured"
    FOLLOWED = "followed"
    GUESSED = "guessed"


class CauseKind(StrEnum):
    """What kind of call handed out the text that moved."""

    CLOCK = "clock"
    IDENTIFIER = "identifier"
    RANDOM = "random"
    AGE = "age"
    COUNTER = "counter"
    FILE = "file"
    LISTING = "listing"
    PROCESS = "process"
    HOST = "host"
    SET_ORDER = "set-order"
    COMPLETION_ORDER = "completion-order"
    QUERY = "query"
    TEMPLATE = "template"
    OTHER = "other"


class Cause(Struct, frozen=True):
    """The call that a moving span came from.

    `detail` names what was asked: a clock's format, a file's path, a command.
    `location` is the user's line that made the call. `trail` are the other lines
    that belong to it: a library's line nearer to the call, or the way to the prompt.
    """

    kind: CauseKind
    detail: str = ""
    location: Location | None = None
    trail: tuple[Location, ...] = ()


class Move(Struct, frozen=True):
    """One span moved on one axis.

    `lost_tokens` are the tokens behind the span's first moving token, up to
    where the scope ends, that did not move themselves in that world.
    `history_lost` says that a history of unknown length is lost as well.
    `before` and `after` are the beginning of its text in the two worlds, with keys masked.
    """

    axis: Axis
    scope: Scope
    lost_tokens: int = 0
    history_lost: bool = False
    before: str = ""
    after: str = ""


class Span(Struct, frozen=True):
    """A run of the rendered text with one source.

    Characters and tokens count from the start of the whole rendered text; in a
    layout made from source they are None. `section` is the name shown to people
    (`AGENTS.md`); spans of one section stand next to each other. `order` marks a
    span whose words are the same in both worlds, in another order.
    """

    source: str
    part: Part
    start_char: int | None
    end_char: int | None
    start_token: int | None
    end_token: int | None
    section: str
    tokens: int
    moves: tuple[Move, ...] = ()
    lifetime: Lifetime = Lifetime.STATIC
    cause: Cause | None = None
    origin: Location | None = None
    confidence: Confidence = Confidence.HIGH
    evidence: Evidence = Evidence.MEASURED
    order: bool = False

    @property
    def moving(self) -> bool:
        """Whether any axis moved this span."""
        return bool(self.moves)

    def move_on(self, *axes: Axis) -> Move | None:
        """The first move on one of these axes, in the order given."""
        return next((m for axis in axes for m in self.moves if m.axis is axis), None)

    def moves_in(self, scope: Scope) -> tuple[Move, ...]:
        """The moves of one scope."""
        return tuple(m for m in self.moves if m.scope is scope)


class AxisState(StrEnum):
    """What became of an axis in a run."""

    EXERCISED = "exercised"
    NOT_EXERCISED = "not exercised"
    FAILED = "failed"


class AxisReport(Struct, frozen=True):
    """Whether an axis was tried: `static` must never mean `never tried`."""

    axis: Axis
    state: AxisState
    why: str = ""


class ToolsPosition(StrEnum):
    """Where a template prints the tool definitions."""

    BEFORE_SYSTEM = "before-system"
    AFTER_SYSTEM = "after-system"
    LAST_USER = "last-user"
    NOT_RENDERED = "not-rendered"


class Rebuilt(StrEnum):
    """How often the agent calls its prompt builder."""

    REQUEST = "request"
    TURN = "turn"
    SESSION = "session"


class Layout(Struct, frozen=True):
    """The spans of one prompt in rendered order. They tile the whole text.

    `exact` says that the provenance of every character is known for sure.
    `estimated` says that lengths are estimates: a hosted model's tokenizer is
    not published, or the layout was made from source. `rebuilt` is None where
    nobody said how often the builder is called. `source_only` layouts were read
    from source: their offsets are None and branches are alternatives. One `built_alone` was
    met where it is built and not where it is sent: how often that happens is not known.
    """

    prompt: str
    model: str
    spans: tuple[Span, ...]
    tokens: int
    text: str = ""
    exact: bool = True
    estimated: bool = False
    source_only: bool = False
    built_alone: bool = False
    assumed_order: bool = False
    tools_position: ToolsPosition | None = None
    rebuilt: Rebuilt | None = None
    turns_measured: bool = False
    axes: tuple[AxisReport, ...] = ()
    location: Location | None = None
    notes: tuple[str, ...] = field(default=())

    def behind(self, span: Span) -> Iterator[Span]:
        """The spans that stand after this one."""
        return iter(self.spans[self.spans.index(span) + 1 :])

    def moving(self) -> Iterator[Span]:
        """The spans that moved on any axis."""
        return (span for span in self.spans if span.moving)
