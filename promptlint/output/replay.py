"""A replay for people: a row and a bar per request, what broke, and the sums."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from textwrap import wrap

from promptlint.cache.predict import Prediction
from promptlint.cache.prices import Cost
from promptlint.cache.replay import Replay, ReplayTurn, Total
from promptlint.cache.token_range import TokenRange
from promptlint.cache.usage import Usage
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.divergence import Divergence
from promptlint.captures.memory import MemoryState
from promptlint.finding import Finding
from promptlint.layout import Source
from promptlint.output.concise import finding_line
from promptlint.output.plain import excerpt, one_line
from promptlint.output.report import WIDTH
from promptlint.output.styled import SEVERITY_STYLES, Line
from promptlint.phrases import count

_READ, _WRITTEN, _UNCACHED = ("█", "green"), ("▓", "yellow"), ("░", "red")
_COLUMN, _COST_COLUMN = 9, 11
_COST = "cost"
_VALUE = 30
_CONTEXT = 12
_LANE = 56
_LABEL = 20
_UNKNOWN = "-"
_PART = {"tools": "tools", "system": "system text", "messages": "messages", "template": "template"}

Variant = tuple[str, Replay]
"""A `--what-if` as the user wrote it, and what came of it."""


def replay_lines(
    replay: Replay,
    variants: Sequence[Variant],
    memory: Mapping[str, Sequence[MemoryState]],
    findings: Sequence[Finding],
) -> Iterator[Line]:
    """One replay, at most 80 columns wide."""
    yield from _head(replay)
    yield from _table(replay)
    yield from _totals(replay.total, variants)
    for conversation, states in memory.items():
        yield from _lanes(conversation, states)
    for finding in findings:
        yield from _sentence(finding_line(finding), SEVERITY_STYLES[finding.severity])
    for note in replay.notes:
        yield from _sentence(f"Note: {note}.", "dim")
    for name, changed in variants:
        for note in changed.notes:
            if note not in replay.notes:
                yield from _sentence(f"Note, if {name}: {note}.", "dim")


def _head(replay: Replay) -> Iterator[Line]:
    requests = count(len(replay.turns), "request")
    facts = f"{requests} · {one_line(replay.model)} · cache {one_line(replay.policy.name)}"
    yield ((facts, "bold"),)
    key = [(_READ, "read"), (_WRITTEN, "written"), (_UNCACHED, "paid in full")]
    pieces = [((f"{shade} ", style), (f"{name}   ", "dim")) for (shade, style), name in key]
    yield tuple(piece for pair in pieces for piece in pair)


def _table(replay: Replay) -> Iterator[Line]:
    letters = _letters(replay)
    columns = _columns(replay)
    days = {turn.cost.since for turn in replay.turns if turn.cost}
    yield from _table_head(columns, _letter_width(letters), days)
    longest = max((turn.prediction.tokens for turn in replay.turns), default=1)
    for turn in replay.turns:
        yield _row(turn, letters, columns, longest)
        if turn.cost and len(days) > 1:
            yield from _indented(_prices_of(turn.cost), "dim")
        yield from _remarks(turn)


def _table_head(
    columns: Sequence[str], letter_width: int, days: Collection[date]
) -> Iterator[Line]:
    """The names of the columns. A day that all prices share stands below the name of the costs."""
    costs = {_COST: "cost, USD"}
    names = {name: name for name in columns} | costs
    if len(days) == 1:
        yield ((_cells(columns, costs, " " * (4 + letter_width)).rstrip(), "bold"),)
        names[_COST] = f"{min(days):%Y-%m-%d}"
    yield ((_cells(columns, names, f"{'#':>4}{' ' * letter_width}"), "bold"),)


def _cells(columns: Sequence[str], cells: Mapping[str, str], left: str) -> str:
    widths = {_COST: _COST_COLUMN}
    return left + "".join(f"{cells.get(n, ''):>{widths.get(n, _COLUMN)}}" for n in columns)


def _columns(replay: Replay) -> list[str]:
    columns = ["prompt", "common", "read", "write", "uncached"]
    columns += [_COST] if any(turn.cost for turn in replay.turns) else []
    return columns + (["measured"] if any(turn.measured for turn in replay.turns) else [])


def _letters(replay: Replay) -> dict[str | None, str]:
    """A letter for each conversation, where there are several; auxiliary requests have a dash."""
    names = dict.fromkeys(turn.turn.conversation for turn in replay.turns)
    if len(names) < 2:
        return {}
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found: dict[str | None, str] = {None: _UNKNOWN}
    for number, name in enumerate(name for name in names if name is not None):
        found[name] = alphabet[number] if number < len(alphabet) else f"{number + 1}"
    return found


def _letter_width(letters: Mapping[str | None, str]) -> int:
    return 1 + max(map(len, letters.values())) if letters else 0


def _row(
    turn: ReplayTurn, letters: Mapping[str | None, str], columns: Sequence[str], longest: int
) -> Line:
    prediction = turn.prediction
    cells = {
        "prompt": f"{prediction.tokens:,}",
        "common": f"{turn.turn.common_prefix:,}",
        "read": _range(prediction.read),
        "write": _range(prediction.write),
        "uncached": _range(prediction.uncached),
        _COST: _usd(turn.cost),
        "measured": _measured(turn),
    }
    letter = f"{letters.get(turn.turn.conversation, ''):>{_letter_width(letters)}}"
    left = _cells(columns, cells, f"{turn.turn.index:>4}{letter}")
    return ((f"{left} ", ""), *_bar(turn, WIDTH - len(left) - 1, longest))


def _bar(turn: ReplayTurn, room: int, longest: int) -> Iterator[tuple[str, str]]:
    """The prompt's length by what is paid for it; of a range, the dearer end."""
    prediction = turn.prediction
    read, written = prediction.read.low, prediction.write.high
    ends = (read, read + written, prediction.tokens)
    done = 0
    for (shade, style), end in zip((_READ, _WRITTEN, _UNCACHED), ends, strict=True):
        cells = max(room, 0) * end // longest
        yield shade * (cells - done), style
        done = cells


