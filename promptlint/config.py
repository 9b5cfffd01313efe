"""The configuration: `[tool.promptlint]` in pyproject.toml, or the same keys in promptlint.toml."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from promptlint.config_tables import NO_ROWS, OwnRows, call_rows, sink_rows
from promptlint.config_values import (
    Fields,
    Reader,
    choice,
    count,
    flag,
    nearest,
    seconds,
    tables,
    text,
    texts,
)
from promptlint.layout import Axis, Rebuilt

FILE_NAMES = ("promptlint.toml", "pyproject.toml")
FOR_BUILDERS = ("tools", "python", "network", "rebuilt")
FOR_COMMANDS = ("resume", "replies")


class ConfigError(Exception):
    """A configuration that cannot be used. One line for each fault: the place, then the cause."""


class Ignore(Struct, frozen=True):
    """A rule that a prompt's owner has accepted, for one source or for all."""

    rule: str
    source: str | None = None

    def __str__(self) -> str:
        return self.rule if self.source is None else f"{self.rule}:{self.source}"


class PromptConfig(Struct, frozen=True):
    """One `[[tool.promptlint.prompt]]`: the prompt of a `builder` or of a `command`.

    `resume` are arguments with which the command goes on with its session, `replies` is a
    file of what it is answered. `tools` is a JSON file or a target. `sources` maps a
    source's name to a regular expression over the prompt's text, `files` a source's name
    to patterns of file names. `timeout` is seconds for one build, or for one run of the
    command.
    """

    name: str
    builder: str | None = None
    command: tuple[str, ...] = ()
    resume: tuple[str, ...] = ()
    replies: str | None = None
    tools: str | None = None
    python: str | None = None
    models: tuple[str, ...] = ()
    tokenizer: str | None = None
    cache: str | None = None
    workspace: str | None = None
    home: str | None = None
    timeout: float = 30.0
    network: bool = False
    rebuilt: Rebuilt | None = None
    audience: str = "one"
    sources: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ignore: tuple[Ignore, ...] = ()


class Config(Struct, frozen=True):
    """Everything a configuration file says. `path` is None where there is no file.

    `threshold` and `history_tokens` are tokens; `rates` are changes per 100 requests.
    `own` is added to the tables with which source is read.
    """

    base: Path
    path: Path | None = None
    model: str | None = None
    tokenizer: str | None = None
    python: str | None = None
    threshold: int = 256
    history_tokens: int = 0
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = "warning"
    exclude: tuple[str, ...] = ()
    rates: Mapping[Axis, float] = field(default_factory=dict)
    prompts: tuple[PromptConfig, ...] = ()
    own: OwnRows = NO_ROWS

    def prompt(self, name: str) -> PromptConfig | None:
        """The prompt of this name."""
        return next((prompt for prompt in self.prompts if prompt.name == name), None)


def find_config(start: Path) -> Path | None:
    """The nearest configuration file at or above `start`."""
    for folder in (start, *start.parents):
        for name in FILE_NAMES:
            path = folder / name
            if path.is_file() and (name == "promptlint.toml" or _has_table(path)):
                return path
    return None


def load_config(path: Path | None, base: Path) -> Config:
    """The configuration in `path`, or the defaults for `base` where there is no file."""
    if path is None:
        return Config(base=base.resolve())
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    if path.name == "pyproject.toml":
        data = data.get("tool", {}).get("promptlint", {})
    reader = Reader(str(path))
    config = _config(reader, data, path)
    if reader.faults:
        raise ConfigError("\n".join(reader.faults))
    return config


