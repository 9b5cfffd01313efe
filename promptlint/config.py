"""The configuration: `[tool.promptlint]` in pyproject.toml, or the same keys in promptlint.toml."""

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from promptlint.layout import Axis, Rebuilt

FILE_NAMES = ("promptlint.toml", "pyproject.toml")
FOR_BUILDERS = ("tools", "python", "network", "rebuilt")
FOR_COMMANDS = ("resume", "replies")


class ConfigError(Exception):
    """A configuration that cannot be used. One line for each fault: the place, then the cause."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """A rule that a prompt's owner has accepted, for one source or for all."""

    rule: str
    source: str | None = None

    def __str__(self) -> str:
        return self.rule if self.source is None else f"{self.rule}:{self.source}"


@dataclass(frozen=True, slots=True)
class PromptConfig:
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


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a configuration file says. `path` is None where there is no file.

    `threshold` and `history_tokens` are tokens; `rates` are changes per 100 requests.
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
    reader = _Reader(str(path))
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


@dataclass(slots=True)
class _Reader:
    """Reads typed values and gathers every fault, so that a user meets all of them at once."""

    place: str
    faults: list[str] = field(default_factory=list)

    def read(self, table: Mapping[str, Any], where: str, fields: "Fields") -> dict[str, Any]:
        values = {}
        for key, value in table.items():
            if key not in fields:
                near = difflib.get_close_matches(key, fields, 1)
                hint = f", did you mean `{near[0]}`?" if near else ""
                self.faults.append(f"{self.place}: {where}: unknown key `{key}`{hint}")
                continue
            try:
                values[key.replace("-", "_")] = fields[key](value)
            except (TypeError, ValueError) as error:
                self.faults.append(f"{self.place}: {where}.{key}: {error}")
        return values


Fields = Mapping[str, Callable[[Any], Any]]


def _config(reader: _Reader, data: Mapping[str, Any], path: Path) -> Config:
    values = reader.read(data, "promptlint", _CONFIG_FIELDS)
    tables = values.pop("prompt", [])
    prompts = []
    for index, table in enumerate(tables):
        where = f"prompt {table.get('name', index + 1)}"
        prompt = reader.read(table, where, _PROMPT_FIELDS)
        fault = _fault(table)
        if fault is not None:
            reader.faults.append(f"{reader.place}: {where}: {fault}")
            continue
        single = prompt.pop("model", ())
        prompts.append(PromptConfig(**{"models": single, **prompt}))
    names = [prompt.name for prompt in prompts]
    for name in sorted({name for name in names if names.count(name) > 1}):
        reader.faults.append(f"{reader.place}: two prompts are called {name}")
    return Config(base=path.parent.resolve(), path=path, prompts=tuple(prompts), **values)


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


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError("must be a text")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError("must be a list of texts")
    return tuple(value)


def _command(value: Any) -> tuple[str, ...]:
    words = _texts(value)
    if not words or not words[0]:
        raise ValueError("must name a program")
    return words


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("must be true or false")
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError("must be a whole number, 0 or more")
    return value


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise TypeError("must be a number of seconds above 0")
    return float(value)


def _choice(*allowed: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return str(value)

    return read


def _rates(value: Any) -> dict[Axis, float]:
    if not isinstance(value, dict):
        raise TypeError("must be a table of axes and numbers")
    rates = {}
    for name, number in value.items():
        if name not in {axis.value for axis in Axis}:
            near = difflib.get_close_matches(name, [axis.value for axis in Axis], 1)
            raise ValueError(f"no axis `{name}`" + (f", did you mean `{near[0]}`?" if near else ""))
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
    return {name: _texts(patterns) for name, patterns in value.items()}


def _ignores(value: Any) -> tuple[Ignore, ...]:
    found = []
    for item in _texts(value):
        rule, _, source = item.partition(":")
        found.append(Ignore(rule, source or None))
    return tuple(found)


def _tables(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise TypeError("must be an array of tables: [[tool.promptlint.prompt]]")
    return value


_CONFIG_FIELDS: Fields = {
    "model": _text,
    "tokenizer": _text,
    "python": _text,
    "threshold": _count,
    "history-tokens": _count,
    "select": _texts,
    "ignore": _texts,
    "fail-on": _choice("info", "warning", "error"),
    "exclude": _texts,
    "rates": _rates,
    "prompt": _tables,
}

_PROMPT_FIELDS: Fields = {
    "name": _text,
    "builder": _text,
    "command": _command,
    "resume": _texts,
    "replies": _text,
    "tools": _text,
    "python": _text,
    "model": lambda value: (_text(value),),
    "models": _texts,
    "tokenizer": _text,
    "cache": _text,
    "workspace": _text,
    "home": _text,
    "timeout": _seconds,
    "network": _flag,
    "rebuilt": lambda value: Rebuilt(_choice("request", "turn", "session")(value)),
    "audience": _choice("one", "many"),
    "sources": _patterns,
    "files": _files,
    "ignore": _ignores,
}
