"""One story: what a rendering saw move in a line, at the call that reading followed to it.

A rendering knows the line that made a text (`now.strftime(...)`), reading the call that it came
from (`now = datetime.now()`).
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from promptlint.check.merge import file_source
from promptlint.finding import Finding, Related
from promptlint.layout import CauseKind, Span
from promptlint.location import Location
from promptlint.measure.prompt import MeasuredPrompt
from promptlint.source.reading import SourceReading

Kind = tuple[CauseKind, str | None]


def at_the_call(
    rendered: Sequence[Finding], reading: SourceReading, measured: Sequence[MeasuredPrompt]
) -> list[Finding]:
    """The findings of a rendering, moved to the calls that reading found in the same prompt.

    Only where as many calls as lines of one kind are left over: else it is not known which
    call made which line.
    """
    moved: dict[tuple[str | None, Kind, Location], Location] = {}
    for prompt in measured:
        name = prompt.layouts[0].prompt if prompt.layouts else None
        own = [(f.span, f.location) for f in rendered if f.prompt == name and f.span]
        lines, calls = _by_kind(own), _by_kind(_followed(reading, prompt))
        for kind, found in lines.items():
            known = calls.get(kind, [])
            left = [place for place in found if not _stands_in(place, known)]
            free = [place for place in known if not _stands_in(place, found)]
            if len(left) == len(free):
                moved |= {(name, kind, a): b for a, b in zip(left, free, strict=True)}
    return [_moved(finding, moved) for finding in rendered]


def _followed(
    reading: SourceReading, prompt: MeasuredPrompt
) -> Iterable[tuple[Span, Location | None]]:
    """What moves in the prompts of a reading that are made where this one is."""
    for layout in reading.layouts:
        if layout.location is not None and prompt.exercised.called(layout.location):
            for span in layout.moving():
                cause = span.cause
                if cause and cause.location and prompt.exercised.ran(cause.location):
                    yield span, cause.location


def _by_kind(found: Iterable[tuple[Span, Location | None]]) -> dict[Kind, list[Location]]:
    """The places in the order of the prompt, each line once."""
    places: dict[Kind, list[Location]] = {}
    for span, place in found:
        kind = _kind(span)
        if place is None or place.line is None or kind is None:
            continue
        known = places.setdefault(kind, [])
        if not _stands_in(place, known):
            known.append(place)
    return places


def _kind(span: Span) -> Kind | None:
    return (span.cause.kind, file_source(span)) if span.cause else None


def _stands_in(place: Location, places: Iterable[Location]) -> bool:
    return any((place.path, place.line) == (other.path, other.line) for other in places)


def _moved(finding: Finding, moved: dict[tuple[str | None, Kind, Location], Location]) -> Finding:
    kind = _kind(finding.span) if finding.span else None
    place = finding.location
    if kind is None or place is None or (finding.prompt, kind, place) not in moved:
        return finding
    call = moved[finding.prompt, kind, place]
    made = Related("the text was made here", place)
    return replace(finding, location=call, related=(made, *finding.related))
