"""The tables of names: volatile calls, prompt sinks, builders, guesses, switches."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.config_tables import NO_ROWS, OwnRows
from promptlint.layout import Axis, CauseKind
from promptlint.source.patterns import Pattern


class VolatileCall(Struct, frozen=True):
    """What a call hands out: see `[[call]]` in tables.toml."""

    kind: CauseKind
    source: str
    axis: Axis
    form: str


class Sink(Struct, frozen=True):
    """A call that sends a prompt, or keeps it (`stored`) in what it makes: see `[[sink]]`."""

    callee: Pattern
    system: frozenset[str]
    messages: frozenset[str]
    tools: frozenset[str]
    stored: bool
    prompt: frozenset[str] = frozenset()


class Guess(Struct, frozen=True):
    """What a printed name suggests."""

    names: Pattern
    kind: CauseKind
    source: str
    axis: Axis


class Switch(Struct, frozen=True):
    """A framework's option that makes a prompt move. An empty keyword: the call itself."""

    callee: Pattern
    keyword: str
    framework: str
    detail: str
    source: str
    axis: Axis
    since: str


class Named(Struct, frozen=True):
    """What the tables say of the name of a call. `elsewhere`: its text is no model's."""

    sink: Sink | None
    switches: tuple[Switch, ...]
    elsewhere: bool


class Builders(Struct, frozen=True):
    """How functions that build prompts are named."""

    system: Pattern
    prompt: Pattern
    classes: Pattern
    methods: Pattern
    vague: Pattern
    side: Pattern
    one_shot: Pattern


class Tables(Struct, frozen=True):
    """All tables. Patterns are searched, not matched in full.

    `own_calls` and `own_sinks` are those that the project named itself: they are believed even
    of functions whose source could be followed.
    """

    calls: Mapping[str, VolatileCall]
    commands: Mapping[str, tuple[Pattern, ...]]
    through: frozenset[str]
    sinks: tuple[Sink, ...]
    constructors: Mapping[str, str]
    text_arguments: tuple[str, ...]
    decorators: frozenset[str]
    once: frozenset[str]
    builders: Builders
    names: Mapping[str, Pattern]
    files: tuple[tuple[str, Pattern], ...]
    guesses: tuple[Guess, ...]
    switches: tuple[Switch, ...]
    tokens: Mapping[str, int]
    own_calls: Mapping[str, VolatileCall] = field(default_factory=dict)
    own_sinks: tuple[Sink, ...] = ()
    own_keywords: frozenset[str] = frozenset()
    switch_keywords: frozenset[str] = frozenset()
    _named: dict[str, Named] = field(default_factory=dict)
    _guessed: dict[str, Guess | None] = field(default_factory=dict)

    def file_source(self, words: str) -> str | None:
        """The source that a path's words belong to: memory, skills, project, ..."""
        return next((name for name, pattern in self.files if pattern.search(words)), None)

    def named(self, name: str) -> Named:
        """What is known of the name of a call: most of them come again and again."""
        found = self._named.get(name)
        if found is None:
            found = self._named[name] = Named(
                next((sink for sink in self.sinks if sink.callee.search(name)), None),
                tuple(switch for switch in self.switches if switch.callee.search(name)),
                self.names["elsewhere"].search(name) is not None,
            )
        return found

    def sink(self, name: str) -> Sink | None:
        """The sink that a call of this dotted name is."""
        return self.named(name).sink

    def own_call(self, name: str) -> VolatileCall | None:
        """What the project says of a function of its tree, by the dotted name from the root."""
        found = (call for own, call in self.own_calls.items() if f".{name}".endswith(f".{own}"))
        return next(found, None)

    def own_sink(self, name: str) -> Sink | None:
        """What the project says that a call of a function or class of its tree sends."""
        return next((sink for sink in self.own_sinks if sink.callee.search(name)), None)

    def guess(self, name: str) -> Guess | None:
        """What a printed name suggests, if anything."""
        if name not in self._guessed:
            found = next((guess for guess in self.guesses if guess.names.search(name)), None)
            self._guessed[name] = found
        return self._guessed[name]


@lru_cache(maxsize=4)
def load_tables(own: OwnRows = NO_ROWS) -> Tables:
    """The shipped tables, and a project's own rows in front of them."""
    import tomllib

    text = Path(__file__).with_name("tables.toml").read_text(encoding="utf-8")
    shipped = _tables(tomllib.loads(text))
    if own == NO_ROWS:
        return shipped
    own_calls = {
        name: VolatileCall(row.kind, row.source, row.axis, row.form)
        for row in own.calls
        for name in row.names
    }
    own_sinks = tuple(
        Sink(
            Pattern(row.callee.pattern),
            frozenset(row.system),
            frozenset(row.messages),
            frozenset(row.tools),
            row.stored,
        )
        for row in own.sinks
    )
    return replace(
        shipped,
        calls={**shipped.calls, **own_calls},
        sinks=(*own_sinks, *shipped.sinks),
        own_calls=own_calls,
        own_sinks=own_sinks,
        own_keywords=own.keywords,
        _named={},
    )


def _tables(data: dict[str, Any]) -> Tables:
    messages = dict(data["messages"])
    text_arguments = tuple(messages.pop("text_arguments"))
    switch_keywords = frozenset(entry["keyword"] for entry in data["switch"]) - {""}
    return Tables(
        calls={
            name: VolatileCall(
                CauseKind(entry["kind"]), entry["source"], Axis(entry["axis"]), entry["form"]
            )
            for entry in reversed(data["call"])
            for name in entry["names"]
        },
        commands={
            kind: tuple(Pattern(pattern) for pattern in patterns)
            for kind, patterns in data["commands"].items()
        },
        through=frozenset(data["through"]["names"]),
        sinks=tuple(_sink(entry) for entry in data["sink"]),
        constructors={name: role for role, names in messages.items() for name in names},
        text_arguments=text_arguments,
        decorators=frozenset(data["decorators"]["names"]),
        once=frozenset(data["decorators"]["once"]),
        builders=Builders(**{key: Pattern(value) for key, value in data["builders"].items()}),
        names={key: Pattern(pattern) for key, pattern in data["names"].items()},
        files=tuple((name, Pattern(pattern)) for name, pattern in data["files"].items()),
        guesses=tuple(
            Guess(
                Pattern(f"(?i){entry['names']}"),
                CauseKind(entry["kind"]),
                entry["source"],
                Axis(entry["axis"]),
            )
            for entry in data["guess"]
        ),
        switches=tuple(
            Switch(**{**entry, "callee": Pattern(entry["callee"]), "axis": Axis(entry["axis"])})
            for entry in data["switch"]
        ),
        tokens=data["tokens"],
        switch_keywords=switch_keywords,
    )


def _sink(entry: dict[str, Any]) -> Sink:
    return Sink(
        Pattern(entry["callee"]),
        frozenset(entry.get("system", ())),
        frozenset(entry.get("messages", ())),
        frozenset(entry.get("tools", ())),
        entry.get("stored", False),
        frozenset(entry.get("prompt", ())),
    )
