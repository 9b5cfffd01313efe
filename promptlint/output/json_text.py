"""Data as JSON: in its own letters, but nothing that hides or turns around what is read."""

import json
import re
from typing import Any

from promptlint.secrets import masked

_HIDDEN = re.compile(r"[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]")


def json_text(data: Any) -> str:
    """The data as indented JSON; keys are masked, and what cannot be seen is escaped."""
    written = masked(json.dumps(data, indent=2, ensure_ascii=False))
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", written) + "\n"
