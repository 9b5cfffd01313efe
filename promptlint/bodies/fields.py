"""Read a JSON object field by field, so that nothing in it is dropped in silence."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from promptlint.bodies.images import is_image
from promptlint.request import Block, Mark, Message, Request, Tool

# What a chat template or a provider's cache reads: it becomes the request's parameters.
PROMPT_FIELDS = frozenset(
    {
        "add_generation_prompt",
        "additionalModelRequestFields",
        "cache_control",
        "cache_salt",
        "cachedContent",
        "cached_content",
        "chat_template",
        "chat_template_kwargs",
        "container",
        "context_management",
        "continue_final_message",
        "conversation",
        "documents",
        "enable_thinking",
        "function_call",
        "generationConfig",
        "generation_config",
        "guided_json",
        "mcp_servers",
        "output_config",
        "output_format",
        "parallel_tool_calls",
        "performanceConfig",
        "preserve_thinking",
        "previous_response_id",
        "prompt",
        "prompt_cache_options",
        "prompt_cache_retention",
        "reasoning",
        "reasoning_effort",
        "response_format",
        "service_tier",
        "speed",
        "structured_outputs",
        "text",
        "think",
        "thinking",
        "thinking_budget",
        "toolConfig",
        "tool_choice",
        "tool_config",
        "truncation",
        "verbosity",
        "web_search_options",
    }
)
# Ids, client metadata, delivery and sampling: known, and no part of any prompt.
SILENT_FIELDS = frozenset(
    {
        "additionalModelResponseFieldPaths",
        "anthropic_beta",
        "anthropic_version",
        "audio",
        "background",
        "bad_words",
        "best_of",
        "betas",
        "cache_prompt",
        "client_metadata",
        "diagnostics",
        "do_sample",
        "drop_params",
        "echo",
        "extra_headers",
        "extra_query",
        "fallbacks",
        "format",
        "frequency_penalty",
        "guardrailConfig",
        "id_slot",
        "ignore_eos",
        "include",
        "include_reasoning",
        "incremental_output",
        "inferenceConfig",
        "inference_geo",
        "keep_alive",
        "labels",
        "length_penalty",
        "logit_bias",
        "logprobs",
        "max_completion_tokens",
        "max_output_tokens",
        "max_tokens",
        "max_tool_calls",
        "metadata",
        "min_p",
        "min_tokens",
        "modalities",
        "models",
        "n",
        "n_predict",
        "options",
        "outputConfig",
        "plugins",
        "prediction",
        "presence_penalty",
        "priority",
        "prompt_cache_diagnostics",
        "prompt_cache_key",
        "prompt_logprobs",
        "prompt_mode",
        "provider",
        "random_seed",
        "reasoning_format",
        "repeat_penalty",
        "repetition_penalty",
        "requestMetadata",
        "request_id",
        "result_format",
        "return_progress",
        "return_token_ids",
        "route",
        "safe_prompt",
        "safetySettings",
        "safety_identifier",
        "safety_settings",
        "samplers",
        "seed",
        "serviceTier",
        "session_id",
        "skip_special_tokens",
        "stop",
        "stop_sequences",
        "stop_token_ids",
        "store",
        "stream",
        "stream_options",
        "temperature",
        "timeout",
        "timings_per_token",
        "top_a",
        "top_k",
        "top_logprobs",
        "top_p",
        "transforms",
        "typical_p",
        "usage",
        "user",
        "user_id",
    }
)


MARK_FIELDS = ("cache_control", "prompt_cache_breakpoint")


class BodyError(Exception):
    """Data that cannot be read as a request. The message is one line: the place, then the cause."""


class Fields:
    """One JSON object, with the path at which it stands in the body.

    Each field is taken once. `close` adds the path of every field that nobody
    took to `unknown`, the list that all objects of one body share; a field that
    is null says nothing and is left out.
    """

    def __init__(self, value: object, path: str, unknown: list[str]) -> None:
        if not isinstance(value, Mapping):
            raise BodyError(f"{path or 'the body'}: an object is needed, not {type_name(value)}")
        self._rest: dict[str, Any] = {k: v for k, v in value.items() if v is not None}
        self.path = path
        self.unknown = unknown

    def at(self, name: str) -> str:
        """The path of one of the fields."""
        return f"{self.path}.{name}" if self.path else name

    def take(self, *names: str) -> Any:
        """The value of the first of these fields that is there, or None."""
        return next((self._rest.pop(name) for name in names if name in self._rest), None)

    def text(self, *names: str) -> str | None:
        """A field that holds a text."""
        value = self.take(*names)
        if value is None or isinstance(value, str):
            return value
        raise BodyError(f"{self.at(names[0])}: a text is needed, not {type_name(value)}")

    def needed_text(self, name: str) -> str:
        """A field that must be there, and holds a text."""
        value = self.text(name)
        if value is None:
            raise BodyError(f"{self.at(name)}: missing")
        return value

    def items(self, *names: str) -> list[Any]:
        """A field that holds a list; empty where it is missing."""
        value = self.take(*names)
        if value is None:
            return []
        if isinstance(value, list):
            return value
        raise BodyError(f"{self.at(names[0])}: a list is needed, not {type_name(value)}")

    def mark(self) -> Mark:
        """The cache breakpoint at the end of this object."""
        return mark_from(self.take(*MARK_FIELDS))

    def parameters(self) -> dict[str, Any]:
        """The fields of a body that a template or a provider reads; silent ones are passed over."""
        self.skip(*SILENT_FIELDS)
        names = [name for name in self._rest if name in PROMPT_FIELDS]
        return {name: self._rest.pop(name) for name in names}

    def skip(self, *names: str) -> None:
        """Fields that are known, and no part of the prompt."""
        for name in names:
            self._rest.pop(name, None)

    def rest(self) -> dict[str, Any]:
        """Everything that nobody took, as one value."""
        rest, self._rest = self._rest, {}
        return rest

    def close(self) -> None:
        """Report what nobody took."""
        self.unknown.extend(self.at(name) for name in self._rest)


def type_name(value: object) -> str:
    """The type of a value, in the words of JSON where it has one."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case Mapping():
            return "an object"
        case _:
            return type(value).__name__


