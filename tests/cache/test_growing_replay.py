"""A session that is read as it grows is replayed as if every request were read alone."""

import json
from collections.abc import Callable
from itertools import chain, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from promptlint.bodies import request_from_body
from promptlint.cache.policies import policies, policy
from promptlint.cache.replay import replay
from promptlint.captures.read import CapturedRequest, read_captures
from promptlint.captures.turns import RenderedTurn
from promptlint.location import Location
from promptlint.models.embedded import embedded_model
from promptlint.render import render
from tests.captures.growing import MODELS, NOW

TEXTS = st.sampled_from(
    ["", "Yes.", "It is 10:41.", "a line of a file\n" * 20, "日本語 \U0001f600"]
)
VALUES = st.sampled_from([0, 1, True, False, 1.0, "1"])
"""Some are equal, and all are written in their own way."""


def asked(text: str, _: Any, history: list[Any]) -> list[Any]:
    return [*history, {"role": "user", "content": text}]


def answered(text: str, _: Any, history: list[Any]) -> list[Any]:
    return [*history, {"role": "assistant", "content": text, "reasoning_content": "Hm."}]


def called(text: str, value: Any, history: list[Any]) -> list[Any]:
    function = {"name": "read", "arguments": json.dumps({"path": value})}
    call = {"id": f"c{len(history)}", "type": "function", "function": function}
    result = {"role": "tool", "tool_call_id": call["id"], "content": text}
    return [*history, {"role": "assistant", "content": None, "tool_calls": [call]}, result]


def changed(text: str, value: Any, history: list[Any]) -> list[Any]:
    return [*history[:1], {"role": "user", "content": f"{text}{value}"}, *history[2:]]


def gone_back(_: str, value: Any, history: list[Any]) -> list[Any]:
    return history[: max(len(history) - int(value), 2)]  # a template may refuse an empty list


def system_changed(text: str, _: Any, history: list[Any]) -> list[Any]:
    return [{"role": "system", "content": f"Be careful. {text}"}, *history[1:]]


Step = Callable[[str, Any, list[Any]], list[Any]]
steps: list[Step] = [asked, answered, called, called, called, changed, gone_back, system_changed]
sessions = st.lists(st.tuples(st.sampled_from(steps), TEXTS, VALUES), min_size=1, max_size=10)


def bodies(drawn: list[tuple[Step, str, Any]]) -> list[dict[str, Any]]:
    history = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": "Begin."}]
    parameters = {"type": "object", "properties": {"path": {"type": "string"}}}
    sent = []
    for step, text, value in drawn:
        history = step(text, value, history)
        function = {"name": "read", "parameters": {**parameters, "strict": value}}
        tools = [{"type": "function", "function": function}]
        sent.append({"model": "m", "messages": history, "tools": tools})
    return sent


def alone(captured: CapturedRequest) -> CapturedRequest:
    """The same request, which shares no object with another one."""
    body = json.loads(json.dumps(captured.body))
    return replace(captured, body=body, request=request_from_body(body))


@settings(max_examples=120, deadline=None)
@given(
    st.lists(sessions, min_size=1, max_size=3),
    st.sampled_from(sorted(policies())),
    st.sampled_from(sorted(MODELS)),
)
def test_growing_sessions_are_replayed_as_their_requests_alone(
    drawn: list[list[tuple[Step, str, Any]]], cache: str, model: str
) -> None:
    """Also where several take turns, which all begin in the same way."""
    in_turns = [sent for sent in chain(*zip_longest(*map(bodies, drawn))) if sent is not None]
    with TemporaryDirectory() as folder:
        file = Path(folder, "session.jsonl")
        file.write_text("\n".join(map(json.dumps, in_turns)), "utf-8")
        captured = read_captures([file]).requests
    grown = replay(captured, MODELS[model], policy(cache))
    assert (
        grown.as_json() == replay([*map(alone, captured)], MODELS[model], policy(cache)).as_json()
    )


@settings(max_examples=60, deadline=None)
@given(sessions)
def test_each_prompt_is_the_one_that_is_rendered_alone(drawn: list[tuple[Step, str, Any]]) -> None:
    def check(turn: RenderedTurn) -> None:
        whole = render(turn.request, model, NOW)
        assert turn.rendered.text == whole.text
        assert turn.rendered.token_ids == whole.token_ids
        assert turn.rendered.token_starts == whole.token_starts

    model = embedded_model()
    captured = [
        CapturedRequest(request_from_body(body), body, Location("session.jsonl"))
        for body in bodies(drawn)
    ]
    replay(captured, model, policy("engine/vllm"), observe=check)
