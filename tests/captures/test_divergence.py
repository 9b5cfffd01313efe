"""Every way in which a request parts from the one before: where, and why."""

import copy
import json
from collections.abc import Callable

import pytest

from promptlint.captures.causes import Cause
from promptlint.captures.divergence import Divergence, Sent
from promptlint.captures.turns import read_turns
from promptlint.layout import Part
from promptlint.models.embedded import embedded_model
from promptlint.models.model import Model
from tests.captures.agent import BASE, MEMORY, PROJECT, SYSTEM, Agent, capture, tool
from tests.test_secrets import KEYS, shows

MODEL = embedded_model()
CONTENTS = "{% for message in messages %}{{ message.content }}{% endfor %}"
REASONING = """{%- for message in messages %}
<|im_start|>{{ message.role }}
{% if message.reasoning_content and (not drop or loop.last) -%}
<think>{{ message.reasoning_content }}</think>
{% endif %}{{ message.content }}<|im_end|>{% endfor %}
<|im_start|>assistant
"""


def between(change: Callable[[Agent], None], model: Model = MODEL) -> Divergence | None:
    """The divergence of the second of two requests, with a change and a new turn between them."""
    agent = Agent()
    agent.call()
    agent.send()
    change(agent)
    agent.call()
    agent.send()
    return list(read_turns(capture(*agent.sent), model))[1].turn.divergence


def found(change: Callable[[Agent], None]) -> Divergence:
    divergence = between(change)
    assert divergence is not None
    assert divergence.before != divergence.after
    assert divergence.lost_tokens > 0
    return divergence


def test_a_history_that_only_grows_does_not_diverge() -> None:
    assert between(lambda agent: None) is None


def test_an_identical_request_does_not_diverge() -> None:
    agent = Agent()
    agent.send()
    agent.send()
    assert list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence is None


def test_going_back_to_an_earlier_message_does_not_diverge() -> None:
    agent = Agent()
    agent.ask("Done.", "Now the tests.")
    agent.send()
    agent.messages[-1] = {"role": "user", "content": "Now the documentation."}
    agent.send()
    assert list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence is None


def test_a_refreshed_memory() -> None:
    def change(agent: Agent) -> None:
        agent.system = f"{SYSTEM}\n- The staging database is called atlas."

    divergence = found(change)
    assert (divergence.cause, divergence.part) == (Cause.CONTENT_CHANGED, Part.SYSTEM)
    assert (divergence.source, divergence.reason) == ("memory", "system_changed")
    assert divergence.leaf == ("system", 0)
    assert divergence.message is None
    assert "atlas" in divergence.after


def test_a_clock_in_the_system_text() -> None:
    agent = Agent()
    agent.system = f"{BASE}\nCurrent time: 2026-11-29 10:41"
    agent.send()
    agent.system = f"{BASE}\nCurrent time: 2026-11-29 10:42"
    agent.call()
    agent.send()
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    assert divergence.source == "timestamp"
    assert divergence.before.startswith("Current time: 2026-11-29 10:41")
    assert divergence.after.startswith("Current time: 2026-11-29 10:42")


def test_sections_in_another_order() -> None:
    def change(agent: Agent) -> None:
        agent.system = "\n\n".join((BASE, MEMORY, PROJECT))

    assert found(change).cause is Cause.REORDERED


def test_tools_in_another_order() -> None:
    def change(agent: Agent) -> None:
        agent.tools = [agent.tools[0], agent.tools[2], agent.tools[1]]

    divergence = found(change)
    assert (divergence.cause, divergence.part) == (Cause.REORDERED, Part.TOOLS)
    assert (divergence.source, divergence.reason) == ("tools", "tools_changed")
    assert divergence.leaf is not None
    assert divergence.leaf[:2] == ("tools", 1)


def test_a_tool_added() -> None:
    divergence = found(lambda agent: agent.tools.append(tool("browser")))
    assert (divergence.cause, divergence.part) == (Cause.TOOLS_ADDED, Part.TOOLS)


def test_a_tool_removed() -> None:
    divergence = found(lambda agent: agent.tools.remove(agent.tools[1]))
    assert (divergence.cause, divergence.part) == (Cause.TOOLS_REMOVED, Part.TOOLS)


def test_all_tools_removed() -> None:
    def change(agent: Agent) -> None:
        agent.tools = []

    assert found(change).cause is Cause.TOOLS_REMOVED


def test_the_first_tools() -> None:
    agent = Agent()
    agent.tools = []
    agent.send()
    agent.tools = [tool("bash")]
    agent.call()
    agent.send()
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    assert (divergence.cause, divergence.part) == (Cause.TOOLS_ADDED, Part.TOOLS)