def mark_from(value: object) -> Mark:
    """The breakpoint that a field asks for, whatever its value is."""
    if value is None:
        return None
    lifetime = value.get("ttl") if isinstance(value, Mapping) else None
    return lifetime if isinstance(lifetime, str) else ""


def mark_field(mark: Mark) -> dict[str, Any]:
    """The field of a body for a breakpoint; nothing where there is none."""
    if mark is None:
        return {}
    return {"cache_control": {"type": "ephemeral", **({"ttl": mark} if mark else {})}}


def opaque_block(kind: str, content: object, *, mark: Mark = None) -> Block:
    """A block for what is no text: its kind, and a hash of all that was sent for it."""
    data = json.dumps(content, sort_keys=True, ensure_ascii=True).encode()
    digest = hashlib.sha256(data).hexdigest()
    return Block("", mark=mark, opaque=f"{kind} sha256:{digest}", is_image=is_image(kind, content))


def json_text(value: object) -> str:
    """A JSON value as text, with the key order that it came in."""
    return json.dumps(value, ensure_ascii=False)


def close_body(
    fields: Fields, system: Iterable[Block], tools: Iterable[Tool], messages: Iterable[Message]
) -> Request:
    """The request, once everything else of the body is read; blocks are joined by a newline."""
    model = fields.text("model")
    parameters = fields.parameters()
    fields.close()
    return Request(
        tuple(system),
        tuple(tools),
        tuple(messages),
        parameters,
        joiner="\n",
        model=model,
        unknown_fields=tuple(fields.unknown),
    )
