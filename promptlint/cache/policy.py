"""What one provider or engine does with a prompt's prefix."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.cache.model_names import plain_name


class Match(StrEnum):
    """When earlier tokens are found again."""

    ANY = "any"
    BOUNDARY = "boundary"
    NAMED = "named"


class StoreKind(StrEnum):
    """Which store remembers the requests of a policy."""

    PREFIX_TREE = "prefix-tree"
    BOUNDARIES = "boundaries"
    MLX_QUEUE = "mlx-queue"
    LLAMA_SLOTS = "llama-slots"
    NONE = "none"


class Certainty(StrEnum):
    """How far a prediction can be trusted.

    `exact`: read in the engine's source or measured. `expected`: documented, but the
    provider promises no hit. `at-least`: the provider may find more, up to the common
    prefix. `at-most`: it may find less, down to nothing. `unknown`: anything from
    nothing to the whole prompt.
    """

    EXACT = "exact"
    EXPECTED = "expected"
    AT_LEAST = "at-least"
    AT_MOST = "at-most"
    UNKNOWN = "unknown"


class Automatic(StrEnum):
    """Whether the end of the prompt is a breakpoint without being marked."""

    NEVER = "never"
    ON_REQUEST = "on-request"
    UNLESS_OFF = "unless-off"
    ALWAYS = "always"


class Generated(StrEnum):
    """How much of the model's answer is stored behind the prompt."""

    NONE = "none"
    ALL = "all"
    ALL_BUT_LAST = "all-but-last"


class Normalisation(StrEnum):
    """What is made equal before the prompt is rendered."""

    ARGUMENTS_PARSED = "arguments-parsed"
    EMPTY_CONTENT = "empty-content"
    TEXT_PARTS_JOINED = "text-parts-joined"
    TOOLS_CANONICAL = "tools-canonical"
    TOOL_FIELDS_DROPPED = "tool-fields-dropped"


class Minimum(Struct, frozen=True):
    """The fewest tokens that are cached, in force from a day on; None is from the start."""

    tokens: int
    since: date | None = None
    source: str = ""


class TimeToLive(Struct, frozen=True):
    """How long an entry lives without being read, in seconds.

    Up to `seconds` it is there, after `at_most` it is gone. `write_multiplier` is the
    price of writing it, in input prices.
    """

    seconds: float
    at_most: float
    write_multiplier: float = 1.0


class UsageFields(Struct, frozen=True):
    """Where an answer says what was cached: dotted paths, the first one present counts.

    `output_besides` are tokens of the answer that its count leaves out: all of them are added.
    `inclusive`: the prompt's count contains what was read and written.
    """

    prompt: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    write_long: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    output_besides: tuple[str, ...] = ()
    inclusive: bool = True


class Evidence(Struct, frozen=True):
    """Where a policy was read, and when."""

    source: str
    date: str


class Policy(Struct, frozen=True):
    """The rules of one cache. Token counts everywhere; `block` None is an unpublished step.

    `order` is the order of the parts at a hosted provider; engines follow the
    template. `keep_last` tokens of a prompt are always computed. `whole_repeat`: an
    identical request is read whole. `minimum_of` says whether `minimum` bounds the
    prompt or each stored prefix. `max_marks` are the breakpoints that are stored, newest
    first, and `searched_marks` those that may be found again, where these are more;
    `lookback` is how many content blocks are searched back from each.
    `lifetime_fields` are where a body names the lifetime of all that it stores: dotted paths,
    the first one present counts; a breakpoint may name its own. `invalidates` names the
    parameters that destroy everything from a part on.
    `settings` are an engine's own switches. `notes` are rules that no field carries.
    """

    name: str
    match: Match
    store: StoreKind
    certainty: Certainty
    evidence: tuple[Evidence, ...]
    order: tuple[str, ...] = ()
    block: int | None = None
    keep_last: int = 0
    whole_repeat: bool = False
    minimum: int = 0
    minimum_of: str = "prefix"
    minimums: Mapping[str, tuple[Minimum, ...]] = field(default_factory=dict)
    automatic: Automatic = Automatic.NEVER
    marks: bool = False
    max_marks: int = 0
    searched_marks: int = 0
    lookback: int = 0
    generated: Generated = Generated.NONE
    writes_charged: bool = False
    lifetimes: Mapping[str, TimeToLive] = field(default_factory=dict)
    default_lifetime: str | None = None
    lifetime_fields: tuple[str, ...] = ()
    namespace: tuple[str, ...] = ()
    invalidates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    normalises: frozenset[Normalisation] = frozenset()
    settings: Mapping[str, int | float | bool] = field(default_factory=dict)
    usage: UsageFields = UsageFields()
    notes: tuple[str, ...] = ()

    def lifetime(self, name: str | None) -> TimeToLive | None:
        """The lifetime of that name, the default one for None; None where entries do not expire."""
        chosen = name or self.default_lifetime
        return self.lifetimes[chosen] if chosen else None

    def minimum_for(self, model: str, on: date | None = None) -> Minimum | None:
        """The published minimum of a model on a day, the newest by default; None is unknown."""
        known = sorted(self.minimums.get(plain_name(model), ()), key=lambda m: m.since or date.min)
        in_force = [m for m in known if on is None or m.since is None or m.since <= on]
        return in_force[-1] if in_force else None

    def for_model(self, model: str, on: date | None = None) -> "Policy":
        """This policy with the model's own minimum on a day, where it was published."""
        minimum = self.minimum_for(model, on)
        return replace(self, minimum=minimum.tokens) if minimum else self

    def with_settings(self, **changes: int | float | bool) -> "Policy":
        """This policy for an engine started with other switches."""
        return replace(self, settings={**self.settings, **changes})
