"""JSON, version 1: fields may be added, never changed."""

from collections.abc import Iterable, Sequence
from typing import Any

from promptlint.finding import Finding, Related
from promptlint.layout import Layout, Span
from promptlint.location import Location
from promptlint.output.json_text import json_text
from promptlint.stable import stable_between_tokens, stable_within_tokens

VERSION = 1


def findings_json(
    findings: Sequence[Finding],
    summary: dict[str, int],
    problems: Iterable[str],
    notes: Iterable[str] = (),
) -> str:
    """The result of `check`."""
    return json_text(
        {
            "version": VERSION,
            "findings": [finding_data(finding) for finding in findings],
            "summary": summary,
            "errors": list(problems),
            "notes": list(notes),
        }
    )


def layouts_json(layouts: Sequence[Layout]) -> str:
    """The result of `report`: one object, or a list where the prompt has several models."""
    reports = [layout_data(layout) for layout in layouts]
    return json_text(reports[0] if len(reports) == 1 else reports)


def layout_data(layout: Layout) -> dict[str, Any]:
    """One layout as plain data."""
    within, between = stable_within_tokens(layout), stable_between_tokens(layout)
    return {
        "version": VERSION,
        "prompt": layout.prompt,
        "model": layout.model,
        "exact": layout.exact,
        "estimated": layout.estimated,
        "tools_position": layout.tools_position,
        "tokens": layout.tokens,
        "spans": [_full_span(span) for span in layout.spans],
        "stable_prefix_tokens": min(within, between),
        "stable_within_tokens": within,
        "stable_between_tokens": between,
        "axes": [
            {"axis": report.axis, "state": report.state, "why": report.why or None}
            for report in layout.axes
        ],
        "notes": list(layout.notes),
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding as plain data."""
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "confidence": str(finding.confidence),
        "prompt": finding.prompt,
        "model": finding.model,
        "message": finding.message,
        **_place(finding.location),
        "span": _span(finding.span),
        "axis": finding.axis,
        "scope": finding.scope,
        "lost_tokens": finding.lost_tokens,
        "history_lost": finding.history_lost,
        "total_tokens": finding.total_tokens,
        "related": [_related(related) for related in finding.related],
        "advice": finding.advice,
    }


def _place(location: Location | None) -> dict[str, Any]:
    names = ("path", "line", "column", "end_line", "end_column")
    return {name: getattr(location, name, None) for name in names}


def _related(related: Related) -> dict[str, Any]:
    place = related.location
    return {
        "path": place.path if place else None,
        "line": place.line if place else None,
        "span": _span(related.span),
        "note": related.note,
    }


def _span(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {
        "source": str(span.source),
        "part": span.part,
        "start_char": span.start_char,
        "end_char": span.end_char,
        "start_token": span.start_token,
        "end_token": span.end_token,
    }


def _full_span(span: Span) -> dict[str, Any]:
    origin = span.origin
    moves = dict.fromkeys((move.axis, move.scope) for move in span.moves)
    return {
        **(_span(span) or {}),
        "section": span.section,
        "lifetime": str(span.lifetime),
        "moves_on": [{"axis": axis, "scope": scope} for axis, scope in moves],
        "origin": {"path": origin.path, "line": origin.line} if origin else None,
    }
