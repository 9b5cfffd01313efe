"""The rules that there are: every module of `promptlint.rules`, by name."""

import importlib
import inspect
import pkgutil
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from promptlint.layout import Layout
from promptlint.rule import Rule

FROM_SOURCE = ("Layout", "SourceFact")
"""The types that reading source gives."""

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


@cache
def rules(*reads: str) -> dict[str, Rule[Any]]:
    """The rules by name, in alphabetical order: all, or those that read one of these types.

    What a rule reads stands in its file, so that no other one has to be imported: what rules on
    sessions and templates need takes longer to load than a file takes to be read.
    """
    return {name: _load(name) for name in names() if not reads or _reads(name) in reads}


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


def _load(name: str) -> Rule[Any]:
    rule = importlib.import_module(f"promptlint.rules.{_module_name(name)}").RULE
    if not isinstance(rule, Rule) or rule.name != name:
        raise RegistryError(f"rules/{_module_name(name)}.py: RULE must be a Rule named {name}")
    return rule
