"""One ask: the builder is called several times in a row on one object."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

from . import normalise, turns
from .failure import RefusedError, describe
from .resolve import Target, import_target
from .sources import Sources
from .watch import Watch


class WorldArgument:
    """What a builder that takes `world` is given.

    `turn` counts the user messages so far and `step` the tool results since the last one.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self.turn: int = fields["turn"]
        self.step: int = fields["step"]
        self.user_message: str = fields["user_message"]
        self.session_id: str = fields["session_id"]
        self.user: str = fields["user"]
        self.tools: list[Any] = fields["tools"]
        self.workspace: str | None = fields["workspace"]
        self.home: str = fields["home"]

    def __repr__(self) -> str:
        return f"world(turn={self.turn}, step={self.step}, user={self.user!r})"


class Ask:
    """The calls of one ask, all on the same object and the same event loop."""

    def __init__(self, module: Any, job: dict[str, Any], sources: Sources, watch: Watch) -> None:
        self._module = module
        self._watch = watch
        self._job = job
        self._sources = sources
        self._target: Target | None = None
        self._tools: list[Any] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._imported: frozenset[str] = frozenset()

    def call(self, world: dict[str, Any]) -> dict[str, Any]:
        """Call once in this world. A failure is an answer too."""
        started = time.perf_counter()
        self._sources.begin(world)
        self._watch.begin(self._job["timeout"])
        try:
            value, tools = self._build(world)
        except BaseException as error:  # noqa: BLE001 - whatever the builder raises is reported
            return {"failed": describe(error)}
        finally:
            self._watch.end()
        return {
            "answer": {
                "value": value,
                "tools": tools,
                "observations": self._sources.recorder.observations(),
                "looked_for": list(self._sources.recorder.looked_for),
                "modules": self._modules(),
                "imported": [name for name in sys.modules if name not in self._imported],
                "executed": self._sources.lines.executed(),
                "takes_world": self._target is not None and self._target.takes_world,
                "seconds": time.perf_counter() - started,
            }
        }

    def _build(self, world: dict[str, Any]) -> tuple[Any, Any]:
        if self._target is None:
            self._imported = frozenset(sys.modules)
            self._target = Target(self._module, self._job["attributes"])
        if self._tools is None:
            self._tools = self._handed_over()
        tools = self._tools[::-1] if world["tool_order"] % 2 else list(self._tools)
        session = self._sources.identifiers.session
        argument = WorldArgument(
            {**self._job["world"], **world, "session_id": session, "tools": tools}
        )
        built = self._target.call(argument)
        if world["clock_between_turns"] is not None:
            built = turns.changed(built, lambda: self._sources.go_on(world["clock_between_turns"]))
        return normalise.plain(built, self._wait), normalise.plain(tools, self._wait)

    def _handed_over(self) -> list[Any]:
        """The tools of the configuration: data, or what a target of its own gives."""
        named = self._job["tools_target"]
        if named is None:
            return list(self._job["tools"])
        module = import_target(named["module"], named["path"], self._job["folders"])
        tools = Target(module, named["attributes"]).call(None)
        if asyncio.iscoroutine(tools):
            tools = self._wait(tools)
        if isinstance(tools, dict):
            tools = list(tools.values())
        if not isinstance(tools, (list, tuple)):
            raise RefusedError(
                "target", f"the tools target gave {type(tools).__name__}, not a list"
            )
        return list(tools)

    def _wait(self, awaitable: Any) -> Any:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)

        async def wrap() -> Any:
            return await awaitable

        return self._loop.run_until_complete(wrap())

    def _modules(self) -> list[str]:
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        frames = self._sources.recorder.frames
        return sorted({file for file in files if isinstance(file, str) and frames.is_users(file)})
