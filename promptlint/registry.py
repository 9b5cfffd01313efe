"""The rules that there are: every module of `promptlint.rules`, by name."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from promptlint.layout import Layout
from promptlint.rule import Rule

FROM_SOURCE = ("Layout", "SourceFact", "UnusedIgnore")
"""The types that a check of source alone gives."""

_READS = re.compile(r"^    reads=(\w+),$", re.MULTILINE)


class RegistryError(Exception):
    """The rules could not be loaded. A linter without rules must never pass."""


@cache
def names() -> tuple[str, ...]:
    """The names of all rules, in alphabetical order. None of them is loaded."""
    package = importlib.import_module("promptlint.rules")
    found = [info.name.replace("_", "-") for info in pkgutil.iter_modules(package.__path__)]
    if not found:
        raise RegistryError("no rules found: the installation is broken")
    return tuple(sorted(found))


class Rules(Mapping[str, Rule[Any]]):
    """Rules by name, in alphabetical order. A rule is loaded when it is asked for.

    What a rule reads stands in its file, so that no other one has to be imported: what rules on
    sessions and templates need takes longer to load than a file takes to be read. `ignored`
    are names of rules that do not count.
    """

    def __init__(
        self, named: Sequence[str], reads: Sequence[str], ignored: Sequence[str] = ()
    ) -> None:
        self.ignored = ignored
        self._named = named
        self._reads = reads

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(n for n in self._named if not self._reads or _reads(n) in self._reads)

    def __getitem__(self, name: str) -> Rule[Any]:
        if name not in self._names:
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def rules(
    *, select: Sequence[str] = (), ignore: Sequence[str] = (), reads: Sequence[str] = ()
) -> Rules:
    """The rules: all, or those selected, without those ignored, that read one of these types."""
    chosen = (name for name in names() if not select or name in select)
    return Rules([name for name in chosen if name not in ignore], reads, ignore)


def page(name: str) -> str:
    """A rule's page: the docstring of its file."""
    module = importlib.import_module(f"promptlint.rules.{_module_name(name)}")
    return inspect.getdoc(module) or ""


def _reads(name: str) -> str:
    """The name of the type that a rule reads, as its file says."""
    found = find_spec(f"promptlint.rules.{_module_name(name)}")
    if found is None or found.origin is None:
        raise RegistryError(f"rule {name}: its file is missing")
    written = _READS.search(Path(found.origin).read_text("utf-8"))
    return written[1] if written else Layout.__name__


def _module_name(name: str) -> str:
    return name.replace("-", "_")


@cache
def _load(name: str) -> Rule[Any]:
    rule = importlib.import_module(f"promptlint.rules.{_module_name(name)}").RULE
    if not isinstance(rule, Rule) or rule.name != name:
        raise RegistryError(f"rules/{_module_name(name)}.py: RULE must be a Rule named {name}")
    return rule
