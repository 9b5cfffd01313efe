"""What looks like a key, as issuers write theirs: a known prefix and a long random tail."""

import re
from collections.abc import Callable

_KEY = re.compile(
    r"\b(?:sk-(?:ant-|proj-|or-)?|gh[pousr]_|github_pat_|glpat-|hf_|xox[abprs]-|AKIA|AIza|npm_"
    r"|pypi-)[A-Za-z0-9_\-]{16,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+"
)


def without_keys(text: str, shown: Callable[[str], str]) -> str:
    """The text with every key replaced by what `shown` makes of it."""
    return _KEY.sub(lambda match: shown(match[0]), text)
