"""What a prompt builder returned, as requests.

The value comes from another process as plain JSON, in which a tuple is
`{"tuple": [...]}`, an iterator `{"sequence": [...]}`, and an object that could not
be turned into data `{"unsupported": "module.Class"}`.
"""

from typing import Any

from msgspec.structs import replace

from promptlint.bodies.chat import read_content
from promptlint.bodies.fields import BodyError, type_name
from promptlint.bodies.formats import request_from_body
from promptlint.request import Block, Json, Request

_BODY_FIELDS = frozenset({"messages", "input", "contents"})
_REQUEST_FIELDS = _BODY_FIELDS | {"system", "tools", "model"}
_ADAPTER = "write a five-line adapter that returns text, named parts or a request"


def requests_from_returned(value: Json) -> tuple[Request, ...]:
    """The requests in what a builder returned, one for each turn that it made.

    Recognised in this order: a text; a body; `{system, tools}`; named parts (an
    object or a list of pairs, all of text); a tuple of texts; `(system, tools)`; a
    list of messages or of system blocks; several requests. Parts are joined by a
    blank line, and an empty part is left out. No user message is added.

    Raises BodyError for None, bytes, an empty prompt, and anything stranger.
    """
    turns = _turns(value)
    if turns is None:
        return (_request(value),)
    if not turns:
        raise BodyError("the builder returned no request at all")
    return tuple(_request(turn) for turn in turns)


def _turns(value: Json) -> list[Any] | None:
    """The items of an iterator, or of a list in which each item is a request of its own."""
    match value:
        case {"sequence": list(items), **rest} if not rest:
            return items
        case [_, *_] if all(_is_request(item) for item in value):
            return [*value]
        case _:
            return None


def _is_request(value: Json) -> bool:
    if not isinstance(value, dict) or "role" in value:
        return False
    return "system" in value or not _BODY_FIELDS.isdisjoint(value)


def _request(value: Json) -> Request:
    """One request. Raises BodyError where its prompt is empty."""
    request = _read(value)
    if not request.system_text.strip() and not request.tools and not request.messages:
        raise BodyError("the builder returned an empty prompt")
    return request


def _read(value: Json) -> Request:
    match value:
        case None:
            raise BodyError("the builder returned None: return the prompt")
        case str():
            return Request(system=(Block(value),))
        case {"unsupported": str(name), **rest} if not rest:
            raise BodyError(_unsupported("the builder returned an object", name))
        case {"tuple": list(items), **rest} if not rest:
            return _from_tuple(_plain(items, "the returned tuple"))
        case dict():
            return _from_object(_plain(value, "the returned object"))
        case list():
            return _from_list(_plain(value, "the returned list"))
        case _:
            raise BodyError(f"the builder returned {type_name(value)}: {_ADAPTER}")


def _from_tuple(items: list[Any]) -> Request:
    """Parts, or `(system, tools)`."""
    parts = _parts(items)
    if parts is not None:
        return Request(system=parts)
    match items:
        case [system, list(tools)]:
            return _from_system({"system": system, "tools": tools})
        case _:
            kinds = ", ".join(type_name(item) for item in items)
            raise BodyError(f"the builder returned a tuple of ({kinds}): {_ADAPTER}")


def _from_object(value: dict[str, Any]) -> Request:
    """A message, `{system, tools}`, a body, or named parts."""
    if "role" in value and "content" in value:
        return request_from_body({"messages": [value]})
    parts = _parts(value)
    if "system" in value and (value.keys() <= _REQUEST_FIELDS or parts is None):
        return _from_system(value)
    if not _BODY_FIELDS.isdisjoint(value):
        return request_from_body(value)
    if parts is not None:
        return Request(system=parts)
    fields = ", ".join(value) or "no field"
    raise BodyError(f"the builder returned an object with {fields}: {_ADAPTER}")


def _from_system(value: dict[str, Any]) -> Request:
    """An object with `system` (a text, parts or content blocks) next to a body's other fields."""
    rest = {key: item for key, item in value.items() if key != "system"}
    if _BODY_FIELDS.isdisjoint(rest):
        rest["messages"] = []
    request = request_from_body(rest)
    unknown: list[str] = []
    parts = _parts(value["system"])
    blocks = read_content(value["system"], "system", unknown) if parts is None else parts
    return replace(
        request,
        system=(*blocks, *request.system),
        joiner=request.joiner if parts is None else Request().joiner,
        unknown_fields=(*unknown, *request.unknown_fields),
    )


def _from_list(items: list[Any]) -> Request:
    """Named parts, messages, or the content blocks of a system prompt."""
    if not items:
        raise BodyError("the builder returned an empty list")
    if all(isinstance(item, str) for item in items):
        raise BodyError(
            "the builder returned a list of texts: return a tuple of them if they are the parts"
            " of one prompt, or yield them if each is the prompt of one turn"
        )
    parts = _parts(items)
    if parts is not None:
        return Request(system=parts)
    if all(isinstance(item, dict) and "role" in item for item in items):
        return request_from_body({"messages": items})
    if all(isinstance(item, dict) and isinstance(item.get("text"), str) for item in items):
        return _from_system({"system": items})
    kinds = ", ".join(sorted({type_name(item) for item in items}))
    raise BodyError(f"the builder returned a list of {kinds}: {_ADAPTER}")


def _parts(value: Any) -> tuple[Block, ...] | None:
    """The parts of a prompt, or None where `value` is something else.

    Parts are texts, pairs of name and text, or an object of texts by name.
    """
    if not value or not isinstance(value, list | dict):
        return None
    pairs: list[Any] = [*value.items()] if isinstance(value, dict) else value
    if all(isinstance(item, str) for item in pairs):
        return tuple(Block(text) for text in pairs if text)
    if all(isinstance(p, list | tuple) and [type(item) for item in p] == [str, str] for p in pairs):
        return tuple(Block(text, name=name) for name, text in pairs if text)
    return None


def _plain(value: Json, place: str) -> Any:
    """The value with tuples as lists. Raises BodyError at an object that is no data."""
    match value:
        case {"unsupported": str(name), **rest} if not rest:
            raise BodyError(_unsupported(f"{place} is", name))
        case {"tuple": list(items), **rest} | {"sequence": list(items), **rest} if not rest:
            return [_plain(item, f"{place}[{index}]") for index, item in enumerate(items)]
        case dict():
            return {key: _plain(item, f"{place}.{key}") for key, item in value.items()}
        case list():
            return [_plain(item, f"{place}[{index}]") for index, item in enumerate(value)]
        case _:
            return value


def _unsupported(subject: str, name: str) -> str:
    return f"{subject} of type {name.removeprefix('builtins.')}, which is no text: {_ADAPTER}"
