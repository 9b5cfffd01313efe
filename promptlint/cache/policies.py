"""The policies by name, read from `policies.toml`."""

import difflib
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from promptlint.cache.policy import (
    Automatic,
    Certainty,
    Evidence,
    Generated,
    Match,
    Minimum,
    Normalisation,
    Policy,
    StoreKind,
    TimeToLive,
    UsageFields,
)


class PolicyError(Exception):
    """A policy that does not exist or is not well formed. The message is one line."""


def policy(name: str) -> Policy:
    """The policy of that name.

    Raises:
        PolicyError: there is none; the message names the nearest.
    """
    known = policies()
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.3)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    raise PolicyError(f"no cache policy is named `{name}`{hint}")


@cache
def policies() -> Mapping[str, Policy]:
    """All policies by name, in the order of the file."""
    return load_policies(files("promptlint.cache").joinpath("policies.toml").read_text("utf-8"))


def load_policies(text: str) -> dict[str, Policy]:
    """The policies of a TOML text.

    Raises:
        PolicyError: the text is no TOML, or a policy has an unknown or missing field.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"policies: {error}") from error
    return {name: _policy(name, _inherited(name, tables, ())) for name in tables}


def _inherited(name: str, tables: dict[str, Any], heirs: tuple[str, ...]) -> dict[str, Any]:
    """The table of a policy, filled up from the ones it inherits from."""
    if name not in tables:
        raise PolicyError(f"policy `{heirs[-1]}`: it inherits from `{name}`, which does not exist")
    if name in heirs:
        raise PolicyError(f"policy `{name}`: it inherits from itself")
    own = dict(tables[name])
    parent = own.pop("inherits", None)
    return {**_inherited(parent, tables, (*heirs, name)), **own} if parent else own


def _policy(name: str, table: dict[str, Any]) -> Policy:
    """One policy from its table."""
    _check_keys(name, table)
    try:
        return Policy(name=name, **{key: _value(key, raw) for key, raw in table.items()})
    except (TypeError, ValueError, KeyError) as error:
        raise PolicyError(f"policy `{name}`: {error}") from error


def _check_keys(name: str, table: dict[str, Any]) -> None:
    known = {*Policy.__struct_fields__} - {"name"}
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.0)[0]
            raise PolicyError(f"policy `{name}`: unknown field `{key}`; did you mean `{near}`?")
    for key in ("match", "store", "certainty", "evidence"):
        if key not in table:
            raise PolicyError(f"policy `{name}`: the field `{key}` is missing")


def _value(key: str, raw: Any) -> Any:
    """A field's value from its TOML value."""
    if key in _ENUMS:
        return _ENUMS[key](raw)
    if key in ("order", "namespace", "notes", "lifetime_fields"):
        return tuple(raw)
    if key == "evidence":
        return tuple(Evidence(**entry) for entry in raw)
    if key == "minimums":
        return {m: tuple(Minimum(**entry) for entry in entries) for m, entries in raw.items()}
    if key == "lifetimes":
        return {lifetime: TimeToLive(**entry) for lifetime, entry in raw.items()}
    if key == "invalidates":
        return {part: tuple(names) for part, names in raw.items()}
    if key == "normalises":
        return frozenset(Normalisation(entry) for entry in raw)
    if key == "usage":
        paths = {f: tuple(names) for f, names in raw.items() if f != "inclusive"}
        return UsageFields(**paths, inclusive=raw.get("inclusive", True))
    return raw


_ENUMS: dict[str, type[StrEnum]] = {
    "match": Match,
    "store": StoreKind,
    "certainty": Certainty,
    "automatic": Automatic,
    "generated": Generated,
}
