"""A builder that only adapts an installed agent, whose own lines say more than the adapter's."""

from collections.abc import Sequence

from msgspec.structs import replace

from promptlint.layout import Source, Span


def with_library_lines(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans with the library's line as the place of each cause, where the agent is installed.

    The adapter's line stays on the trail.
    """
    if not _is_installed(spans):
        return tuple(spans)
    return tuple(map(_with_library_line, spans))


def _is_installed(spans: Sequence[Span]) -> bool:
    """Whether most of the base text comes from installed packages (`distribution:path`)."""
    tokens = {True: 0, False: 0}
    for span in spans:
        if span.source == Source.BASE and span.origin is not None:
            tokens[":" in span.origin.path] += span.tokens
    return tokens[True] > tokens[False]


def _with_library_line(span: Span) -> Span:
    cause = span.cause
    if cause is None or not cause.trail or cause.location is None:
        return span
    library, *others = cause.trail
    return replace(
        span,
        cause=replace(cause, location=library, trail=(cause.location, *others)),
        origin=library if span.origin == cause.location else span.origin,
    )
