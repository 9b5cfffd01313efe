"""What a reader of captured requests has to know about them."""

from collections.abc import Sequence

from promptlint.captures.kept_history import kept_history_notes
from promptlint.captures.read import CapturedRequest
from promptlint.captures.unknown_fields import unknown_field_notes


def capture_notes(captured: Sequence[CapturedRequest]) -> tuple[str, ...]:
    """What is not in the capture, and what of it was not read: a sentence each."""
    return (*kept_history_notes(captured), *unknown_field_notes(captured))
