"""What promptlint said about an example, in words that expectations can use."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
SCOPES = {"within": ("within",), "between": ("within", "between")}
LIFETIMES = ("request", "turn", "session", "day", "edit", "static")


class ExampleError(Exception):
    """An example that could not be run. One line: what failed."""


@dataclass(frozen=True, slots=True)
class Report:
    """The layout of one prompt under one model: the JSON of `promptlint report`."""

    data: dict[str, Any]

    @property
    def order(self) -> list[str]:
        """The sources in rendered order, each where it first stands."""
        return list(dict.fromkeys(span["source"] for span in self.data["spans"]))

    @property
    def moving(self) -> list[str]:
        """The sources that move on any axis, in rendered order."""
        moving = (span["source"] for span in self.data["spans"] if span["moves_on"])
        return list(dict.fromkeys(moving))

    def first_moving(self, scope: str) -> str | None:
        """The source of the first span that moves: `within` a session, or `between` two."""
        moving = (
            span["source"]
            for span in self.data["spans"]
            if any(move["scope"] in SCOPES[scope] for move in span["moves_on"])
        )
        return next(moving, None)

    def axes(self, source: str | None = None) -> set[str]:
        """All axes on which a source moves, or anything where none is named."""
        spans = self.data["spans"] if source is None else self._spans(source)
        return {move["axis"] for span in spans for move in span["moves_on"]}

    def lifetime(self, source: str) -> str | None:
        """The shortest lifetime of a source, or None where it stands nowhere."""
        found = {span["lifetime"] for span in self._spans(source)}
        return next((name for name in LIFETIMES if name in found), None)

    def characters(self, source: str) -> int:
        """How many characters of the rendered text a source has."""
        return sum(span["end_char"] - span["start_char"] for span in self._spans(source))

    def exercised(self, axis: str) -> bool:
        """Whether an axis was tried: what was never tried is not still."""
        states = {found["axis"]: found["state"] for found in self.data["axes"]}
        return states.get(axis) == "exercised"

    def _spans(self, source: str) -> Iterator[dict[str, Any]]:
        return (span for span in self.data["spans"] if span["source"] == source)


@dataclass(frozen=True, slots=True)
class Example:
    """An example's folder, ready to be run."""

    folder: Path

    def reports(self, prompt: str) -> dict[str, Report]:
        """The prompt's report under each of its models, by the last part of the model's name."""
        found = json.loads(self._promptlint("report", prompt))
        reports = found if isinstance(found, list) else [found]
        return {Path(report["model"]).name: Report(report) for report in reports}

    def report(self, prompt: str) -> Report:
        """The report of a prompt that has one model."""
        (report,) = self.reports(prompt).values()
        return report

    def findings(self) -> list[dict[str, Any]]:
        """The findings of `promptlint check` about all of the example's prompts."""
        return list(json.loads(self._promptlint("check"))["findings"])

    def faults(self) -> list[dict[str, Any]]:
        """The findings that fail a check: warnings and errors."""
        return [finding for finding in self.findings() if finding["severity"] != "info"]

    def _promptlint(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "promptlint", *arguments, "--output-format", "json"]
        ran = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode > 1 or not ran.stdout:
            said = ran.stderr.strip().splitlines() or ["nothing was said"]
            raise ExampleError(f"{' '.join(arguments)}: {said[-1]}")
        return ran.stdout
