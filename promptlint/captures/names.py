"""Which files are captured requests: their names say so."""

from pathlib import Path

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")


def is_capture(path: Path) -> bool:
    """Whether a file is read as captured requests, by its name."""
    return path.name.endswith(_SUFFIXES)