def _has_table(path: Path) -> bool:
    try:
        return "promptlint" in tomllib.loads(path.read_text("utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        # Somebody else's broken file further up says nothing; a named one is read strictly.
        return False


def _config(reader: Reader, data: Mapping[str, Any], path: Path) -> Config:
    values = reader.read(data, "promptlint", _CONFIG_FIELDS)
    prompts = _prompts(reader, values.pop("prompt", []))
    calls = call_rows(reader, values.pop("call", []))
    own = OwnRows(calls, sink_rows(reader, values.pop("sink", [])))
    base = path.parent.resolve()
    return Config(base=base, path=path, prompts=prompts, own=own, **values)


def _prompts(reader: Reader, given: Sequence[Mapping[str, Any]]) -> tuple[PromptConfig, ...]:
    prompts = []
    for index, table in enumerate(given):
        where = f"prompt {table.get('name', index + 1)}"
        prompt = reader.read(table, where, _PROMPT_FIELDS)
        fault = _fault(table)
        if fault is not None:
            reader.fault(where, fault)
        if fault is not None or "name" not in prompt:
            continue
        single = prompt.pop("model", ())
        prompts.append(PromptConfig(**{"models": single, **prompt}))
    names = [prompt.name for prompt in prompts]
    for name in sorted({name for name in names if names.count(name) > 1}):
        reader.faults.append(f"{reader.place}: two prompts are called {name}")
    return tuple(prompts)


def _fault(table: Mapping[str, Any]) -> str | None:
    """What is wrong with a prompt as a whole. A key that could not be read has its own fault."""
    if "name" not in table:
        return "`name` is missing"
    if "builder" not in table and "command" not in table:
        return "`builder` or `command` is missing"
    if "builder" in table and "command" in table:
        return "a prompt has a `builder` or a `command`, not both"
    kind, others = ("command", FOR_BUILDERS) if "command" in table else ("builder", FOR_COMMANDS)
    stray = next((key for key in others if key in table), None)
    if stray is not None:
        return f"`{stray}` says nothing about a `{kind}`"
    return None


def _command(value: Any) -> tuple[str, ...]:
    words = texts(value)
    if not words or not words[0]:
        raise ValueError("must name a program")
    return words


def _rates(value: Any) -> dict[Axis, float]:
    if not isinstance(value, dict):
        raise TypeError("must be a table of axes and numbers")
    rates = {}
    for name, number in value.items():
        if name not in {axis.value for axis in Axis}:
            raise ValueError(f"no axis `{name}`{nearest(name, Axis)}")
        if (
            isinstance(number, bool)
            or not isinstance(number, int | float)
            or not 0 <= number <= 100
        ):
            raise ValueError(f"`{name}` must be between 0 and 100")
        rates[Axis(name)] = float(number)
    return rates


def _patterns(value: Any) -> dict[str, str]:

    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise TypeError("must be a table of source names and regular expressions")
    for name, pattern in value.items():
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"`{name}` is no regular expression: {error}") from None
    return dict(value)


def _files(value: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise TypeError("must be a table of source names and lists of file patterns")
    return {name: texts(patterns) for name, patterns in value.items()}


def _ignores(value: Any) -> tuple[Ignore, ...]:
    found = []
    for item in texts(value):
        rule, _, source = item.partition(":")
        found.append(Ignore(rule, source or None))
    return tuple(found)


_CONFIG_FIELDS: Fields = {
    "model": text,
    "tokenizer": text,
    "python": text,
    "threshold": count,
    "history-tokens": count,
    "select": texts,
    "ignore": texts,
    "fail-on": choice("info", "warning", "error"),
    "exclude": texts,
    "rates": _rates,
    "prompt": tables("prompt"),
    "call": tables("call"),
    "sink": tables("sink"),
}

_PROMPT_FIELDS: Fields = {
    "name": text,
    "builder": text,
    "command": _command,
    "resume": texts,
    "replies": text,
    "tools": text,
    "python": text,
    "model": lambda value: (text(value),),
    "models": texts,
    "tokenizer": text,
    "cache": text,
    "workspace": text,
    "home": text,
    "timeout": seconds,
    "network": flag,
    "rebuilt": lambda value: Rebuilt(choice("request", "turn", "session")(value)),
    "audience": choice("one", "many"),
    "sources": _patterns,
    "files": _files,
    "ignore": _ignores,
}
