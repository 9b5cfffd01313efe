"""Which parts that are no text are images, in every wire format."""

from typing import Any

import pytest

from promptlint.bodies import request_from_body

PNG = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
PDF = {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}
TEXT = {"type": "text", "media_type": "text/plain", "data": "Notes."}


def anthropic(*parts: Any) -> dict[str, Any]:
    return {"system": "Be careful.", "messages": [{"role": "user", "content": [*parts]}]}


def result(*parts: Any) -> dict[str, Any]:
    return anthropic({"type": "tool_result", "tool_use_id": "1", "content": [*parts]})


def chat(part: Any) -> dict[str, Any]:
    return {"model": "gpt-4.1", "messages": [{"role": "user", "content": [part]}]}


def responses(item: Any) -> dict[str, Any]:
    return {"model": "gpt-5.1", "input": [item]}


def gemini(part: Any) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [part]}]}


def converse(part: Any) -> dict[str, Any]:
    return {"modelId": "claude", "messages": [{"role": "user", "content": [part]}]}


@pytest.mark.parametrize(
    "body",
    [
        anthropic({"type": "image", "source": PNG}),
        result({"type": "image", "source": PNG}),
        anthropic(
            {
                "type": "document",
                "source": {"type": "content", "content": [{"type": "image", "source": PNG}]},
            }
        ),
        chat({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}),
        responses({"role": "user", "content": [{"type": "input_image", "image_url": "a.png"}]}),
        responses(
            {
                "type": "computer_call_output",
                "call_id": "1",
                "output": {"type": "computer_screenshot", "image_url": "a.png"},
            }
        ),
        gemini({"inlineData": {"mimeType": "image/png", "data": "AAAA"}}),
        gemini({"inline_data": {"mime_type": "image/png", "data": "AAAA"}}),
        gemini({"fileData": {"mimeType": "image/jpeg", "fileUri": "gs://a"}}),
        gemini({"file_data": {"mime_type": "image/jpeg", "file_uri": "gs://a"}}),
        converse({"image": {"format": "png", "source": {"bytes": "AAAA"}}}),
        converse(
            {"toolResult": {"toolUseId": "1", "content": [{"image": {"format": "png"}}]}},
        ),
        converse({"guardContent": {"image": {"format": "png"}}}),
    ],
)
def test_images(body: dict[str, Any]) -> None:
    request = request_from_body(body)
    assert request.has_opaque
    assert request.has_images


@pytest.mark.parametrize(
    "body",
    [
        anthropic({"type": "redacted_thinking", "data": "AAAA"}),
        anthropic({"type": "server_tool_use", "id": "1", "name": "web_search", "input": {}}),
        anthropic(
            {
                "type": "web_search_tool_result",
                "tool_use_id": "1",
                "content": [{"type": "web_search_result", "url": "u", "encrypted_content": "AAAA"}],
            }
        ),
        anthropic({"type": "search_result", "content": [{"type": "text", "text": "a"}]}),
        anthropic({"type": "document", "source": TEXT}),
        anthropic({"type": "document", "source": PDF}),
        result({"type": "document", "source": PDF}),
        chat({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}),
        responses({"type": "reasoning", "summary": [], "encrypted_content": "AAAA"}),
        responses({"role": "user", "content": [{"type": "input_file", "file_id": "1"}]}),
        gemini({"inlineData": {"mimeType": "application/pdf", "data": "AAAA"}}),
        gemini({"fileData": {"mimeType": "video/mp4", "fileUri": "gs://a"}}),
        converse({"document": {"format": "pdf", "name": "a"}}),
        converse({"reasoningContent": {"redactedContent": "AAAA"}}),
    ],
)
def test_what_is_neither_text_nor_image(body: dict[str, Any]) -> None:
    request = request_from_body(body)
    assert request.has_opaque
    assert not request.has_images
