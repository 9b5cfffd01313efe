"""A chat template's facts as JSON, version 1: fields may be added, never changed."""

from collections.abc import Sequence
from typing import Any

from promptlint.layout import Layout
from promptlint.output.json_report import VERSION
from promptlint.probes.breaks import Break
from promptlint.probes.compare import lost_per_axis
from promptlint.probes.dates import PrintedDate
from promptlint.probes.session_facts import SessionFacts
from promptlint.probes.template_facts import TemplateFacts


def template_data(facts: TemplateFacts) -> dict[str, Any]:
    """One template. `date` is the first of `dates`; `when` is null for an ordinary request."""
    dates = [_date(date) for date in facts.dates]
    return {
        "version": VERSION,
        "model": facts.name,
        "tools": facts.tools,
        "date": dates[0] if dates else None,
        "dates": dates,
        "asks_for_time": facts.asks_for_time,
        "system_text": facts.system_text,
        "default_system": facts.default_system,
        "second_system": facts.second_system,
        "developer": facts.developer,
        "user_parts": facts.user_parts,
        "system_parts": facts.system_parts,
        "arguments": facts.arguments,
        "key_order_matters": facts.key_order_matters,
        "parameters": [
            {"name": p.name, "char": p.char, "printed": p.printed, "is_date": p.is_date}
            for p in facts.parameters
        ],
        "refused": list(facts.refused),
        "extends": facts.extends,
        "loses_content": facts.loses_content,
        "breaks": [_break(made) for made in facts.breaks],
        "breaks_without_reasoning": [_break(made) for made in facts.breaks_without_reasoning],
    }


def session_data(facts: SessionFacts) -> dict[str, Any]:
    """A user's requests under one template."""
    return {
        "version": VERSION,
        "prompt": facts.prompt,
        "model": facts.model,
        "tokens": facts.tokens,
        "estimated": facts.estimated,
        "continued": facts.continued,
        "tools": facts.tools,
        "tools_tokens": facts.tools_tokens,
        "breaks": [_break(made) for made in facts.breaks],
        "moved": [
            {"message": m.message, "role": m.role, "fate": m.fate, "lost_tokens": m.lost_tokens}
            for m in facts.moved
        ],
        "leaked": list(facts.leaked),
        "parameters": [
            {"name": p.name, "char": p.char, "lost_tokens": p.lost_tokens, "changes": p.changes}
            for p in facts.parameters
        ],
    }


def prompt_data(facts: SessionFacts, layout: Layout) -> dict[str, Any]:
    """A configured prompt under one model: its session, and what each axis loses."""
    lost = [
        {"axis": axis, "scope": scope, "lost_tokens": tokens, "history_lost": history}
        for (axis, scope), (tokens, history) in lost_per_axis(layout).items()
    ]
    return {**session_data(facts), "lost": lost}


def one_or_list(data: Sequence[dict[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
    """One object alone, several as a list."""
    return data[0] if len(data) == 1 else list(data)


def _date(date: PrintedDate) -> dict[str, Any]:
    return {
        "format": date.format,
        "precision": date.precision,
        "char": date.char,
        "when": date.when or None,
    }


def _break(made: Break) -> dict[str, Any]:
    return {
        "step": made.step,
        "event": made.event,
        "cause": made.cause,
        "causes": list(made.causes),
        "char": made.char,
        "lost_chars": made.lost_chars,
        "lost_tokens": made.lost_tokens,
        "sections": list(made.sections),
        "switch": str(made.switch) if made.switch else None,
        "left_chars": made.left_chars if made.switch else None,
        "before": made.before,
        "after": made.after,
    }