def test_a_tool_with_another_schema() -> None:
    def change(agent: Agent) -> None:
        agent.tools = [agent.tools[0], tool("bash", timeout={"type": "integer"}), agent.tools[2]]

    divergence = found(change)
    assert divergence.cause is Cause.SAME_NAME_OTHER_SCHEMA


def test_a_tool_whose_keys_stand_in_another_order() -> None:
    def change(agent: Agent) -> None:
        agent.tools = copy.deepcopy(agent.tools)
        function = agent.tools[1]["function"]
        agent.tools[1]["function"] = dict(reversed(function.items()))

    assert found(change).cause is Cause.EQUAL_BUT_DIFFERENT_BYTES


def test_arguments_that_are_serialised_otherwise() -> None:
    def change(agent: Agent) -> None:
        function = agent.messages[1]["tool_calls"][0]["function"]
        compact = json.dumps(json.loads(function["arguments"]), separators=(",", ":"))
        agent.messages[1] = copy.deepcopy(agent.messages[1])
        agent.messages[1]["tool_calls"][0]["function"]["arguments"] = compact

    divergence = found(change)
    assert divergence.cause is Cause.EQUAL_BUT_DIFFERENT_BYTES
    assert (divergence.part, divergence.message) == (Part.MESSAGES, 1)


def test_an_old_message_rewritten() -> None:
    def change(agent: Agent) -> None:
        agent.messages[2] = {**agent.messages[2], "content": "[old result removed]"}

    divergence = found(change)
    assert (divergence.cause, divergence.message) == (Cause.HISTORY_REWRITTEN, 2)
    assert (divergence.source, divergence.reason) == ("history", "messages_changed")
    assert not divergence.by_template


def test_an_old_message_dropped() -> None:
    agent = Agent()
    for _ in range(3):
        agent.call()
    agent.send()
    del agent.messages[1:3]
    agent.call()
    agent.send()
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    assert divergence.cause is Cause.HISTORY_REWRITTEN


def test_reasoning_that_is_not_sent_again() -> None:
    agent = Agent()
    agent.tools = []
    agent.messages.append({"role": "assistant", "content": "Yes.", "reasoning_content": "Hm."})
    agent.send()
    del agent.messages[1]["reasoning_content"]
    agent.messages.append({"role": "user", "content": "Go on."})
    agent.send()
    model = Model("test", MODEL.tokenizer, template="{% set drop = false %}" + REASONING)
    divergence = list(read_turns(capture(*agent.sent), model))[1].turn.divergence
    assert divergence is not None
    assert (divergence.cause, divergence.message) == (Cause.REASONING_DROPPED, 1)
    assert not divergence.by_template


@pytest.mark.parametrize("later_id", ["c1", "call_1"])
def test_reasoning_that_the_template_drops(later_id: str) -> None:
    agent = Agent()
    agent.tools = []
    agent.call(reasoning_content="Hm.")
    del agent.messages[-1]
    agent.messages[-1]["content"] = "Yes."
    agent.send()
    agent.messages[-1]["tool_calls"][0]["id"] = later_id
    agent.messages.append({"role": "user", "content": "Go on."})
    agent.send()
    model = Model("test", MODEL.tokenizer, template="{% set drop = true %}" + REASONING)
    divergence = list(read_turns(capture(*agent.sent), model))[1].turn.divergence
    assert divergence is not None
    assert divergence.cause is Cause.REASONING_DROPPED
    assert divergence.by_template


def test_an_id_that_the_template_prints() -> None:
    template = CONTENTS.replace("}}{%", "}}{{ message.tool_call_id }}{%", 1)

    def other_id(agent: Agent) -> None:
        agent.messages[-1]["tool_call_id"] = "call_1"

    divergence = between(other_id, Model("test", MODEL.tokenizer, template=template))
    assert divergence is not None
    assert (divergence.cause, divergence.by_template) == (Cause.HISTORY_REWRITTEN, False)
    assert between(other_id) is None


def test_a_system_block_that_becomes_a_message() -> None:
    agent = Agent()
    blocks = [{"type": "text", "text": BASE}, {"type": "text", "text": MEMORY}]
    agent.messages.insert(0, {"role": "system", "content": blocks})
    agent.system = None
    agent.send()
    agent.messages[0] = {"role": "system", "content": blocks[:1]}
    agent.messages.insert(1, {"role": "developer", "content": MEMORY})
    agent.call()
    agent.send()
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    assert divergence.cause is Cause.SYSTEM_MOVED


