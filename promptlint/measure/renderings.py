"""Requests rendered under one model, each of them once."""

from datetime import datetime, timedelta

from msgspec import Struct, field

from promptlint.models.model import Model
from promptlint.render import Rendered, render
from promptlint.request import Request
from promptlint.sections.find import Knowledge
from promptlint.worlds.units import Unit, UnitKey, units


class Renderings(Struct):
    """The requests of one measurement rendered under one model, each of them once.

    `now` is the time of the base world; the template's own clock is tried apart.
    """

    model: Model
    now: datetime
    knowledge: Knowledge
    _rendered: dict[tuple[int, float], tuple[Rendered, dict[UnitKey, Unit]]] = field(
        default_factory=dict
    )

    def render(
        self, request: Request, clock: float = 0.0, *, count_tokens: bool = False
    ) -> tuple[Rendered, dict[UnitKey, Unit]]:
        """The rendering of a request and its units, `clock` seconds after the base time.

        Only the rendering that becomes the layout needs tokens; it is asked for first.
        """
        key = (id(request), clock)
        if key not in self._rendered:
            now = self.now + timedelta(seconds=clock)
            rendered = render(request, self.model, now, count_tokens=count_tokens)
            self._rendered[key] = rendered, units(rendered.text, rendered.runs)
        return self._rendered[key]
