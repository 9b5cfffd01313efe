"""A small agent for each wire format: it asks, runs what it is told to, and asks again."""

import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from promptlint.bodies import BodyFormat

Body: TypeAlias = dict[str, Any]
SYSTEM = "You are a careful agent."
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}}


def post(port: int, path: str, data: bytes, headers: dict[str, str] | None = None) -> bytes:
    """Send a body; what comes back, which must be no error."""
    status, answer = exchange(port, "POST", path, data, headers)
    assert status == 200, answer
    return answer


def exchange(
    port: int, method: str, path: str, data: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    """One request on a connection of its own: status and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, data or None, headers or {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def events(data: bytes) -> list[Body]:
    """The JSON values of a stream of events."""
    lines = data.decode().split("\n")
    values = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return [json.loads(value) for value in values if value != "[DONE]"]


@dataclass(frozen=True)
class Heard:
    """What an agent understood: the text, and (name, arguments, id) of each call."""

    text: str
    calls: tuple[tuple[str, Any, str], ...] = ()


@dataclass
class Client:
    """An agent that speaks one format."""

    port: int
    format: BodyFormat
    streams: bool
    messages: list[Body] = field(default_factory=list)

    def run(self, question: str) -> Iterator[Heard]:
        """Ask a question; an answer for each request, until one calls no tool."""
        self.messages += _SPEECH[self.format].question(question)
        while True:
            heard = self.ask()
            yield heard
            self.messages += _SPEECH[self.format].answered(heard)
            if not heard.calls:
                return

    def ask(self) -> Heard:
        """Send the conversation as it is."""
        speech = _SPEECH[self.format]
        body = speech.body(self.messages)
        path = speech.path
        if self.format is BodyFormat.GEMINI:
            path += ":streamGenerateContent?alt=sse" if self.streams else ":generateContent"
        elif self.streams:
            body["stream"] = True
        data = post(self.port, path, json.dumps(body).encode())
        return speech.streamed(events(data)) if self.streams else speech.whole(json.loads(data))


@dataclass(frozen=True)
class _Speech:
    path: str
    body: Callable[[list[Body]], Body]
    question: Callable[[str], list[Body]]
    answered: Callable[[Heard], list[Body]]
    whole: Callable[[Body], Heard]
    streamed: Callable[[list[Body]], Heard]


def _user(text: str) -> list[Body]:
    return [{"role": "user", "content": text}]


def _chat_body(messages: list[Body]) -> Body:
    function = {"name": "read", "description": "Reads.", "parameters": PARAMETERS}
    return {
        "model": "m",
        "messages": [{"role": "system", "content": SYSTEM}, *messages],
        "tools": [{"type": "function", "function": function}],
    }


def _chat_answered(heard: Heard) -> list[Body]:
    message: Body = {"role": "assistant", "content": heard.text}
    if heard.calls:
        message["tool_calls"] = [
            {"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
            for n, a, i in heard.calls
        ]
    results = [{"role": "tool", "tool_call_id": i, "content": "done"} for _, _, i in heard.calls]
    return [message, *results]


def _chat_whole(answer: Body) -> Heard:
    choice = answer["choices"][0]
    calls = choice["message"].get("tool_calls", [])
    assert choice["finish_reason"] == ("tool_calls" if calls else "stop")
    return Heard(choice["message"]["content"] or "", tuple(map(_chat_call, calls)))


def _chat_call(call: Body) -> tuple[str, Any, str]:
    return call["function"]["name"], json.loads(call["function"]["arguments"]), call["id"]


def _chat_streamed(chunks: list[Body]) -> Heard:
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    calls = [call for delta in deltas for call in delta.get("tool_calls", [])]
    assert [call["index"] for call in calls] == list(range(len(calls)))
    text = "".join(delta.get("content") or "" for delta in deltas)
    return Heard(text, tuple(map(_chat_call, calls)))


def _responses_body(messages: list[Body]) -> Body:
    tool = {"type": "function", "name": "read", "parameters": PARAMETERS}
    return {"model": "m", "instructions": SYSTEM, "input": list(messages), "tools": [tool]}


def _responses_answered(heard: Heard) -> list[Body]:
    part = {"type": "output_text", "text": heard.text}
    items: list[Body] = [{"type": "message", "role": "assistant", "content": [part]}]
    for name, arguments, identifier in heard.calls:
        call = {"name": name, "arguments": json.dumps(arguments), "call_id": identifier}
        items.append({"type": "function_call", **call})
    for _, _, identifier in heard.calls:
        items.append({"type": "function_call_output", "call_id": identifier, "output": "done"})
    return items


def _responses_whole(answer: Body) -> Heard:
    assert answer["status"] == "completed"
    return _responses_items(answer["output"])


def _responses_items(items: list[Body]) -> Heard:
    parts = [part for item in items if item["type"] == "message" for part in item["content"]]
    calls = [item for item in items if item["type"] == "function_call"]
    return Heard(
        "".join(part["text"] for part in parts),
        tuple((call["name"], json.loads(call["arguments"]), call["call_id"]) for call in calls),
    )


def _responses_streamed(found: list[Body]) -> Heard:
    assert [event["sequence_number"] for event in found] == list(range(len(found)))
    done = [e["item"] for e in found if e["type"] == "response.output_item.done"]
    heard = _responses_items(done)
    assert heard == _responses_whole(found[-1]["response"])
    deltas = [e["delta"] for e in found if e["type"] == "response.output_text.delta"]
    assert "".join(deltas) == heard.text
    return heard


def _anthropic_body(messages: list[Body]) -> Body:
    tool = {"name": "read", "input_schema": PARAMETERS}
    return {
        "model": "m",
        "max_tokens": 9,
        "system": SYSTEM,
        "messages": list(messages),
        "tools": [tool],
    }


def _anthropic_answered(heard: Heard) -> list[Body]:
    content: list[Body] = [{"type": "text", "text": heard.text}] if heard.text else []
    content += [{"type": "tool_use", "id": i, "name": n, "input": a} for n, a, i in heard.calls]
    results = [
        {"type": "tool_result", "tool_use_id": i, "content": "done"} for _, _, i in heard.calls
    ]
    answer = [{"role": "assistant", "content": content}]
    return [*answer, {"role": "user", "content": results}] if results else answer


def _anthropic_whole(answer: Body) -> Heard:
    blocks = answer["content"]
    calls = [block for block in blocks if block["type"] == "tool_use"]
    assert answer["stop_reason"] == ("tool_use" if calls else "end_turn")
    return Heard(
        "".join(block["text"] for block in blocks if block["type"] == "text"),
        tuple((call["name"], call["input"], call["id"]) for call in calls),
    )


def _anthropic_streamed(found: list[Body]) -> Heard:
    assert [found[0]["type"], found[-1]["type"]] == ["message_start", "message_stop"]
    blocks: list[Body] = []
    for event in found:
        if event["type"] == "content_block_start":
            blocks.append(dict(event["content_block"]))
        elif event["type"] == "content_block_delta":
            delta, block = event["delta"], blocks[event["index"]]
            if delta["type"] == "text_delta":
                block["text"] += delta["text"]
            else:
                block["input"] = json.loads(delta["partial_json"])
    message = found[0]["message"] | {"content": blocks} | found[-2]["delta"]
    return _anthropic_whole(message)


def _gemini_body(messages: list[Body]) -> Body:
    declaration = {"name": "read", "parameters": PARAMETERS}
    return {
        "systemInstruction": {"parts": [{"text": SYSTEM}]},
        "contents": list(messages),
        "tools": [{"functionDeclarations": [declaration]}],
    }


def _gemini_question(text: str) -> list[Body]:
    return [{"role": "user", "parts": [{"text": text}]}]


def _gemini_answered(heard: Heard) -> list[Body]:
    parts: list[Body] = [{"text": heard.text}] if heard.text else []
    parts += [{"functionCall": {"name": name, "args": given}} for name, given, _ in heard.calls]
    results = [
        {"functionResponse": {"name": name, "response": {"output": "done"}}}
        for name, _, _ in heard.calls
    ]
    answer = [{"role": "model", "parts": parts}]
    return [*answer, {"role": "user", "parts": results}] if results else answer


def _gemini_whole(answer: Body) -> Heard:
    parts = answer["candidates"][0]["content"]["parts"]
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    return Heard(
        "".join(part.get("text", "") for part in parts),
        tuple((call["name"], call["args"], "") for call in calls),
    )


def _gemini_streamed(found: list[Body]) -> Heard:
    (only,) = found
    return _gemini_whole(only)


_SPEECH = {
    BodyFormat.CHAT: _Speech(
        "/v1/chat/completions", _chat_body, _user, _chat_answered, _chat_whole, _chat_streamed
    ),
    BodyFormat.RESPONSES: _Speech(
        "/v1/responses",
        _responses_body,
        _user,
        _responses_answered,
        _responses_whole,
        _responses_streamed,
    ),
    BodyFormat.ANTHROPIC: _Speech(
        "/v1/messages",
        _anthropic_body,
        _user,
        _anthropic_answered,
        _anthropic_whole,
        _anthropic_streamed,
    ),
    BodyFormat.GEMINI: _Speech(
        "/v1beta/models/gemini-x",
        _gemini_body,
        _gemini_question,
        _gemini_answered,
        _gemini_whole,
        _gemini_streamed,
    ),
}
