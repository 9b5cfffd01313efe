"""What a builder gave in one world, and where its text came from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from promptlint.builders.installed import installed_name
from promptlint.location import Location
from promptlint.request import Json
from promptlint.sections.literals import Module
from promptlint.worlds.observation import Observation, ObservationKind, Phase


class Answer(Struct, frozen=True):
    """What one call of the builder gave.

    `value` is plain data. `{"tuple": [...]}` was a tuple, `{"sequence": [...]}` a
    generator, an iterator or a set (at most 64 items), `{"unsupported": "module.Class"}`
    an object that is no data. `tools` are the tools that were handed over, in this
    world's order. `observations` are those of the import and of this call.
    `looked_for` are files that were looked for in vain, written as an observation's key.
    `modules` are the files of the project and its libraries that were loaded.
    `executed` are the lines of the project that ran so far, `import_lines` those that the
    import ran; None before Python 3.12 unless they were asked for.
    `takes_world` says that the builder asked for the world. `isolation` names the means in
    force; `fresh_process` says why the call ran in a process of its own ("" if in a fork).
    """

    value: Json
    tools: Json = None
    observations: tuple[Observation, ...] = ()
    looked_for: tuple[str, ...] = ()
    modules: tuple[Module, ...] = ()
    executed: Mapping[str, frozenset[int]] | None = None
    import_lines: Mapping[str, frozenset[int]] | None = None
    takes_world: bool = False
    isolation: tuple[str, ...] = ()
    fresh_process: str = ""
    seconds: float = 0.0


class Paths:
    """Turns the worker's absolute paths into the names that people know."""

    def __init__(self, roots: Mapping[str, str], bases: tuple[str, ...], hidden: str) -> None:
        self._roots = roots
        self._bases = bases
        self._hidden = hidden

    def key(self, path: str) -> str:
        """`root:path` for a path below a known folder, `distribution:path` of an installed file."""
        for name, root in self._roots.items():
            if path == root or path.startswith(root + "/"):
                return f"{name}:{path[len(root) + 1 :] or '.'}"
        return installed_name(path) or self.text(path)

    def text(self, text: str) -> str:
        """A text without the scratch folder's name: `/srv/project` instead of a temporary path."""
        return text.replace(self._hidden, "")

    def relative(self, path: str) -> str:
        """A source file relative to the config file's folder, or as `distribution:path`."""
        for base in self._bases:
            if path.startswith(base + "/") and "/site-packages/" not in path:
                return path[len(base) + 1 :]
        return installed_name(path) or self.text(path)

    def module(self, path: str) -> Module:
        """A loaded file: where it stands for good, and its name."""
        shown = self.relative(path)
        copy = next((base for base in self._bases if path.startswith(f"{base}/")), None)
        kept = Path(path) if copy is None else Path(self._bases[-1], path[len(copy) + 1 :])
        return Module(kept, shown)

    def executed(self, lines: Mapping[str, list[int]] | None) -> dict[str, frozenset[int]] | None:
        """The lines that ran, by the files' names."""
        if lines is None:
            return None
        return {self.relative(path): frozenset(numbers) for path, numbers in lines.items()}

    def data(self, value: Any) -> Any:
        """Plain data with every text rewritten."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.data(item) for key, item in value.items()}
        return value

    def location(self, place: Mapping[str, Any] | None) -> Location | None:
        """A worker's place as a location."""
        if place is None:
            return None
        return Location(
            self.relative(place["path"]),
            place["line"],
            place.get("column"),
            place.get("end_line"),
            place.get("end_column"),
        )

    def observation(self, data: Mapping[str, Any]) -> Observation:
        """A worker's observation."""
        kind = ObservationKind(data["kind"])
        named_by_path = kind in (ObservationKind.FILE, ObservationKind.LISTING)
        phase = Phase(data["phase"])
        return Observation(
            kind=kind,
            key=self.key(data["key"]) if named_by_path else self.text(data["key"]),
            value=self.text(data["value"]),
            location=self.location(data["location"]),
            library_location=self.location(data["library_location"]),
            phase=phase,
            call=data["call"] if phase is Phase.CALL else -1,
            sequence=data["sequence"],
        )
