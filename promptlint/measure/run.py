"""A prompt that was run in its worlds, by a Python builder or by a command."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field

from promptlint.config import Config, PromptConfig
from promptlint.layout import Rebuilt
from promptlint.location import Location
from promptlint.measure.exercised import Exercised
from promptlint.measure.measurement import Measurement
from promptlint.request import Request
from promptlint.sections.find import Knowledge

_COPIED = ("workspace", "home")


class PromptError(Exception):
    """A prompt that could not be checked. One line: the prompt, then the cause."""

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback


class Run(Struct, frozen=True):
    """What was tried on a prompt, and what is known about it besides.

    `requests` are one session's, in time order. `turns_measured` says that its turns were
    seen, `base_time` is the time of the base world, `exercised` what was tried.
    """

    measurement: Measurement
    requests: tuple[Request, ...]
    base_time: datetime
    knowledge: Knowledge
    location: Location
    rebuilt: Rebuilt | None
    turns_measured: bool
    notes: Sequence[str] = ()
    exercised: Exercised = field(default_factory=Exercised)


def copied_folders(prompt: PromptConfig, config: Config) -> Mapping[str, Path]:
    """The folders that are copied for each world, by their roots' names."""
    return {
        name: config.base / folder
        for name in _COPIED
        if (folder := getattr(prompt, name)) is not None
    }
