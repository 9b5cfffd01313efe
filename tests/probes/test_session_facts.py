"""A user's own requests under real templates."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from promptlint import registry
from promptlint.finding import Finding, Severity
from promptlint.layout import ToolsPosition
from promptlint.models import ModelError, find_model
from promptlint.models.model import Model
from promptlint.probes.breaks import Cause
from promptlint.probes.conversation import Shape, session, user
from promptlint.probes.session_facts import SessionFacts, session_facts
from promptlint.probes.system import Fate
from promptlint.request import Block, Message, Request
from promptlint.severity import Options
from tests.probes.corpus import corpus_model

SHAPE = Shape(text_beside_calls=False)
REQUESTS = session(SHAPE)
HEAD = Request(
    system=(Block("You are a careful agent. " * 100),),
    tools=REQUESTS[0].tools,
    messages=(user("What fails?"),),
)


def facts_of(name: str, *requests: Request) -> SessionFacts:
    return session_facts(requests, corpus_model(name), "coder")


def findings(facts: SessionFacts) -> dict[str, Finding]:
    rules = [rule for rule in registry.rules().values() if rule.reads is SessionFacts]
    return {found.rule: found for rule in rules for found in rule.run(facts, Options())}


def test_one_request_is_continued_and_counts_only_its_own_text() -> None:
    facts = facts_of("mistralai-Mistral-Nemo-Instruct-2407", HEAD)
    step, turn = facts.breaks

    assert facts.continued
    assert facts.tools is ToolsPosition.LAST_USER
    # It prints the system text beside a newest user message only: a tool result takes it away.
    assert step.cause is Cause.SYSTEM_MOVED
    assert len(HEAD.system_text) <= step.lost_tokens < facts.tokens
    assert turn.cause is Cause.TOOLS_MOVED
    assert facts.tools_tokens <= turn.lost_tokens < turn.lost_chars
    assert findings(facts)["template-tools-follow-user"].severity is Severity.WARNING


def test_a_template_that_keeps_the_head_loses_none_of_it() -> None:
    facts = facts_of("Qwen-Qwen3-0.6B", HEAD)

    assert [(made.cause, made.lost_tokens) for made in facts.breaks] == [
        (Cause.REASONING_DROPPED, 0)
    ]
    found = findings(facts)["template-rewrites-history"]
    assert found.severity is Severity.INFO
    assert found.history_lost


def test_a_captured_session_loses_its_own_tokens() -> None:
    facts = facts_of("Qwen-Qwen3.6-35B-A3B", *REQUESTS)

    assert not facts.continued
    assert [made.lost_tokens for made in facts.breaks] == [made.lost_chars for made in facts.breaks]
    found = findings(facts)["template-rewrites-history"]
    assert found.severity is Severity.ERROR
    assert "preserve_thinking=True" in found.advice
    assert found.lost_tokens == max(made.lost_tokens for made in facts.breaks)


def test_what_the_agent_rewrites_is_not_the_templates_doing() -> None:
    first, second = (
        HEAD,
        replace(HEAD, messages=(user("Another beginning."), *REQUESTS[1].messages)),
    )

    assert facts_of("Qwen-Qwen3.6-35B-A3B", first, second).breaks == ()


@pytest.mark.parametrize(
    ("name", "fate"),
    [("deepseek-ai-DeepSeek-V3.2", Fate.HOISTED), ("openai-gpt-oss-120b", Fate.DROPPED)],
)
def test_a_reminder_that_does_not_stay(name: str, fate: Fate) -> None:
    reminder = Message("system", (Block("Answer in French."),))
    answered = (*HEAD.messages, Message("assistant", (Block("The parser fails."),)))
    later = replace(HEAD, messages=(*answered, reminder, user("Repair it.")))
    facts = facts_of(name, HEAD, later)

    assert [(m.message, m.fate) for m in facts.moved] == [(2, fate)]
    severity = Severity.ERROR if fate is Fate.HOISTED else Severity.WARNING
    assert findings(facts)["template-moves-system"].severity is severity


def test_parts_that_leak() -> None:
    parts = Message("user", (Block("What fails?"), Block("Look at the log.")))
    request = replace(HEAD, messages=(parts,))

    assert facts_of("meta-llama-Llama-3.1-8B-Instruct", request).leaked == (0,)
    assert facts_of("GLM-4.7-Flash", request).leaked == ()


def test_a_parameter_that_changes_at_the_head() -> None:
    low = replace(HEAD, parameters={"reasoning_effort": "low"})
    high = replace(REQUESTS[1], system=HEAD.system, parameters={"reasoning_effort": "high"})
    facts = facts_of("openai-gpt-oss-120b", low, high)

    assert [(p.name, p.values, p.char) for p in facts.parameters] == [
        ("reasoning_effort", ("low", "high"), 148)
    ]
    assert findings(facts)["template-parameter-at-head"].severity is Severity.ERROR


def test_arguments_under_chat_template_kwargs_count_as_well() -> None:
    first = replace(HEAD, parameters={"chat_template_kwargs": {"date_string": "1 May 2030"}})
    facts = facts_of("meta-llama-Llama-3.1-8B-Instruct", first)

    assert [(p.name, p.values) for p in facts.parameters] == [("date_string", ("1 May 2030",))]


def test_a_parameter_that_the_template_does_not_read_is_none_of_its_business() -> None:
    request = replace(HEAD, parameters={"temperature": 0.2, "reasoning_effort": "low"})

    assert facts_of("Qwen-Qwen3-0.6B", request).parameters == ()


def test_the_embedded_template_is_clean_for_any_of_this() -> None:
    facts = session_facts(REQUESTS, find_model(None, base=Path()), "coder")

    assert facts.breaks == ()
    assert findings(facts) == {}


def test_a_hosted_model_cannot_be_tested() -> None:
    with pytest.raises(ModelError, match="publishes no chat template"):
        session_facts([HEAD], find_model("anthropic", base=Path()), "coder")


def test_the_rules_need_no_tokenizer_of_the_model() -> None:
    model = corpus_model("GLM-4.7-Flash")
    estimated = Model(model.name, model.tokenizer, model.template, estimated=True)

    assert session_facts(REQUESTS, estimated, "coder").estimated
