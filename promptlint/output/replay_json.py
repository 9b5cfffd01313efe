"""A replay as JSON, version 1: fields may be added, never changed."""

from collections.abc import Mapping, Sequence
from typing import Any

from promptlint.cache.replay import Replay
from promptlint.captures.memory import MemoryState
from promptlint.finding import Finding
from promptlint.output.json_report import finding_data
from promptlint.output.json_text import json_text


def replay_json(
    replay: Replay,
    variants: Sequence[tuple[str, Replay]],
    memory: Mapping[str, Sequence[MemoryState]],
    findings: Sequence[Finding],
    problems: Sequence[str],
) -> str:
    """The result of `replay`; each `--what-if` has turns and sums of its own."""
    data = {
        **replay.as_json(),
        "findings": [finding_data(finding) for finding in findings],
        "memory": [
            {
                "conversation": name,
                "on_disk": [state.on_disk for state in states],
                "in_context": [state.in_context for state in states],
            }
            for name, states in memory.items()
        ],
        "what_if": [{"name": name, **_without_version(changed)} for name, changed in variants],
        "errors": list(problems),
    }
    return json_text(data)


def _without_version(replay: Replay) -> dict[str, Any]:
    return {key: value for key, value in replay.as_json().items() if key != "version"}
