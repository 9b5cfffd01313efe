"""A builder that yields its turns and rewrites what it has sent before."""

import pytest

from tests.measure.incident import lint
from tests.project import MakeProject

# A session of two turns; what stands for REWRITE happens to the first before it is sent again.
_SESSION = """
        import json
        USER = {"role": "user", "content": "Find it."}
        NEXT = {"role": "user", "content": "Go on."}
        TEXT = "A file of many lines. " * 120
        ARGUMENTS = {"path": "a.py", "lines": [1, 9]}
        def call(arguments):
            function = {"name": "run", "arguments": arguments}
            calls = [{"id": "1", "type": "function", "function": function}]
            return {"role": "assistant", "content": "I look.", "tool_calls": calls}
        def request(*messages):
            system = {"role": "system", "content": BASE}
            return {"messages": [system, *messages], "tools": [RUN]}
        def build():
            user, answer = USER, {**call(json.dumps(ARGUMENTS)), "reasoning_content": "In a.py."}
            result = {"role": "tool", "tool_call_id": "1", "content": TEXT}
            yield request(user, answer, result)
            REWRITE
            yield request(user, answer, result, {"role": "assistant", "content": "Done."}, NEXT)
"""

REWRITTEN = {
    # zeroclaw-labs/zeroclaw 10786
    "thinking is sent only after the last user message": (
        "answer = {k: v for k, v in answer.items() if k != 'reasoning_content'}"
    ),
    # LibreChat-AI/agents 497, vercel/eve 175
    "old results are cut when new ones come": "result = {**result, 'content': TEXT[:100]}",
    # stanfordnlp/dspy 10216, OpenRouterTeam/ai-sdk-provider 472
    "the arguments of a call are written again in another order": (
        "answer = {**answer, **call(json.dumps(ARGUMENTS, sort_keys=True))}"
    ),
    # yc-software/qm 971
    "the context of a user message is not stored with it": (
        "user = {**USER, 'content': 'Find it. (sent at noon)'}"
    ),
}


@pytest.mark.parametrize("what", REWRITTEN)
def test_a_history_that_is_sent_otherwise_is_reported(builder: MakeProject, what: str) -> None:
    verdicts = lint(builder, _SESSION.replace("REWRITE", REWRITTEN[what]))
    order = "another order" in what
    rule = "equal-but-different-bytes" if order else "history-rewritten"
    assert {(verdict.rule, verdict.severity) for verdict in verdicts} == {(rule, "error")}


def test_a_history_that_only_grows_is_not(builder: MakeProject) -> None:
    assert lint(builder, _SESSION.replace("REWRITE", "pass")) == []
