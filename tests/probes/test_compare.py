"""One prompt under several models: what each axis loses, and where the models differ."""

from msgspec.structs import replace

from promptlint.layout import Axis, Scope, Source
from promptlint.probes.compare import ComparedModels, lost_per_axis, order_divergences
from promptlint.sketch import layout, moving, still

CLOCK = moving(Source.TIMESTAMP, 12, Axis.MINUTE, Axis.DAY)
BEHIND = replace(
    layout(still(Source.BASE, 900), CLOCK, still(Source.TOOLS, 3000)), model="tools behind"
)
FIRST = replace(
    layout(still(Source.TOOLS, 3000), still(Source.BASE, 900), CLOCK), model="tools first"
)


def test_the_worst_of_an_axis_counts() -> None:
    lost = lost_per_axis(BEHIND)

    assert lost[Axis.MINUTE, Scope.WITHIN] == (3000, True)
    assert lost_per_axis(FIRST)[Axis.MINUTE, Scope.WITHIN] == (0, True)


def test_models_differ_where_one_prints_the_tools_behind_the_clock() -> None:
    found = order_divergences(ComparedModels((BEHIND, FIRST)), threshold=256)

    assert [(made.axis, made.span.section, made.lost) for made in found] == [
        (Axis.MINUTE, "timestamp", (3000, 0)),
        (Axis.DAY, "timestamp", (3000, 0)),
    ]
    assert found[0].models == ("tools behind", "tools first")
    assert found[0].difference == 3000


def test_models_that_agree_are_not_reported() -> None:
    assert order_divergences(ComparedModels((BEHIND, BEHIND)), threshold=1) == ()
    assert order_divergences(ComparedModels((BEHIND, FIRST)), threshold=4000) == ()
    assert order_divergences(ComparedModels((BEHIND,)), threshold=1) == ()
