"""Which distribution an installed file belongs to."""

from functools import cache
from importlib.metadata import distributions
from pathlib import Path

_FOLDERS = ("site-packages", "dist-packages")


@cache
def installed_name(path: str) -> str | None:
    """`distribution:path` of a file below a site-packages folder, else None."""
    parts = Path(path).parts
    place = max((i for i, part in enumerate(parts) if part in _FOLDERS), default=None)
    if place is None or place + 1 >= len(parts):
        return None
    site, inside = str(Path(*parts[: place + 1])), "/".join(parts[place + 1 :])
    owner = _owners(site).get(inside) or inside.partition("/")[0].removesuffix(".py")
    return f"{owner}:{inside}"


@cache
def _owners(site: str) -> dict[str, str]:
    """The distribution of each file that the records of a site-packages folder list."""
    owners: dict[str, str] = {}
    for distribution in distributions(path=[site]):
        record = distribution.read_text("RECORD") or ""
        # Read line by line: a path with a comma or a quote is no Python file.
        files = (line.partition(",")[0] for line in record.splitlines())
        owners.update(dict.fromkeys(files, distribution.metadata["Name"]))
    return owners
