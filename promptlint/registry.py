"""The rules that there are: every module of `promptlint.rules`, by name."""

import importlib
import inspect
import pkgutil
from functools import cache
from typing import Any

from promptlint.rule import Rule


class RegistryError(Exception):
    """The rules could not be loaded. A linter without rules must never pass."""


@cache
def rules() -> dict[str, Rule[Any]]:
    """All rules by name, in alphabetical order."""
    found = {name: _load(name) for name in _modules()}
    if not found:
        raise RegistryError("no rules found: the installation is broken")
    return dict(sorted(found.items()))


def page(name: str) -> str:
    """A rule's page: the docstring of its file."""
    module = importlib.import_module(f"promptlint.rules.{_module_name(name)}")
    return inspect.getdoc(module) or ""


def _modules() -> list[str]:
    package = importlib.import_module("promptlint.rules")
    return [info.name.replace("_", "-") for info in pkgutil.iter_modules(package.__path__)]


def _module_name(name: str) -> str:
    return name.replace("-", "_")


def _load(name: str) -> Rule[Any]:
    rule = importlib.import_module(f"promptlint.rules.{_module_name(name)}").RULE
    if not isinstance(rule, Rule) or rule.name != name:
        raise RegistryError(f"rules/{_module_name(name)}.py: RULE must be a Rule named {name}")
    return rule
