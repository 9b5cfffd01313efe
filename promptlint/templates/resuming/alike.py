"""Whether two values are the same to a template: `1`, `1.0` and `True` print differently."""

from typing import Any

from jinja2.runtime import Macro, Undefined

from promptlint.templates.resuming.message_view import MessageView
from promptlint.templates.resuming.namespaces import WatchedNamespace, number_of


def alike(one: Any, other: Any) -> bool:
    """Whether a template cannot tell the values apart; False where it is not known.

    Namespaces and views are alike in the same place: what they hold is compared by itself.
    """
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    match one:
        case str() | bytes() | int() | float():
            return bool(one == other)
        case tuple() | list():
            return len(one) == len(other) and all(map(alike, one, other))
        case dict():
            return alike(list(one), list(other)) and all(alike(one[key], other[key]) for key in one)
        case MessageView():
            return bool(one.source == other.source)
        case WatchedNamespace():
            return number_of(one) == number_of(other)
        case Macro():
            return bool(one.name == other.name)
        case Undefined():
            return True
        case _:
            return False