def test_a_system_message_that_moves_inside_the_history() -> None:
    reminder = {"role": "system", "content": "Plan mode is on."}
    agent = Agent()
    agent.call()
    agent.messages.insert(1, reminder)
    agent.send()
    agent.messages.remove(reminder)
    agent.messages.append(reminder)
    agent.call()
    agent.send()
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    assert (divergence.cause, divergence.message) == (Cause.SYSTEM_MOVED, 1)


def test_a_parameter_that_the_template_prints() -> None:
    template = (
        "Reasoning: {{ reasoning_effort }}\n{% for m in messages %}{{ m.content }}{% endfor %}"
    )
    agent = Agent()
    agent.tools = []
    agent.parameters["reasoning_effort"] = "low"
    agent.send()
    agent.parameters["reasoning_effort"] = "high"
    agent.ask("Yes.", "Go on.")
    agent.send()
    model = Model("test", MODEL.tokenizer, template=template)
    divergence = list(read_turns(capture(*agent.sent), model))[1].turn.divergence
    assert divergence is not None
    assert (divergence.cause, divergence.part) == (Cause.PARAMETERS_CHANGED, Part.TEMPLATE)
    assert divergence.reason == "reasoning_effort_changed"


def test_a_switched_template_text_is_put_down_to_the_parameter() -> None:
    template = "{{ 'Think first.' if enable_thinking else 'Answer at once.' }}\n" + CONTENTS
    agent = Agent()
    agent.tools, agent.system = [], None
    agent.parameters["chat_template_kwargs"] = {"enable_thinking": True}
    agent.send()
    agent.parameters["chat_template_kwargs"] = {"enable_thinking": False}
    agent.ask("Yes.", "Go on.")
    agent.send()
    model = Model("test", MODEL.tokenizer, template=template)
    divergence = list(read_turns(capture(*agent.sent), model))[1].turn.divergence
    assert divergence is not None
    assert (divergence.cause, divergence.part) == (Cause.PARAMETERS_CHANGED, Part.TEMPLATE)


@pytest.mark.parametrize("times", [(0.0, 0.0), (0.0, 86_400.0)])
def test_the_templates_own_clock(times: tuple[float, float]) -> None:
    template = (
        "Today is {{ strftime_now('%Y-%m-%d') }}.{% for m in messages %}{{ m.content }}{% endfor %}"
    )
    agent = Agent()
    agent.tools = []
    agent.send()
    agent.ask("Yes.", "Go on.")
    agent.send()
    model = Model("test", MODEL.tokenizer, template=template)
    captured = [
        type(c)(c.request, c.body, c.place, time=time)
        for c, time in zip(capture(*agent.sent), times, strict=True)
    ]
    divergence = list(read_turns(captured, model))[1].turn.divergence
    assert (divergence is not None) == (times[0] != times[1])
    if divergence:
        assert (divergence.source, divergence.by_template) == ("timestamp", True)


def test_another_model_is_said_first() -> None:
    def change(agent: Agent) -> None:
        agent.parameters["model"] = "another"
        agent.system = f"{SYSTEM} You are another."

    assert found(change).reason == "model_changed"


def test_the_token_is_the_first_one_that_differs() -> None:
    agent = Agent()
    agent.send()
    agent.system = SYSTEM.replace("ruff", "flake8")
    agent.call()
    agent.send()
    first, second = [Sent(t.request, t.rendered) for t in read_turns(capture(*agent.sent), MODEL)]
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    token = divergence.token
    assert first.rendered.token_ids[:token] == second.rendered.token_ids[:token]
    assert first.rendered.token_ids[token] != second.rendered.token_ids[token]
    assert divergence.source == "project"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("gap", [*range(0, 60, 7), 74])
def test_no_part_of_a_key_stands_around_a_break(key: str, gap: int) -> None:
    """Wherever the excerpt is cut, in front of the break and behind it."""
    filler = ("so it is " * 9)[:gap]

    def clock(minute: int) -> str:
        return f"Use key {key} {filler}at minute {minute} now. {filler} {key} is it."

    agent = Agent()
    agent.system = clock(1)
    agent.send()
    agent.system = clock(2)
    agent.send()
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    assert "minute 1" in divergence.before
    assert not shows(divergence.before + divergence.after, key)


def test_a_key_that_changed_is_masked_on_both_sides() -> None:
    one, other = KEYS[0], f"{KEYS[0][:30]}zzz9{KEYS[0][34:]}"
    agent = Agent()
    agent.system = f"{SYSTEM}\nKey: {one}, keep it."
    agent.send()
    agent.system = f"{SYSTEM}\nKey: {other}, keep it."
    agent.send()
    divergence = list(read_turns(capture(*agent.sent), MODEL))[1].turn.divergence
    assert divergence is not None
    assert divergence.before == divergence.after
    assert divergence.before.startswith("Key: sk-p…, keep it.")
