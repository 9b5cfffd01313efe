"""Answers in the format of OpenAI Responses."""

from collections.abc import Iterator

from promptlint.captures.recorder.answers.events import event_stream
from promptlint.captures.recorder.completion import CREATED, Completion, Object, arguments
from promptlint.captures.recorder.reply import response_id


def whole(completion: Completion) -> Object:
    """The answer at once."""
    return _response(completion, "completed", _items(completion))


def stream(completion: Completion) -> bytes:
    """The answer in events: every item is opened, filled and closed."""
    numbered = [
        {**event, "sequence_number": number} for number, event in enumerate(_events(completion))
    ]
    return event_stream(numbered, named=True)


def _events(completion: Completion) -> Iterator[Object]:
    begun = _response(completion, "in_progress", [])
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(_items(completion)):
        events = _text_events(item) if item["type"] == "message" else _call_events(item)
        for event in events:
            yield {**event, "output_index": index}
    yield {"type": "response.completed", "response": whole(completion)}


def _text_events(item: Object) -> Iterator[Object]:
    opened = {**item, "status": "in_progress", "content": []}
    part = item["content"][0]
    place = {"item_id": item["id"], "content_index": 0}
    yield {"type": "response.output_item.added", "item": opened}
    yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
    text = {**place, "logprobs": []}
    yield {"type": "response.output_text.delta", **text, "delta": part["text"]}
    yield {"type": "response.output_text.done", **text, "text": part["text"]}
    yield {"type": "response.content_part.done", **place, "part": part}
    yield {"type": "response.output_item.done", "item": item}


def _call_events(item: Object) -> Iterator[Object]:
    opened = {**item, "status": "in_progress", "arguments": ""}
    place = {"item_id": item["id"]}
    given = item["arguments"]
    yield {"type": "response.output_item.added", "item": opened}
    yield {"type": "response.function_call_arguments.delta", **place, "delta": given}
    yield {
        "type": "response.function_call_arguments.done",
        **place,
        "name": item["name"],
        "arguments": given,
    }
    yield {"type": "response.output_item.done", "item": item}


def _items(completion: Completion) -> list[Object]:
    items: list[Object] = []
    if completion.reply.text:
        part = {"type": "output_text", "text": completion.reply.text, "annotations": []}
        items.append(
            {
                "type": "message",
                "id": f"msg_{completion.number}",
                "status": "completed",
                "role": "assistant",
                "content": [part],
            }
        )
    for index, call in enumerate(completion.reply.tool_calls):
        items.append(
            {
                "type": "function_call",
                "id": f"fc_{completion.number}_{index}",
                "status": "completed",
                "call_id": completion.call_id(index),
                "name": call.name,
                "arguments": arguments(call),
            }
        )
    return items


def _response(completion: Completion, status: str, items: list[Object]) -> Object:
    read, written = completion.input_tokens, completion.output_tokens
    usage = {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + written,
    }
    return {
        "id": response_id(completion.number),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "model": completion.model,
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage if status == "completed" else None,
    }
