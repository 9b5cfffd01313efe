"""The names of models as their makers write them: clouds and routers spell them in many ways."""

import re

_ROUTE = re.compile(r"^(?:[a-z-]+\.)+")
"""`us.anthropic.`: the region and the provider of Bedrock."""
_SUFFIX = re.compile(
    r"(?:-\d{8}|-\d{4}-\d\d-\d\d|-0\d\d|-latest|@[\w-]+|\[\w+\]|-v\d+(?::\w+)+|(?<=\d)-v\d+)+$"
)
"""A date, an alias, a context length, or the version of a cloud's entry."""
_VERSION_FIRST = re.compile(r"^claude-(\d+(?:-\d+)?)-([a-z]+)$")
"""`claude-3-5-haiku`: the older order of Anthropic's names."""


def plain_name(model: str) -> str:
    """A model's name without provider, region, date, context and cloud version.

    Anthropic's names have hyphens in their versions: `claude-opus-5-5`.
    """
    name = _SUFFIX.sub("", _ROUTE.sub("", model.lower().rpartition("/")[2]))
    if not name.startswith("claude-"):
        return name
    return _VERSION_FIRST.sub(r"claude-\2-\1", name.replace(".", "-"))
