"""SARIF 2.1.0, for code scanning: rules with their pages, results with a code flow."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import promptlint
from promptlint.check.outcome import Problem
from promptlint.finding import Finding, Severity
from promptlint.location import Location
from promptlint.output.json_text import json_text
from promptlint.pages import rule_page
from promptlint.rule import Rule

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def findings_sarif(
    findings: Sequence[Finding], problems: Iterable[Problem], rules: Mapping[str, Rule[Any]]
) -> str:
    """One run. What could not be checked is a notification of a run that did not succeed."""
    problems = list(problems)
    used = sorted({finding.rule for finding in findings})
    run = {
        "tool": {
            "driver": {
                "name": "promptlint",
                "version": promptlint.__version__,
                "rules": [_rule(rules[name]) for name in used],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [_notification(problem) for problem in problems],
            }
        ],
        "results": [_result(finding, used) for finding in findings],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(log)


def _notification(problem: Problem) -> dict[str, Any]:
    place = [_location(problem.location)] if problem.location else []
    text = {"text": problem.message}
    return {"level": "error", "message": text, **({"locations": place} if place else {})}


def _rule(rule: Rule[Any]) -> dict[str, Any]:
    page = rule_page(rule.name)
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": page, "markdown": page},
    }


def _result(finding: Finding, used: list[str]) -> dict[str, Any]:
    facts = "; ".join(f"{label}: {text}" for label, text in finding.facts)
    text = f"{finding.message}. {facts}{'; ' if facts else ''}move it: {finding.advice}"
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": used.index(finding.rule),
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "partialFingerprints": {"promptlint/v1": _fingerprint(finding)},
        "properties": {
            "confidence": str(finding.confidence),
            "prompt": finding.prompt,
            "model": finding.model,
            "lostTokens": finding.lost_tokens,
            "historyLost": finding.history_lost,
        },
    }
    if finding.location is not None:
        result["locations"] = [_location(finding.location)]
        flow = [finding.location, *(r.location for r in finding.related if r.location)]
        notes = [finding.message, *(r.note for r in finding.related if r.location)]
        if len(flow) > 1:
            result["codeFlows"] = [_code_flow(flow, notes)]
    return result


def _location(place: Location) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.path)}}
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    if place.line is not None:
        physical["region"] = {name: value for name, value in region.items() if value is not None}
    return {"physicalLocation": physical}


def _code_flow(places: list[Location], notes: list[str]) -> dict[str, Any]:
    steps = [
        {"location": {**_location(place), "message": {"text": note}}}
        for place, note in zip(places, notes, strict=True)
    ]
    return {"threadFlows": [{"locations": steps}]}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path.replace("\\", "/"), errors="surrogateescape")


def _fingerprint(finding: Finding) -> str:
    """The same finding keeps its fingerprint when lines above it move."""
    source = str(finding.span.source) if finding.span else ""
    path = finding.location.path if finding.location else ""
    detail = finding.span.cause.detail if finding.span and finding.span.cause else ""
    key = "\0".join([finding.rule, finding.prompt or "", path, source, detail])
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