def _range(tokens: TokenRange) -> str:
    """A number, `≤4,096`, or `1,024+` where the other end does not fit."""
    if tokens.known:
        return f"{tokens.low:,}"
    return f"≤{tokens.high:,}" if tokens.low == 0 else f"{tokens.low:,}+"


def _usd(cost: Cost | None) -> str:
    """An amount, or `≤0.010680`."""
    if cost is None:
        return _UNKNOWN
    most = f"{cost.high:.6f}" if cost.high < 1 else f"{cost.high:.4f}"
    return most if cost.known else f"≤{most}"


def _prices_of(cost: Cost) -> str:
    """`prices of 2026-09-22`."""
    return f"prices of {' and '.join(f'{day:%Y-%m-%d}' for day in cost.days)}"


def _measured(turn: ReplayTurn) -> str:
    if turn.measured is None or turn.measured.read is None:
        return _UNKNOWN
    return f"{turn.measured.read:,}{'!' if turn.disagrees else ''}"


def _remarks(turn: ReplayTurn) -> Iterator[Line]:
    """What broke, and a prediction that was wrong."""
    if turn.broken is not None:
        yield from _break(turn.broken)
    if turn.measured is not None:
        for name in turn.disagrees or ():
            text = f"the answer says {_wrong(name, turn.prediction, turn.measured)}"
            yield from _indented(text, "yellow")


def _wrong(name: str, predicted: Prediction, measured: Usage) -> str:
    """What an answer says otherwise than predicted: how long the prompt is, or one of its parts."""
    if name == "tokens":
        return f"the prompt has {measured.tokens:,} tokens, counted were {predicted.tokens:,}"
    said, expected = (
        (measured.read, predicted.read) if name == "read" else (measured.write, predicted.write)
    )
    done = f"{said:,} of {measured.tokens:,} tokens were {'read' if name == 'read' else 'written'}"
    return f"{done}, predicted were {expected} of {predicted.tokens:,}"


def _break(broken: Divergence) -> Iterator[Line]:
    whose = " (by the template)" if broken.by_template else ""
    lost = f"{count(broken.lost_tokens, 'token')} lost"
    text = f"{_where(broken)}: {broken.cause}{whose} at token {broken.token:,}, {lost}"
    yield from _indented(text, "red")
    # Two keys read the same once they are masked: then the whole text is shown.
    same = broken.before == broken.after
    parting = 0 if same else common_prefix(broken.before, broken.after)
    start = max(parting - _CONTEXT, 0)
    if broken.parameters:
        start = broken.before.rfind(" ", 0, start) + 1
    before, after = (excerpt(text[start:], _VALUE) for text in (broken.before, broken.after))
    yield ((f"      ⟨{before}⟩", "bold"), (" → ", ""), (f"⟨{after}⟩", "bold"))


def _where(broken: Divergence) -> str:
    """The parameters that changed, else the part or message and whose text it is."""
    if broken.parameters:
        return ", ".join(broken.parameters)
    where = _PART[broken.part] if broken.message is None else f"message {broken.message + 1}"
    return where if broken.source == Source.UNKNOWN else f"{where}, {broken.source}"


def _totals(total: Total, variants: Sequence[Variant]) -> Iterator[Line]:
    yield from _total("in all", total, None)
    for name, changed in variants:
        yield from _total(f"if {one_line(name)}", changed.total, total)


def _total(name: str, total: Total, captured: Total | None) -> Iterator[Line]:
    text = f"{name}: {total.tokens:,} tokens, read {total.read}, written {total.write}"
    text += f", in full {total.uncached}"
    if total.cost is not None:
        amounts = dict.fromkeys((total.cost.low, total.cost.high))
        text += f" · {' to '.join(f'{amount:.6f}' for amount in amounts)} USD"
        text += f"{_times(total.cost, captured)}, {_prices_of(total.cost)}"
    yield from _sentence(text, "bold")


def _times(cost: Cost, captured: Total | None) -> str:
    """How many times as dear as what was captured, where both are known."""
    other = captured.cost if captured else None
    if other is None or not (other.high and other.known and cost.known):
        return ""
    return f" ({cost.high / other.high:.1f} times)"


def _lanes(conversation: str, states: Sequence[MemoryState]) -> Iterator[Line]:
    """Two lanes: the notes on disk, and those of them that the prompt shows, at every request."""
    step = -(-len(states) // _LANE)
    shown = states[::step]
    yield ((f"memory that {one_line(conversation)} wrote, notes at each request", ""),)
    for label, counts in (
        ("  on disk", [state.on_disk for state in shown]),
        ("  in the prompt", [state.in_context for state in shown]),
    ):
        yield ((f"{label:<{_LABEL}}", "dim"), ("".join(map(_digit, counts)), ""))


def _digit(number: int) -> str:
    return "·" if number == 0 else str(number) if number < 10 else "+"


def _indented(text: str, style: str) -> Iterator[Line]:
    lines = wrap(one_line(text), WIDTH - 6, break_on_hyphens=False)
    return (((f"      {line}", style),) for line in lines)


def _sentence(text: str, style: str = "") -> Iterator[Line]:
    lines = wrap(one_line(text), WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return (((line, style),) for line in lines)
