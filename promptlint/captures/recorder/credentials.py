"""Keys that stand in a request body: they are never written down."""

import re

from promptlint.request import Json
from promptlint.secrets import without_keys

MASKED = "[masked]"
_FIELD = re.compile(
    r"(?:^|[_-])(?:api[_-]?key|authorization(?:[_-]token)?|(?:access|auth|bearer)[_-]?token"
    r"|client[_-]?secret|password|cookie)$",
    re.IGNORECASE,
)


def without_credentials(value: Json) -> Json:
    """The value with every key masked: fields named like one, headers, and texts that hold one."""
    if isinstance(value, str):
        return without_keys(value, lambda _: MASKED)
    if isinstance(value, list):
        return [without_credentials(item) for item in value]
    if isinstance(value, dict):
        return {name: _field(name, item) for name, item in value.items()}
    return value


def _field(name: str, value: Json) -> Json:
    if isinstance(value, str) and _FIELD.search(name):
        return MASKED
    if isinstance(value, dict):
        if name.lower() in ("headers", "extra_headers"):
            return {key: MASKED if isinstance(item, str) else item for key, item in value.items()}
        if name == "properties":
            # A schema: these are names of parameters, which hold no values.
            return {key: without_credentials(item) for key, item in value.items()}
    return without_credentials(value)
