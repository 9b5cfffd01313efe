"""Facts of single templates: real ones, and small ones that do one thing."""

from pathlib import Path

import pytest

from promptlint.layout import Axis, ToolsPosition
from promptlint.models import ModelError, find_model
from promptlint.models.model import Model
from promptlint.probes.breaks import Cause, Event
from promptlint.probes.dates import PrintedDate
from promptlint.probes.parts import ArgumentsEffect, Parts
from promptlint.probes.system import Fate, SystemText
from promptlint.probes.template_facts import TemplateFacts, template_facts
from promptlint.templates import TemplateError
from tests.probes.corpus import Characters, corpus_model


def facts_of(name: str) -> TemplateFacts:
    return template_facts(corpus_model(name))


def own(template: str) -> TemplateFacts:
    return template_facts(Model("own", Characters(), template))


def turns(facts: TemplateFacts) -> list[tuple[int, Event, Cause, str | None]]:
    return [
        (made.step, made.event, made.cause, str(made.switch) if made.switch else None)
        for made in facts.breaks
        if made.loses_content
    ]


def test_qwen3_drops_reasoning_and_has_no_switch() -> None:
    facts = facts_of("Qwen-Qwen3-0.6B")

    assert facts.tools is ToolsPosition.AFTER_SYSTEM
    assert facts.system_text is SystemText.VERBATIM
    assert not facts.extends
    assert turns(facts) == [
        (4, Event.TURN, Cause.REASONING_DROPPED, None),
        (6, Event.TURN, Cause.REASONING_DROPPED, None),
    ]
    assert facts.breaks_without_reasoning == ()


def test_qwen3_6_is_cured_by_preserve_thinking() -> None:
    facts = facts_of("Qwen-Qwen3.6-35B-A3B")

    assert facts.tools is ToolsPosition.BEFORE_SYSTEM
    assert facts.system_text is SystemText.TRIMMED
    assert facts.second_system is Fate.RAISES
    assert {switch for *_, switch in turns(facts)} == {"preserve_thinking=True"}
    # The empty think blocks go even if no reasoning is sent.
    assert [made.cause for made in facts.breaks_without_reasoning] == [Cause.OWN_TEXT_CHANGED] * 2
    assert {str(made.switch) for made in facts.breaks_without_reasoning} == {
        "preserve_thinking=True"
    }


def test_glm_is_cured_by_clear_thinking() -> None:
    facts = facts_of("GLM-4.7-Flash")

    assert {switch for *_, switch in turns(facts)} == {"clear_thinking=False"}
    assert all(made.left_chars == 0 for made in facts.breaks)


def test_nemo_loses_nearly_the_whole_prompt_at_the_second_user_turn() -> None:
    facts = facts_of("mistralai-Mistral-Nemo-Instruct-2407")
    second_turn = next(made for made in facts.breaks if made.event is Event.TURN)

    assert facts.tools is ToolsPosition.LAST_USER
    assert second_turn.cause is Cause.TOOLS_MOVED
    assert second_turn.lost_chars > 0.95 * (second_turn.char + second_turn.lost_chars)


def test_gpt_oss_prints_its_date_before_everything() -> None:
    facts = facts_of("openai-gpt-oss-120b")

    assert facts.dates == (PrintedDate("%Y-%m-%d", Axis.DAY, 134),)
    assert facts.parameters[0].name == "model_identity"
    assert facts.refused == ("text and reasoning beside a tool call",)
    assert facts.second_system is Fate.DROPPED


def test_deepseek_hoists_a_second_system_message() -> None:
    facts = facts_of("deepseek-ai-DeepSeek-V3.2")

    assert facts.second_system is Fate.HOISTED
    assert facts.arguments is ArgumentsEffect.TEXT_RAISES
    assert {made.cause for made in facts.breaks} == {Cause.GENERATION_PROMPT}
    assert not facts.loses_content


def test_a_date_on_a_branch_that_a_probe_has_to_reach() -> None:
    facts = facts_of("ibm-granite-granite-3.3-2B-Instruct")

    assert [(date.format, date.when) for date in facts.dates] == [
        ("%B %d, %Y", "without a system text")
    ]
    assert facts.default_system is not None
    assert "You are Granite" in facts.default_system


