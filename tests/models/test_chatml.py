"""The embedded template, rendered by transformers' own environment."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils.chat_template_utils import render_jinja_template

from promptlint.models import find_model

TEMPLATE = find_model(None, base=Path()).template
TOOL = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}
SYSTEM = {"role": "system", "content": "You are terse."}
CALL = {"id": "1", "type": "function", "function": {"name": "read", "arguments": {"path": "é"}}}


def render(messages: list[dict[str, Any]], tools: list[Any] | None = None, ask: bool = True) -> str:
    rendered = render_jinja_template(
        [messages], tools=tools, chat_template=TEMPLATE, add_generation_prompt=ask
    )
    return str(rendered[0][0])


def test_the_tools_stand_behind_the_system_text() -> None:
    text = render([SYSTEM, {"role": "user", "content": "Hi"}], [TOOL])

    assert text.startswith("<|im_start|>system\nYou are terse.\n\n")
    assert f"<tools>\n{json.dumps(TOOL)}\n</tools>" in text
    assert text.endswith("<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")
    assert text.count("<|im_start|>system") == 1


def test_tools_without_a_system_text() -> None:
    assert render([{"role": "user", "content": "Hi"}], [TOOL]).startswith(
        "<|im_start|>system\n# Functions"
    )


def test_nothing_is_added_to_a_plain_conversation() -> None:
    assert render([{"role": "user", "content": "Hi"}], ask=False) == (
        "<|im_start|>user\nHi<|im_end|>\n"
    )


def test_calls_reasoning_and_results() -> None:
    as_text = CALL | {"function": {"name": "read", "arguments": '{"path":"é"}'}}
    text = render(
        [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "", "reasoning_content": "Hm", "tool_calls": [CALL]},
            {"role": "tool", "content": "done", "tool_call_id": "1"},
            {"role": "assistant", "content": None, "tool_calls": [as_text]},
        ],
        ask=False,
    )
    assert (
        "<|im_start|>assistant\n<think>\nHm\n</think>\n\n\n"
        '<tool_call>\n{"name": "read", "arguments": {"path": "é"}}\n</tool_call><|im_end|>\n'
        "<|im_start|>tool\ndone<|im_end|>\n"
    ) in text
    assert '"arguments": {"path":"é"}}' in text


MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "tool"]), "content": st.text(max_size=8)},
        optional={"reasoning_content": st.text(max_size=8), "tool_calls": st.just([CALL])},
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=60)
@given(MESSAGES, st.booleans(), st.booleans())
def test_a_longer_conversation_only_appends(
    messages: list[dict[str, Any]], with_system: bool, with_tools: bool
) -> None:
    head = [SYSTEM] if with_system else [{"role": "user", "content": "Hi"}]
    tools = [TOOL] if with_tools else None
    for end in range(len(messages)):
        shorter, longer = head + messages[:end], head + messages[: end + 1]
        answered = messages[end]["role"] == "assistant"
        assert render(longer, tools).startswith(render(shorter, tools, ask=answered))
