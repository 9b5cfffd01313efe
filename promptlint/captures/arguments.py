"""The arguments of a tool call, which travel as JSON text or as an object."""

import json

from promptlint.request import Json


def parsed_arguments(arguments: Json) -> Json:
    """Arguments sent as JSON text as the value they stand for; what is no JSON stays text."""
    if not isinstance(arguments, str):
        return arguments
    try:
        value: Json = json.loads(arguments)
    except ValueError:
        return arguments
    return value
