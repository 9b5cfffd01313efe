"""What a worker is told: once when it starts, and before each call."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.scratch import Scratch
from promptlint.builders.settings import BuilderSettings
from promptlint.builders.supervisor.namespaces import NETWORK
from promptlint.builders.target import Target, parse_target
from promptlint.request import Json
from promptlint.worlds.world import World

USER_MESSAGES = (
    "Please find out why the test fails, and fix it.",
    "Thanks. Now write a line about it into the changelog.",
    "Good. What else should be looked at?",
)


def call_fields(index: int, world: World) -> dict[str, Any]:
    """A world as the worker sets it before the call with this number."""
    return {
        "index": index,
        "clock": 0.0 if world.between_turns else world.clock,
        "clock_between_turns": world.clock if world.between_turns else None,
        "identifiers": world.identifiers,
        "listing": world.listing,
        "tool_order": world.tool_order,
        "turn": world.turn,
        "step": world.step,
        "user_message": USER_MESSAGES[(world.turn + world.query) % len(USER_MESSAGES)],
    }


class Job:
    """The first message to a worker. Raises BuilderError where the settings name nothing."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._base = scratch.settings.base.resolve()
        self._target = parse_target(scratch.settings.target, self._base)
        self._tools, self._tools_target = _tools(scratch.settings)

    def message(self, means: Sequence[str]) -> dict[str, Any]:
        """Everything that the worker needs to know, given the `means` that confine it."""
        scratch, settings = self._scratch, self._scratch.settings
        return {
            **self._named(self._target),
            "folders": self._import_folders(),
            "project": self._project(),
            "roots": [str(folder) for folder in (scratch.folder, scratch.home, scratch.base)],
            "writable": [str(scratch.path)],
            "network": settings.network,
            "own_loopback": NETWORK in means,
            "timeout": settings.timeout,
            "import_timeout": settings.import_timeout,
            "hang": str(scratch.hang),
            "trace": settings.trace,
            "base_time": settings.base_time.timestamp(),
            "tools": self._tools,
            "tools_target": self._tools_target and self._named(self._tools_target),
            "machine": {
                "node": scratch.machine.node,
                "release": scratch.machine.release,
                "version": scratch.machine.version,
                "folder": str(scratch.alias) if scratch.alias else "",
            },
            "world": {
                **call_fields(-1, scratch.world),
                "user": scratch.user,
                "workspace": str(scratch.folder),
                "home": str(scratch.home),
            },
        }

    def _named(self, target: Target) -> dict[str, Any]:
        path = str(self._scratch.in_world(target.path)) if target.path else None
        return {"module": target.module, "path": path, "attributes": list(target.attributes)}

    def _import_folders(self) -> list[str]:
        base = self._scratch.base
        return [str(folder) for folder in (base, base / "src") if folder.is_dir()]

    def _project(self) -> list[str]:
        """The folders whose code is the user's own, as they are and as they are copied."""
        folders = [self._base]
        if self._target.path is not None and not self._target.path.is_relative_to(self._base):
            folders.append(self._target.path.parent)
        found: list[Path] = [*map(self._scratch.in_world, folders), *folders]
        return [str(folder) for folder in dict.fromkeys(found)]


def _tools(settings: BuilderSettings) -> tuple[list[Json], Target | None]:
    """The tools as data, or the target that gives them."""
    if isinstance(settings.tools, str):
        return [], parse_target(settings.tools, settings.base.resolve())
    if settings.tools is None or isinstance(settings.tools, list):
        return settings.tools or [], None
    raise BuilderError(FailureKind.TARGET, "tools: neither a list nor the name of a target")
