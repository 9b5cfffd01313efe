"""Answers in the format of Gemini generateContent."""

from promptlint.captures.recorder.answers.events import event_stream
from promptlint.captures.recorder.completion import Completion, Object


def whole(completion: Completion) -> Object:
    """The answer at once."""
    text = completion.reply.text
    parts: list[Object] = [{"text": text}] if text else []
    for call in completion.reply.tool_calls:
        parts.append({"functionCall": {"name": call.name, "args": call.arguments}})
    read, written = completion.input_tokens, completion.output_tokens
    return {
        "candidates": [
            {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
        ],
        "usageMetadata": {
            "promptTokenCount": read,
            "candidatesTokenCount": written,
            "totalTokenCount": read + written,
        },
        "modelVersion": completion.model,
        "responseId": f"response-{completion.number}",
    }


def stream(completion: Completion) -> bytes:
    """The answer in one event: every event of this format is a whole answer."""
    return event_stream([whole(completion)])