def test_a_date_that_the_caller_hands_in() -> None:
    facts = facts_of("meta-llama-Llama-3.1-8B-Instruct")
    dates = [parameter for parameter in facts.parameters if parameter.is_date]

    assert [parameter.name for parameter in dates] == ["date_string"]
    assert dates[0].printed
    assert facts.dates == ()
    assert facts.user_parts is Parts.LEAKED


CHAT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"


def test_a_template_of_nothing_but_messages() -> None:
    facts = own(CHAT)

    assert facts.extends
    assert facts.tools is ToolsPosition.NOT_RENDERED
    assert not facts.key_order_matters
    assert facts.dates == ()
    assert facts.default_system is None
    assert facts.parameters == ()
    assert facts.second_system is facts.developer is Fate.KEPT
    assert facts.user_parts is facts.system_parts is Parts.LEAKED
    assert facts.arguments is ArgumentsEffect.NOT_RENDERED


def test_the_embedded_template_extends_every_request() -> None:
    facts = template_facts(find_model(None, base=Path()))

    assert facts.extends
    assert facts.refused == ()
    assert facts.tools is ToolsPosition.AFTER_SYSTEM


def test_a_time_finer_than_a_day_behind_a_switch() -> None:
    facts = own("{% if with_time %}{{ strftime_now('%H:%M') }}{% endif %}" + CHAT)

    # 21:46 becomes 21:47 one minute later.
    assert facts.dates == (PrintedDate("%H:%M", Axis.MINUTE, 4, "with with_time=True"),)


def test_a_time_that_no_probe_reaches() -> None:
    facts = own("{% if messages|length > 99 %}{{ strftime_now('%d') }}{% endif %}" + CHAT)

    assert facts.dates == ()
    assert facts.asks_for_time


def test_a_switch_is_found_by_the_value_that_it_is_compared_with() -> None:
    kept = (
        "{% for m in messages %}{{ m.role }}:"
        "{% if m.thinking and (history == 'whole' or loop.last or loop.index > messages|length - 3)"
        " %}{{ m.thinking }}{% endif %}{{ m.content }};{% endfor %}"
    )
    facts = own(kept)

    assert {made.cause for made in facts.breaks} == {Cause.REASONING_DROPPED}
    assert {str(made.switch) for made in facts.breaks} == {"history='whole'"}


def test_dropping_everything_is_no_cure() -> None:
    dropping = (
        "{% for m in messages %}{{ m.role }}:"
        "{% if think is not defined or think %}"
        "{% if m.thinking and loop.index > messages|length - 3 %}{{ m.thinking }}{% endif %}"
        "{% endif %}{{ m.content }};{% endfor %}"
    )

    assert {made.switch for made in own(dropping).breaks} == {None}


def test_a_template_that_refuses_a_system_message() -> None:
    facts = own(
        "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + CHAT
    )

    assert facts.refused == ("a system message",)
    assert facts.system_text is SystemText.DROPPED
    assert facts.second_system is Fate.KEPT


def test_a_template_that_renders_nothing_says_why() -> None:
    with pytest.raises(TemplateError, match="it refuses this conversation: never"):
        own("{{ raise_exception('never') }}")


def test_a_syntax_error_is_named_with_its_line() -> None:
    with pytest.raises(TemplateError, match="line 2: syntax error"):
        own("hello\n{% if %}")


def test_a_hosted_model_has_no_template() -> None:
    with pytest.raises(ModelError, match="anthropic: its provider publishes no chat template"):
        template_facts(find_model("anthropic", base=Path()))


@pytest.mark.parametrize(
    ("pattern", "precision"),
    [
        ("%H:%M:%S", Axis.SECOND),
        ("%c", Axis.SECOND),
        ("%I %p", Axis.HOUR),
        ("%A", Axis.DAY),
        ("%B", Axis.DAY),
        ("%Y", Axis.DAY),
    ],
)
def test_a_time_is_as_fine_as_what_changes_it(pattern: str, precision: Axis) -> None:
    facts = own(f"{{{{ strftime_now('{pattern}') }}}}" + CHAT)

    assert [date.precision for date in facts.dates] == [precision]
