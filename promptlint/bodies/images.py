"""Which parts of a prompt that are no text are images: the name of each differs by format."""

from collections.abc import Mapping

_KINDS = frozenset({"computer_screenshot", "image", "image_url", "input_image"})
_MEDIA_TYPES = ("media_type", "mimeType", "mime_type")
_WITHIN = (
    "content",
    "fileData",
    "file_data",
    "guardContent",
    "inlineData",
    "inline_data",
    "source",
)
"""The fields of a part that hold its data, or parts of their own."""


def is_image(kind: str, content: object) -> bool:
    """Whether a part of that kind is an image, or holds one: a document may."""
    return kind in _KINDS or _has_image(content)


def _has_image(content: object) -> bool:
    if isinstance(content, list):
        return any(map(_has_image, content))
    if not isinstance(content, Mapping):
        return False
    return (
        str(content.get("type")) in _KINDS
        or not _KINDS.isdisjoint(content)
        or any(str(content.get(name)).startswith("image/") for name in _MEDIA_TYPES)
        or any(_has_image(content.get(name)) for name in _WITHIN)
    )
