"""The tables of names: volatile calls, prompt sinks, builders, guesses, switches."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from promptlint.layout import Axis, CauseKind


@dataclass(frozen=True, slots=True)
class VolatileCall:
    """What a call hands out: see `[[call]]` in tables.toml."""

    kind: CauseKind
    source: str
    axis: Axis
    form: str


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that sends a prompt, or keeps it (`stored`) in what it makes."""

    callee: re.Pattern[str]
    system: frozenset[str]
    messages: frozenset[str]
    tools: frozenset[str]
    stored: bool


@dataclass(frozen=True, slots=True)
class Guess:
    """What a printed name suggests."""

    names: re.Pattern[str]
    kind: CauseKind
    source: str
    axis: Axis


@dataclass(frozen=True, slots=True)
class Switch:
    """A framework's option that makes a prompt move. An empty keyword: the call itself."""

    callee: re.Pattern[str]
    keyword: str
    framework: str
    detail: str
    source: str
    axis: Axis
    since: str


@dataclass(frozen=True, slots=True)
class Builders:
    """How functions that build prompts are named."""

    system: re.Pattern[str]
    prompt: re.Pattern[str]
    classes: re.Pattern[str]
    methods: re.Pattern[str]
    vague: re.Pattern[str]
    side: re.Pattern[str]
    one_shot: re.Pattern[str]


@dataclass(frozen=True)
class Tables:
    """All tables. Patterns are searched, not matched in full."""

    calls: Mapping[str, VolatileCall]
    commands: Mapping[str, tuple[re.Pattern[str], ...]]
    through: frozenset[str]
    sinks: tuple[Sink, ...]
    constructors: Mapping[str, str]
    text_arguments: tuple[str, ...]
    decorators: frozenset[str]
    once: frozenset[str]
    builders: Builders
    names: Mapping[str, re.Pattern[str]]
    files: tuple[tuple[str, re.Pattern[str]], ...]
    guesses: tuple[Guess, ...]
    switches: tuple[Switch, ...]
    tokens: Mapping[str, int]
    known_sinks: dict[str, Sink | None] = field(default_factory=dict, compare=False, repr=False)

    def file_source(self, words: str) -> str | None:
        """The source that a path's words belong to: memory, skills, project, ..."""
        return next((name for name, pattern in self.files if pattern.search(words)), None)

    def sink(self, name: str) -> Sink | None:
        """The sink that a call of this dotted name is."""
        if name not in self.known_sinks:
            found = next((sink for sink in self.sinks if sink.callee.search(name)), None)
            self.known_sinks[name] = found
        return self.known_sinks[name]

    def guess(self, name: str) -> Guess | None:
        """What a printed name suggests, if anything."""
        return next((guess for guess in self.guesses if guess.names.search(name)), None)


@lru_cache(maxsize=4)
def load_tables(extra: Path | None = None) -> Tables:
    """The shipped tables, and a user's file of the same shape in front of them.

    Raises `ValueError` with one line where the user's file does not fit.
    """
    import tomllib

    shipped = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
    if extra is None:
        return _tables(shipped)
    try:
        own = tomllib.loads(extra.read_text(encoding="utf-8"))
        return _tables(_added(shipped, own))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, re.error) as error:
        raise ValueError(f"{extra}: {error}") from error


def _added(shipped: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Lists are put in front, tables are merged, words replace."""
    result = dict(shipped)
    for key, value in own.items():
        if key not in shipped:
            raise ValueError(f"unknown table {key!r}, expected one of {', '.join(shipped)}")
        if isinstance(value, list):
            result[key] = value + shipped[key]
        elif isinstance(value, dict):
            result[key] = _added(shipped[key], value)
        else:
            result[key] = value
    return result


def _tables(data: dict[str, Any]) -> Tables:
    messages = dict(data["messages"])
    text_arguments = tuple(messages.pop("text_arguments"))
    return Tables(
        calls={
            name: VolatileCall(
                CauseKind(entry["kind"]), entry["source"], Axis(entry["axis"]), entry["form"]
            )
            for entry in reversed(data["call"])
            for name in entry["names"]
        },
        commands={
            kind: tuple(re.compile(pattern) for pattern in patterns)
            for kind, patterns in data["commands"].items()
        },
        through=frozenset(data["through"]["names"]),
        sinks=tuple(_sink(entry) for entry in data["sink"]),
        constructors={name: role for role, names in messages.items() for name in names},
        text_arguments=text_arguments,
        decorators=frozenset(data["decorators"]["names"]),
        once=frozenset(data["decorators"]["once"]),
        builders=Builders(**{key: re.compile(value) for key, value in data["builders"].items()}),
        names={key: re.compile(pattern) for key, pattern in data["names"].items()},
        files=tuple((name, re.compile(pattern)) for name, pattern in data["files"].items()),
        guesses=tuple(
            Guess(
                re.compile(entry["names"], re.IGNORECASE),
                CauseKind(entry["kind"]),
                entry["source"],
                Axis(entry["axis"]),
            )
            for entry in data["guess"]
        ),
        switches=tuple(
            Switch(**{**entry, "callee": re.compile(entry["callee"]), "axis": Axis(entry["axis"])})
            for entry in data["switch"]
        ),
        tokens=data["tokens"],
    )


def _sink(entry: dict[str, Any]) -> Sink:
    return Sink(
        re.compile(entry["callee"]),
        frozenset(entry.get("system", ())),
        frozenset(entry.get("messages", ())),
        frozenset(entry.get("tools", ())),
        entry.get("stored", False),
    )
