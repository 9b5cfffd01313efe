"""Whatever JSON comes in: one clear line or a request, and nothing dropped in silence."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptlint.bodies import BodyError, request_from_body, requests_from_returned
from promptlint.request import Request

NAMES = """
    messages input contents instructions system system_instruction tools role content parts text
    type name function functionCall functionResponse functionDeclarations tool_calls arguments
    input_schema toolSpec inputSchema json cachePoint cache_control call_id output summary
    encrypted_content model tuple sequence unsupported toolConfig toolUse toolResult thinking
    image reasoningContent
"""
TEXTS = """
    user assistant system tool function text tool_use tool_result thinking reasoning function_call
    function_call_output message custom additional_tools
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(TEXTS.split()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES.split()), inner, max_size=4)
    ),
    max_leaves=25,
)
BODIES = st.dictionaries(st.sampled_from(NAMES.split()), JSON, max_size=5)


def outcome(read: Callable[[Any], Any], value: Any) -> Any:
    """What `read` returns, or the message of its BodyError."""
    try:
        return read(value)
    except BodyError as error:
        return str(error)


@settings(deadline=None, max_examples=600)
@given(BODIES)
def test_any_object_is_a_request_or_one_clear_line(body: dict[str, Any]) -> None:
    result = outcome(request_from_body, body)
    assert isinstance(result, Request) or "\n" not in result


@settings(deadline=None, max_examples=600)
@given(JSON)
def test_any_result_is_a_prompt_or_one_clear_line(value: Any) -> None:
    result = outcome(requests_from_returned, value)
    if isinstance(result, str):
        assert "\n" not in result
    else:
        assert all(r.system_text.strip() or r.tools or r.messages for r in result)


FUNCTION = {"name": "f", "parameters": {"type": "object"}}
SAMPLES: dict[str, dict[str, Any]] = {
    "chat": {
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": "a"}]},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]},
            {
                "role": "assistant",
                "content": "b",
                "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"x": {}}}}],
            },
            {"role": "tool", "content": "c", "tool_call_id": "1"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}, {"type": "other"}],
        "tool_choice": {"type": "function"},
    },
    "responses": {
        "instructions": "a",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "b"}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "c"}]},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "1", "output": "d"},
            {"type": "web_search_call", "action": {"query": "e"}},
        ],
        "tools": [{"type": "function", **FUNCTION}, {"type": "namespace", "tools": [{}]}],
        "reasoning": {"effort": "low"},
    },
    "anthropic": {
        "system": [{"type": "text", "text": "a"}],
        "messages": [
            {"role": "user", "content": [{"type": "image", "source": {"data": "b"}}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "c"},
                    {"type": "text", "text": "d"},
                    {"type": "tool_use", "id": "1", "name": "f", "input": {"x": {}}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "1",
                        "content": [{"type": "text", "text": "e"}],
                    }
                ],
            },
        ],
        "tools": [{"name": "f", "input_schema": {"type": "object"}}],
        "thinking": {"type": "enabled"},
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "a"}]},
        "contents": [
            {"role": "user", "parts": [{"text": "b"}, {"inlineData": {"data": "c"}}]},
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"x": {}}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]},
        ],
        "tools": [{"functionDeclarations": [FUNCTION]}],
        "generationConfig": {"thinkingConfig": {}},
    },
    "converse": {
        "modelId": "claude",
        "system": [{"text": "a"}],
        "messages": [
            {"role": "user", "content": [{"text": "b"}, {"image": {"format": "png"}}]},
            {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "c"}}},
                    {"toolUse": {"toolUseId": "1", "name": "f", "input": {"x": {}}}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"toolResult": {"toolUseId": "1", "content": [{"text": "d"}, {"json": {}}]}}
                ],
            },
        ],
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {}}}}],
            "toolChoice": {"auto": {}},
        },
        "additionalModelRequestFields": {"thinking": {}},
    },
}


def objects(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object inside a JSON value, with a name for it."""
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from objects(item, f"{path}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, f"{path}[{index}]")


@pytest.mark.parametrize(
    ("form", "path"), [(form, path) for form, body in SAMPLES.items() for path, _ in objects(body)]
)
def test_a_new_field_anywhere_is_seen(form: str, path: str) -> None:
    body = SAMPLES[form]
    before = request_from_body(body)
    assert before.unknown_fields == ()

    changed = copy.deepcopy(body)
    dict(objects(changed))[path]["novelty"] = "new"
    assert request_from_body(changed) != before
