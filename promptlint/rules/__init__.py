"""The rules. In a checkout they stand in the folder `rules/` beside the package."""

from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2] / "rules"

if (_CHECKOUT / "README.md").is_file():
    __path__.append(str(_CHECKOUT))
