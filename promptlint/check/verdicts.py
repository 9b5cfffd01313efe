"""The rules run over one layout: one finding for each moving span, from the rule of its cause."""

from collections.abc import Iterable, Mapping
from typing import Any

from promptlint import registry
from promptlint.finding import Finding
from promptlint.layout import Layout, Lifetime, Span
from promptlint.registry import Rules
from promptlint.rule import Rule
from promptlint.severity import Options
from promptlint.worlds.axes import lifetime_of


def verdicts(
    layout: Layout, rules: Mapping[str, Rule[Any]], options: Options
) -> tuple[Finding, ...]:
    """The findings of one layout, in rendered order.

    A general rule speaks only where no rule of the cause does, not even one that is ignored;
    of several rules of the cause, the one with the worst verdict, then the one about the
    shortest lifetime.
    """
    names = rules.ignored if isinstance(rules, Rules) else ()
    ignored = registry.rules(select=names, reads=(Layout.__name__,)) if names else {}
    layout_rules = [r for r in (*rules.values(), *ignored.values()) if r.reads is Layout]
    found = [finding for rule in layout_rules for finding in rule.run(layout, options)]
    by_span: dict[int, list[Finding]] = {}
    order = {id(span): index for index, span in enumerate(layout.spans)}
    whole: list[Finding] = []
    for finding in found:
        if finding.span is None:
            whole.append(finding)
        else:
            by_span.setdefault(_place(finding.span, order, layout), []).append(finding)
    chosen = (_of_the_cause(by_span[index], rules, ignored) for index in sorted(by_span))
    return (
        *(finding for finding in whole if finding.rule in rules),
        *_told_once(finding for finding in chosen if finding.rule in rules),
    )


def _told_once(findings: Iterable[Finding]) -> Iterable[Finding]:
    """The worst finding of each moving run, which sections may have cut into several spans."""
    runs: dict[object, list[Finding]] = {}
    for finding in findings:
        assert finding.span is not None
        runs.setdefault(finding.span.moves, []).append(finding)
    return (max(run, key=lambda finding: finding.severity) for run in runs.values())


def _place(span: Span, order: Mapping[int, int], layout: Layout) -> int:
    return order.get(id(span), len(layout.spans))


def _of_the_cause(
    findings: Iterable[Finding], rules: Mapping[str, Rule[Any]], ignored: Mapping[str, Rule[Any]]
) -> Finding:
    return min(
        findings,
        key=lambda finding: (
            (rules.get(finding.rule) or ignored[finding.rule]).general,
            finding.rule in ignored,
            -finding.severity,
            _lifetime(finding),
            finding.rule,
        ),
    )


def _lifetime(finding: Finding) -> Lifetime:
    if finding.axis is None or finding.scope is None:
        return Lifetime.STATIC
    return lifetime_of(finding.axis, finding.scope)
