"""Answers in the format of Anthropic Messages."""

import json
from collections.abc import Iterator

from promptlint.captures.recorder.answers.events import event_stream
from promptlint.captures.recorder.completion import Completion, Object


def whole(completion: Completion) -> Object:
    """The answer at once."""
    return {
        **_message(completion),
        "content": _blocks(completion),
        "stop_reason": _stop_reason(completion),
    }


def stream(completion: Completion) -> bytes:
    """The answer in events: every content block is opened, filled and closed."""
    return event_stream(_events(completion), named=True)


def _events(completion: Completion) -> Iterator[Object]:
    yield {"type": "message_start", "message": {**_message(completion), "content": []}}
    for index, block in enumerate(_blocks(completion)):
        opened, delta = _opened(block)
        yield {"type": "content_block_start", "index": index, "content_block": opened}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": _stop_reason(completion), "stop_sequence": None},
        "usage": {"output_tokens": completion.output_tokens},
    }
    yield {"type": "message_stop"}


def _opened(block: Object) -> tuple[Object, Object]:
    """A block when it is opened, and the delta that fills it."""
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    given = json.dumps(block["input"], ensure_ascii=False)
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": given}


def _blocks(completion: Completion) -> list[Object]:
    text = completion.reply.text
    blocks: list[Object] = [{"type": "text", "text": text}] if text else []
    for index, call in enumerate(completion.reply.tool_calls):
        blocks.append(
            {
                "type": "tool_use",
                "id": completion.call_id(index),
                "name": call.name,
                "input": call.arguments,
            }
        )
    return blocks


def _message(completion: Completion) -> Object:
    return {
        "id": f"msg_{completion.number}",
        "type": "message",
        "role": "assistant",
        "model": completion.model,
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": completion.input_tokens,
            "output_tokens": completion.output_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }


def _stop_reason(completion: Completion) -> str:
    return "tool_use" if completion.reply.tool_calls else "end_turn"
