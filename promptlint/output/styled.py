"""Lines of styled pieces, printed so that text stays text."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def print_lines(screen: "Console", lines: Iterable[tuple[tuple[str, str], ...]]) -> None:
    """Print lines; on a narrow terminal they wrap, and nothing in them is read as markup."""
    from rich.text import Text

    for line in lines:
        screen.print(Text.assemble(*line))
