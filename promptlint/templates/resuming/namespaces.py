"""The namespaces of a template: objects that carry values from one round to the next."""

from typing import Any

from jinja2.runtime import Undefined

from promptlint.templates.environment import RestrictedNamespace
from promptlint.templates.resuming.message_view import MessageView, UnwatchedError

_OWN = frozenset({"_Namespace__attrs", "__class__", "_watch", "_number"})
_STORED = (str, bytes, int, float, list, tuple, dict, MessageView, Undefined, type(None))


class WatchedNamespace(RestrictedNamespace):
    """A namespace made outside of all loops, that tells a rendering what is read and written."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        self, watch, *mappings = args
        object.__setattr__(self, "_watch", watch)
        object.__setattr__(self, "_number", watch.register(self))
        RestrictedNamespace.__init__(self, *mappings, **kwargs)

    def __getattribute__(self, name: str) -> Any:
        if name in _OWN:
            return object.__getattribute__(self, name)
        self._watch.read(self._number, name)
        return super().__getattribute__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        if not isinstance(value, _STORED) or _holds_messages(value):
            raise UnwatchedError
        super().__setitem__(name, value)
        self._watch.write(self._number, name, value)

    def __repr__(self) -> str:
        raise UnwatchedError


def _holds_messages(value: Any) -> bool:
    """Whether a view of the messages is inside of a value: it cannot be taken out and renewed."""
    match value:
        case list() | tuple():
            return any(isinstance(item, MessageView) or _holds_messages(item) for item in value)
        case dict():
            return _holds_messages(list(value.values()))
        case _:
            return False


def watched_value(namespace: WatchedNamespace, name: str) -> Any:
    """An attribute that a template reads; None where there is none, or it is nothing."""
    namespace._watch.read(namespace._number, name)
    return attributes(namespace).get(name)


def attributes(namespace: WatchedNamespace) -> dict[str, Any]:
    """All that a namespace holds, read by nobody."""
    held: dict[str, Any] = namespace._Namespace__attrs
    return held


def number_of(namespace: WatchedNamespace) -> int:
    """The number of a namespace, in the order in which they were made."""
    number: int = namespace._number
    return number
