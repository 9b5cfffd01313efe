"""A clock that could not be changed (a database, a program) betrays itself by today's real date."""

from collections.abc import Iterator
from datetime import date

from promptlint.layout import Layout, Source

_FORMATS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%B {day}, %Y",
    "{day} %B %Y",
    "%d %b %Y",
    "%a %b %d %Y",
    "%d.%m.%Y",
    "%m/%d/%Y",
)

# Files and literals may well quote today's date: somebody wrote it there.
_QUOTING = frozenset(
    {Source.BASE, Source.PROJECT, Source.MEMORY, Source.SKILLS, Source.TOOLS, Source.TEMPLATE}
)


def missed_clock(layout: Layout, today: date, base: date) -> Iterator[str]:
    """A note for each span that shows today's real date although the base world has another one."""
    if today == base:
        return
    shown = {today.strftime(form.format(day=today.day)) for form in _FORMATS}
    for span in layout.spans:
        text = layout.text[span.start_char : span.end_char]
        if span.source not in _QUOTING and any(form in text for form in shown):
            yield (
                f"{span.section} shows today's real date at token {span.start_token:,}: "
                "a clock that could not be changed (a database, a child process)"
            )
