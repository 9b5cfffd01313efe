"""Answers in the format of OpenAI chat completions."""

from promptlint.captures.recorder.answers.events import event_stream
from promptlint.captures.recorder.completion import CREATED, Completion, Object, arguments


def whole(completion: Completion) -> Object:
    """The answer at once."""
    message: Object = {"role": "assistant", "content": completion.reply.text or None}
    if completion.reply.tool_calls:
        message["tool_calls"] = _calls(completion)
    choice = {"index": 0, "message": message, "finish_reason": _finish(completion)}
    return {
        **_frame(completion, "chat.completion"),
        "choices": [choice],
        "usage": _usage(completion),
    }


def stream(completion: Completion) -> bytes:
    """The answer in events: the role, the text, the calls, the end, the usage."""
    frame = _frame(completion, "chat.completion.chunk")
    deltas: list[Object] = [{"role": "assistant", "content": ""}]
    if completion.reply.text:
        deltas.append({"content": completion.reply.text})
    for index, call in enumerate(_calls(completion)):
        deltas.append({"tool_calls": [{"index": index, **call}]})
    chunks = [{**frame, "choices": [_choice(delta, None)]} for delta in deltas]
    chunks.append({**frame, "choices": [_choice({}, _finish(completion))]})
    chunks.append({**frame, "choices": [], "usage": _usage(completion)})
    return event_stream([*chunks, "[DONE]"])


def _frame(completion: Completion, kind: str) -> Object:
    identifier = f"chatcmpl-{completion.number}"
    return {"id": identifier, "object": kind, "created": CREATED, "model": completion.model}


def _choice(delta: Object, finish: str | None) -> Object:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _finish(completion: Completion) -> str:
    return "tool_calls" if completion.reply.tool_calls else "stop"


def _calls(completion: Completion) -> list[Object]:
    return [
        {
            "id": completion.call_id(index),
            "type": "function",
            "function": {"name": call.name, "arguments": arguments(call)},
        }
        for index, call in enumerate(completion.reply.tool_calls)
    ]


def _usage(completion: Completion) -> Object:
    read, written = completion.input_tokens, completion.output_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
