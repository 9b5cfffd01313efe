"""What commands print."""

from __future__ import annotations

import asyncio.subprocess
import os
import shlex
import subprocess
from typing import Any

from .observe import Recorder

_COMMAND_LIMIT = 500  # characters


def install(recorder: Recorder) -> None:
    """Record the output that `subprocess`, asyncio and `os.popen` hand to the builder."""
    communicate = subprocess.Popen.communicate
    late_communicate = asyncio.subprocess.Process.communicate
    popen: Any = os.popen  # type: ignore[deprecated]

    def patched_communicate(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = communicate(self, *args, **kwargs)
        _record(recorder, self.args, result[0])
        return result

    async def patched_late_communicate(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = await late_communicate(self, *args, **kwargs)
        process = self._transport.get_extra_info("subprocess")
        _record(recorder, getattr(process, "args", ""), result[0])
        return result

    def patched_popen(cmd: str, mode: str = "r", buffering: int = -1) -> Any:
        stream: Any = popen(cmd, mode, buffering)
        stream.command = cmd
        return stream

    def read(self: Any, *args: Any) -> Any:
        text = self._stream.read(*args)
        _record(recorder, self.command, text)
        return text

    subprocess.Popen.communicate = patched_communicate  # type: ignore[method-assign]
    asyncio.subprocess.Process.communicate = patched_late_communicate  # type: ignore[method-assign]
    os.popen = patched_popen
    os._wrap_close.read = read  # type: ignore[method-assign]


def _record(recorder: Recorder, arguments: Any, output: Any) -> None:
    text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
    if isinstance(text, str):
        recorder.record("process", _command(arguments), text)


def _command(arguments: Any) -> str:
    if isinstance(arguments, (str, bytes, os.PathLike)):
        return os.fsdecode(arguments)[:_COMMAND_LIMIT]
    return shlex.join(os.fsdecode(part) for part in arguments)[:_COMMAND_LIMIT]
