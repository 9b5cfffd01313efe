"""Reading source without running it: symbolic evaluation of texts into layouts."""

from promptlint.source.reader import read_source
from promptlint.source.reading import FactKind, SourceError, SourceFact, SourceReading
from promptlint.source.tables import Tables, load_tables

__all__ = [
    "FactKind",
    "SourceError",
    "SourceFact",
    "SourceReading",
    "Tables",
    "load_tables",
    "read_source",
]
