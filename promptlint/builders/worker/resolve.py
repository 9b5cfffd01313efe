"""From a target to the object that builds the prompt."""

# pathlib is itself watched, so it is not used here.
# ruff: noqa: PTH113, PTH118, PTH119, PTH120, PTH122

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from .failure import RefusedError, nearest_name


def import_target(module: str | None, path: str | None, folders: Sequence[str]) -> ModuleType:
    """Import a dotted module, or a file: by its dotted name where it belongs to a package."""
    if path is not None:
        if not os.path.isfile(path):
            raise RefusedError("not-found", f"no file {path}")
        module, root = _dotted_name(path)
        if module is None:
            sys.path[:0] = [root, *folders]
            return _import_file(path)
        folders = [root, *folders]
    assert module is not None
    sys.path[:0] = list(dict.fromkeys(folders))
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(error.name + ".")):
            raise RefusedError("not-found", _no_module(error.name)) from None
        raise


def _no_module(name: str) -> str:
    places = ", ".join(entry for entry in sys.path[:2] if entry)
    return f"no module {name} in {places} or in the packages of {sys.executable}"


def _dotted_name(path: str) -> tuple[str | None, str]:
    """The dotted name of a file inside a package, and the folder to import it from."""
    folder, file = os.path.split(path)
    names = [os.path.splitext(file)[0]]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    if len(names) == 1 or not all(name.isidentifier() for name in names):
        return None, os.path.dirname(path)
    if names[-1] == "__init__":
        names.pop()
    return ".".join(names), folder


def _import_file(path: str) -> ModuleType:
    name = os.path.splitext(os.path.basename(path))[0]
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == path:
        return known
    if name in sys.modules or name in getattr(sys, "stdlib_module_names", ()):
        name = "builder_" + name
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RefusedError("not-found", f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Target:
    """The object at the end of the attribute path. One is made for each ask."""

    def __init__(self, module: ModuleType, attributes: Sequence[str]) -> None:
        self._owner: Any = module
        for name in attributes[:-1]:
            self._owner = _step(self._owner, name)
        self._name = attributes[-1]
        _require(self._owner, self._name)
        if inspect.isclass(self._owner):
            self._owner = _instance_for(self._owner, self._name)
        final = inspect.getattr_static(self._owner, self._name, None)
        self._object = _instance(final) if inspect.isclass(final) else None
        self.takes_world = False

    def call(self, world: Any) -> Any:
        """Call the builder, or read it where it is a property or a constant."""
        value = self._object if self._object is not None else getattr(self._owner, self._name)
        if callable(value):
            arguments = _arguments(value, world, self._name)
            self.takes_world = bool(arguments)
            return value(*arguments)
        if self._object is not None:
            raise RefusedError("target", f"{self._name} is a class: name the method that builds")
        return value


def _step(owner: Any, name: str) -> Any:
    _require(owner, name)
    if inspect.isclass(owner):
        owner = _instance_for(owner, name)
    return getattr(owner, name)


def _require(owner: Any, name: str) -> None:
    # Looked up without running it: a property may be the builder itself.
    missing = object()
    if inspect.getattr_static(owner, name, missing) is missing and not hasattr(owner, name):
        kind = "module" if inspect.ismodule(owner) else type(owner).__name__
        shown = getattr(owner, "__name__", "") or kind
        hint = nearest_name(name, dir(owner))
        raise RefusedError("not-found", f"{shown} has no attribute {name}{hint}")


def _instance_for(owner: type, name: str) -> Any:
    """The class itself for what belongs to it, else an instance."""
    static = inspect.getattr_static(owner, name)
    needs_instance = inspect.isfunction(static) or (
        hasattr(type(static), "__get__") and not isinstance(static, (staticmethod, classmethod))
    )
    return _instance(owner) if needs_instance else owner


def _instance(owner: type) -> Any:
    try:
        inspect.signature(owner).bind()
    except TypeError as error:
        raise RefusedError(
            "target", f"{owner.__name__} cannot be made without arguments: {error}"
        ) from None
    except ValueError:
        pass  # a class written in C tells no signature: just try
    return owner()


def _arguments(function: Callable[..., Any], world: Any, name: str) -> list[Any]:
    """Nothing, or the world where the builder asks for one argument."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    required = [
        parameter
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    positional = [p for p in required if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    if len(required) > 1 or len(positional) != len(required):
        names = ", ".join(parameter.name for parameter in required)
        raise RefusedError(
            "target", f"{name} needs the arguments {names}: write an adapter that takes one, world"
        )
    if positional or (parameters and parameters[0].name == "world"):
        return [world]
    return []
