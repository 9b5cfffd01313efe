import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from promptlint import registry
from promptlint.check.outcome import Problem
from promptlint.finding import Finding, Related, Severity
from promptlint.layout import Confidence, Layout
from promptlint.location import Location
from promptlint.output.concise import finding_line
from promptlint.output.json_report import findings_json, layouts_json
from promptlint.output.sarif import findings_sarif
from promptlint.severity import DEFAULT_OPTIONS

SCHEMAS = Path(__file__).resolve().parents[2] / "docs/schemas"


def _valid(name: str, text: str) -> Any:
    data = json.loads(text)
    schema = json.loads((SCHEMAS / name).read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    return data


def examples() -> list[Finding]:
    """The findings of every layout rule's own bad examples."""
    rules = [rule for rule in registry.rules().values() if rule.reads is Layout]
    return [f for rule in rules for bad in rule.bad for f in rule.run(bad.given, DEFAULT_OPTIONS)]


HOSTILE = Finding(
    "sub-day-clock",
    Severity.ERROR,
    Confidence.HIGH,
    "a clock\n::error::x \x1b[31m <script> `${x}` %0A",
    "move it",
    location=Location("a b/[x]%0A:c,d.py", 3, 1, 3, 9),
    related=(Related("on the way\n", Location("b.py", 4)),),
)


def test_findings_follow_their_schema() -> None:
    text = findings_json([*examples(), HOSTILE], {"info": 1}, [], ["a note"])
    data = _valid("check-1.schema.json", text)
    assert len(data["findings"]) > 20


def test_reports_follow_their_schema() -> None:
    layouts = [b.given for r in registry.rules().values() if r.reads is Layout for b in r.bad]
    _valid("report-1.schema.json", layouts_json(layouts))
    _valid("report-1.schema.json", layouts_json(layouts[:1]))


def test_sarif_names_its_rules_and_places() -> None:
    log = json.loads(
        findings_sarif([*examples(), HOSTILE], [Problem("p: broken")], registry.rules())
    )
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert run["invocations"][0]["executionSuccessful"] is False
    hostile = run["results"][-1]
    place = hostile["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/%5Bx%5D%250A%3Ac%2Cd.py"
    assert place["region"] == {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 9}
    flow = hostile["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [s["location"]["physicalLocation"]["region"]["startLine"] for s in flow] == [3, 4]


def test_a_fingerprint_survives_lines_above() -> None:
    from msgspec.structs import replace

    moved = replace(HOSTILE, location=Location("a b/[x]%0A:c,d.py", 99, 1))
    log = json.loads(findings_sarif([HOSTILE, moved], [], registry.rules()))
    one, other = (r["partialFingerprints"] for r in log["runs"][0]["results"])
    assert one == other


@pytest.mark.parametrize("finding", [HOSTILE])
def test_concise_is_one_line(finding: Finding) -> None:
    line = finding_line(finding)
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line
