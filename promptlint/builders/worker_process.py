"""One worker below its supervisor: started, spoken to, ended with all it has started."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from promptlint.builders.channel import Channel, Message
from promptlint.builders.error import BuilderError, FailureKind

_START = Path(__file__).with_name("start.py")
_ENDING = 10.0  # seconds in which a supervisor must have ended everything


class WorkerGoneError(Exception):
    """The worker, or the fork that answers an ask, has ended: `status` as `waitpid` gives it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class WorkerProcess:
    """A running worker."""

    def __init__(
        self,
        interpreter: Path,
        folder: Path,
        environment: Mapping[str, str],
        confinement: Mapping[str, Any],
    ) -> None:
        job_read, job_write = os.pipe()
        answer_read, answer_write = os.pipe()
        event_read, event_write = os.pipe()
        output_read, output_write = os.pipe()
        passed = (job_read, answer_write, output_write)
        job = {
            **confinement,
            "folder": str(folder),
            "command": [
                *(str(interpreter), "-B", str(_START), "worker"),
                *(str(job_read), str(answer_write)),
            ],
            "descriptors": [job_read, answer_write],
            "output": output_write,
        }
        self._supervisor = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", str(_START), "supervisor", json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=event_write,
            env=dict(environment),
            pass_fds=passed,
            start_new_session=True,
        )
        for descriptor in (*passed, event_write):
            os.close(descriptor)
        self._interpreter = interpreter
        self._channel = Channel(job_write, answer_read, event_read, output_read)

    def confinement(self) -> tuple[str, ...]:
        """What confines the worker. Raises BuilderError where its program cannot be started."""
        _, outcome = self._channel.receive(_ENDING)
        if "error" in outcome:
            cause = f"{self._interpreter} cannot be started: {outcome['error']}"
            raise BuilderError(FailureKind.INTERPRETER, cause)
        return tuple(outcome["means"])

    @property
    def printed(self) -> str:
        """The end of what the builder printed."""
        return self._channel.printed

    def send(self, message: Message) -> None:
        """Send a message to the worker."""
        self._channel.send(message)

    def receive(self, seconds: float) -> Message:
        """The worker's next message. Raises TimeoutError, or WorkerGoneError if none will come."""
        origin, message = self._channel.receive(seconds)
        if origin == "supervisor":
            raise WorkerGoneError(message["exit"])
        if "ended" in message:
            raise WorkerGoneError(message["ended"])
        return message

    def keep(self) -> None:
        """Spare what runs now from `clean`: it was started by the import."""
        self._command(b"k")

    def clean(self) -> None:
        """Kill whatever was started since `keep`, forks that hang included."""
        self._command(b"c")
        while True:
            _, message = self._channel.receive(_ENDING)
            if "cleaned" in message:
                return

    def stop(self) -> None:
        """End the worker and everything that descends from it."""
        assert self._supervisor.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._supervisor.stdin.close()
        self._supervisor.wait(_ENDING)
        self._channel.close()

    def _command(self, command: bytes) -> None:
        assert self._supervisor.stdin is not None
        self._supervisor.stdin.write(command)
        self._supervisor.stdin.flush()
