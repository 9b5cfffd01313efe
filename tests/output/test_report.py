from io import StringIO

from msgspec.structs import replace

from promptlint.cost import costs
from promptlint.layout import (
    Axis,
    AxisReport,
    AxisState,
    CauseKind,
    Layout,
    Source,
)
from promptlint.output.report import report_lines
from promptlint.output.styled import write_lines
from promptlint.sketch import layout, moving, still


def _printed(given: Layout) -> str:
    file = StringIO()
    write_lines(report_lines(given, costs(given)), file)
    return file.getvalue()


def _sentences(given: Layout) -> str:
    return " ".join(_printed(given).split())


_CODER = replace(
    layout(
        still(Source.TEMPLATE, 19),
        still(Source.BASE, 1204),
        moving(Source.PROJECT, 612, Axis.EDIT_PROJECT, kind=CauseKind.FILE),
        moving(
            Source.MEMORY,
            148,
            Axis.MID_SESSION_EDIT,
            Axis.EDIT_MEMORY,
            kind=CauseKind.FILE,
            texts=("use pytest -q", "run tests with tox"),
        ),
        moving(
            Source.TIMESTAMP,
            12,
            Axis.MINUTE,
            Axis.HOUR,
            kind=CauseKind.CLOCK,
            texts=("12:10", "12:11"),
        ),
        still(Source.TOOLS, 3391),
        still(Source.USER, 26),
    ),
    text="x" * 4 * 1835 + "\x1b[31m" + "x" * 20000,
    axes=(
        AxisReport(Axis.MINUTE, AxisState.EXERCISED),
        AxisReport(Axis.TOOL_ORDER, AxisState.NOT_EXERCISED, "no tools are handed over"),
    ),
)

_GOLDEN = """\
coder · Qwen/Qwen3-8B · 5,412 tokens
this template prints the tools after the system text · longest common prefix
  assumed
██████████████████▓▓▓▓▓▓▓▓▓░░███████████████████████████████████████████████████
  # section    tokens share  lifetime  moves on                    from
  1 template       19    0%  static                                chat template
  2 base        1,204   22%  static
  3 project       612   11%  edit      edit-project                …/prompt.py:7
  4 memory        148    3%  turn      mid-session-edit, edit-me…  …rompt.py:7 ◀
  5 timestamp      12    0%  turn      minute                      …/prompt.py:7
  6 tools       3,391   63%  static
  7 user           26    0%  static
"""


def test_the_report_is_what_people_show_each_other() -> None:
    printed = _printed(_CODER)
    assert printed.splitlines(keepends=True)[:12] == _GOLDEN.splitlines(keepends=True)


def test_no_line_is_wider_than_80_columns() -> None:
    assert all(len(line) <= 80 for line in _printed(_CODER).splitlines())


def test_the_report_says_what_is_stable_and_what_was_not_tried() -> None:
    printed = _sentences(_CODER)
    assert "Stable within a session: 1,835 of 5,412 tokens (33%)" in printed
    assert "between sessions: 1,223 (22%), or 1,835 while project is not edited." in printed
    assert "⟨use pytest -q⟩ → ⟨run tests with tox⟩" in printed
    assert "Not exercised: tool-order (no tools are handed over)." in printed


def test_no_byte_of_a_prompt_reaches_the_terminal_raw() -> None:
    assert "\x1b" not in _printed(_CODER)


def test_a_still_prompt_costs_nothing() -> None:
    assert "Nothing of it is ever recomputed." in _printed(layout(still(Source.BASE, 10)))


def test_markup_in_names_stays_text() -> None:
    given = replace(_CODER, prompt="[bold]x[/bold] :smile:")
    assert "[bold]x[/bold] :smile:" in _printed(given)
