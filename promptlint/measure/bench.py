"""The user's builder, started in worlds: answers become shots."""

from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from promptlint.bodies.returned import requests_from_returned
from promptlint.bodies.tools import tools_from
from promptlint.builders.answer import Answer
from promptlint.builders.error import BuilderError
from promptlint.builders.process import BuilderProcess
from promptlint.builders.settings import BuilderSettings
from promptlint.measure.shot import Shot, completed
from promptlint.worlds.world import World


class BuilderBench:
    """Starts the builder in one world after the other. A context manager.

    The processes that are compared share one scratch folder, whose path shows in prompts,
    so starting one ends the one before. Raises BuilderError and BodyError.
    """

    def __init__(self, settings: BuilderSettings) -> None:
        self._settings = settings
        self._process: BuilderProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._end()

    def start(self, world: World) -> "BenchProcess":
        """A new process in this world."""
        self._end()
        started = monotonic()
        self._process = BuilderProcess(self._settings, world)
        self._process.__enter__()
        return BenchProcess(self._process, started)

    def traced(self) -> Answer | None:
        """One call in the base world with the lines that ran, in a process of its own."""
        self._end()
        try:
            with BuilderProcess(replace(self._settings, trace=True)) as process:
                return process.ask([World()])[0]
        except BuilderError:
            return None  # too slow when it is traced: nothing is known then

    def _end(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


class BenchProcess:
    """A process in which the builder's module was imported.

    `seconds` is how long the import and the first call took.
    """

    def __init__(self, process: BuilderProcess, started: float) -> None:
        self._process = process
        self._started = started
        self.seconds = 0.0
        self._answer: Answer | None = None

    def ask(self, calls: Sequence[World]) -> tuple[Shot, ...]:
        """Make these calls in order on one new object."""
        answers = self._process.ask(calls)
        self.seconds = self.seconds or monotonic() - self._started
        self._answer = answers[-1]
        return tuple(_shot(world, answer) for world, answer in zip(calls, answers, strict=True))

    def learn(self) -> None:
        """Import what the first call imported lazily, so that later calls need not do it again."""
        self._process.learn()

    @property
    def answer(self) -> Answer:
        """The newest answer, with what the worker told besides the prompt."""
        assert self._answer is not None, "nothing was asked yet"
        return self._answer


def _shot(world: World, answer: Answer) -> Shot:
    tools = tools_from(answer.tools) if isinstance(answer.tools, list) else ()
    requests = tuple(completed(request, tools) for request in requests_from_returned(answer.value))
    return Shot(world, requests, answer.observations)
