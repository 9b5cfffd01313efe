"""One state of everything outside the builder, as a patch on the base world."""

from enum import StrEnum

from msgspec import Struct


class EditKind(StrEnum):
    """What happens to a file between two renderings."""

    EDIT = "edit"
    CREATE = "create"
    REMOVE = "remove"


class Edit(Struct, frozen=True):
    """A change to one file of the copied workspace or home.

    `root` is `workspace` or `home`, `path` is relative to it. `marker` is a
    unique text that an edit writes into the file, so that it can be recognised
    in the prompt. `text` is the whole new text where it is known beforehand.
    """

    root: str
    path: str
    kind: EditKind
    marker: str = ""
    text: str | None = None


class World(Struct, frozen=True):
    """What the builder meets. The default values are the base world.

    `clock` is seconds after the base time. The seeds choose between worlds of
    one kind: 0 is the base. `listing` 1 reverses directory listings. `machine` 1
    is another host name, locale, time zone and working directory; `user` 1 is
    another HOME and user name. `turn` and `step` count the user messages and the
    tool results so far; `query` 1 is another user message in the same turn. With
    `between_turns` the clock goes on only when a builder that yields its turns has
    yielded the first.
    """

    clock: float = 0.0
    hash_seed: int = 0
    identifiers: int = 0
    listing: int = 0
    tool_order: int = 0
    user: int = 0
    machine: int = 0
    git: int = 0
    model: int = 0
    turn: int = 0
    step: int = 0
    query: int = 0
    between_turns: bool = False
    edits: tuple[Edit, ...] = ()
