"""What an answer says was read and written, in one shape for every provider.

The trap: Anthropic's `input_tokens` leave out what was read and written, everybody
else's prompt count contains it. `UsageFields.inclusive` says which. Who passes requests on
to a provider answers in the format that was asked in, and counts as that does.
"""

from collections.abc import Mapping

from msgspec import Struct

from promptlint.cache.paths import at_path
from promptlint.cache.policy import Policy, UsageFields
from promptlint.request import Json

_COMPATIBLE = UsageFields(
    prompt=("prompt_tokens", "input_tokens"),
    read=("prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens"),
    write=("prompt_tokens_details.cache_write_tokens", "input_tokens_details.cache_write_tokens"),
    output=("completion_tokens", "output_tokens"),
)
"""What endpoints compatible with OpenAI's say, whichever provider stands behind them."""
_ONLY_COMPATIBLE = ("prompt_tokens", "input_tokens_details")


class Usage(Struct, frozen=True):
    """The tokens of one answered request. `read` is None where the provider did not say.

    `tokens` are all of the prompt's; `write_long` is the part of `write` with a longer
    lifetime than the default; `uncached` is paid at the input price.
    """

    tokens: int
    read: int | None
    write: int
    write_long: int
    uncached: int
    output: int


class UsageError(Exception):
    """Usage fields that cannot be right. The message is one line."""


def read_usage(policy: Policy, usage: Mapping[str, Json]) -> Usage:
    """The usage object of an answer by its policy's fields, or those of its own format.

    Raises:
        UsageError: the prompt's count is missing, a count is no natural number, or more
            was read and written than the prompt has tokens.
    """
    fields = _fields(policy, usage)
    prompt = _count(usage, fields.prompt)
    if prompt is None:
        raise UsageError(f"the usage has none of the fields {', '.join(fields.prompt)}")
    read = _count(usage, fields.read)
    write = _count(usage, fields.write) or 0
    cached = (read or 0) + write
    answers = [fields.output, *((path,) for path in fields.output_besides)]
    if fields.inclusive and cached > prompt:
        raise UsageError(f"{cached} tokens read and written of a prompt of {prompt}")
    return Usage(
        tokens=prompt if fields.inclusive else prompt + cached,
        read=read,
        write=write,
        write_long=_count(usage, fields.write_long) or 0,
        uncached=prompt - cached if fields.inclusive else prompt,
        output=sum(_count(usage, paths) or 0 for paths in answers),
    )


def reports_writes(policy: Policy, usage: Mapping[str, Json]) -> bool:
    """Whether the answer says how much was written: no word of it is not nothing."""
    return _count(usage, _fields(policy, usage).write) is not None


def _fields(policy: Policy, usage: Mapping[str, Json]) -> UsageFields:
    compatible = any(usage.get(name) is not None for name in _ONLY_COMPATIBLE)
    own = "prompt_tokens" in policy.usage.prompt
    return _COMPATIBLE if compatible and not own else policy.usage


def _count(usage: Mapping[str, Json], paths: tuple[str, ...]) -> int | None:
    """The first of these fields that is present."""
    for path in paths:
        value = at_path(usage, path)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise UsageError(f"the usage field `{path}` is {value!r}, not a number of tokens")
        return value
    return None
