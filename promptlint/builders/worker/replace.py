"""Put our functions in the place of others, so that nobody can tell the difference."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]
Wrap = Callable[[Any], Function]  # from an original to its stand-in

# The import system keeps the originals: its own reads are no part of the prompt.
_UNTOUCHED = frozenset({"posix", "_io", "io", "builtins", "_frozen_importlib_external"})


class Builtin:
    """Stands in for a builtin function: no `__get__`, and it pickles as the original's name.

    A Python function would become a method where a class says `now = time.time`.
    """

    def __init__(self, function: Function, original: Any, owner: Any, name: str) -> None:
        self._function = function
        self._global_name = name
        self.__wrapped__ = original
        self.__name__ = original.__name__
        self.__qualname__ = original.__qualname__
        self.__module__ = owner.__name__
        self.__doc__ = original.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the stand-in."""
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return repr(self.__wrapped__)

    def __reduce__(self) -> str:
        return self._global_name


class Replacements:
    """What was replaced so far."""

    def __init__(self) -> None:
        self._replaced: dict[int, tuple[Any, Any]] = {}

    def swap(self, owner: Any, name: str, wrap: Wrap) -> None:
        """Replace `owner.name` by `wrap(original)`. What this Python lacks is left out."""
        original = getattr(owner, name, None)
        if original is None:
            return
        function = wrap(original)
        stand_in: Any
        if isinstance(original, types.FunctionType):
            stand_in = functools.wraps(original)(function)
        else:
            stand_in = Builtin(function, original, owner, name)
        setattr(owner, name, stand_in)
        self._replaced[id(original)] = (original, stand_in)

    def finish(self) -> None:
        """Reach the names that other modules had already bound to an original."""
        own = __name__.partition(".")[0]
        for module_name, module in list(sys.modules.items()):
            if module_name in _UNTOUCHED or module_name.partition(".")[0] == own:
                continue
            if isinstance(module, types.ModuleType):
                self._rebind(module)
            for member in list(vars(module).values()) if module_name == "pathlib" else ():
                if isinstance(member, type):
                    self._rebind(member)
        self._join_capability_sets()

    def _rebind(self, holder: Any) -> None:
        for name, value in list(vars(holder).items()):
            found = self._replaced.get(id(value))
            if found is not None and found[0] is value:
                setattr(holder, name, found[1])

    def _join_capability_sets(self) -> None:
        """`os.stat in os.supports_follow_symlinks` and the like stay true."""
        import os

        for name, members in vars(os).items():
            if name.startswith("supports_") and isinstance(members, set):
                members.update(new for old, new in self._replaced.values() if old in members)
