"""The regular expressions of the tables, each compiled when it is first searched for.

Compiling all of them takes as long as evaluating a file, and most files need few.
"""

import re

from msgspec import Struct


class Pattern(Struct):
    """A regular expression, searched for and never matched in full."""

    written: str
    _compiled: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """The first place in the text that it fits, if any. Raises re.error."""
        if self._compiled is None:
            self._compiled = re.compile(self.written)
        return self._compiled.search(text)
