"""Sessions with one planted fault each, and clean ones, in every wire format that can have them.

A fault is put in before request number `at` of a session that else only grows.
"""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from promptlint.captures.causes import Cause
from tests.captures.wire import FORMATS, Body, Client, Entry, tool

BASE = "You are a careful agent. " + "Read before you write, and test after each change. " * 60
PROJECT = "# AGENTS.md\n" + "- Public functions need type hints and a docstring.\n" * 30
MEMORY = "# Memory\n- The user prefers pytest.\n- The staging database is called atlas."
TOOLS = ("read", "write", "grep", "bash")
LONG = "a line of the file that was read\n" * 40
REQUESTS = 6

Step = Callable[[Client, int], None]
"""Changes the client before request number n, counted from 1."""


@dataclass(frozen=True)
class Planted:
    """A fault: the rule that must name it, and the requests at which it may be reported.

    `cause` is why the prompt breaks at these; None where it goes on, and is not found again.
    """

    name: str
    rule: str
    cause: Cause | None
    at: int | tuple[int, ...]
    step: Step
    formats: tuple[str, ...] = FORMATS
    setup: Callable[[Client], None] = lambda client: None


@dataclass(frozen=True)
class Session:
    """What was captured, and what has to be found in it: a rule at some lines, or nothing."""

    name: str
    bodies: tuple[Body, ...]
    rule: str | None = None
    cause: Cause | None = None
    lines: tuple[int, ...] = ()


def client(form: str) -> Client:
    return Client(form, [BASE, PROJECT, MEMORY], [tool(name) for name in TOOLS])


def grow(agent: Client, number: int) -> None:
    """The conversation goes on: a question, or a tool call and its result."""
    if number % 3 == 1:
        if agent.history:
            agent.answer(f"Done with part {number}. " * 8, "I think about it. " * 6)
        agent.ask(f"Please rename option {number} in all files. " * 5)
    else:
        agent.call(f"{LONG}{number}", "Let me look. " * 4)


def run(form: str, step: Step, setup: Callable[[Client], None] = lambda client: None) -> Client:
    agent = client(form)
    setup(agent)
    for number in range(1, REQUESTS + 1):
        grow(agent, number)
        step(agent, number)
        agent.send()
    return agent


def faulty() -> Iterator[Session]:
    for fault in PLANTED:
        for form in fault.formats:
            bodies = tuple(run(form, fault.step, fault.setup).sent)
            lines = (fault.at,) if isinstance(fault.at, int) else fault.at
            yield Session(f"{fault.name}-{form}", bodies, fault.rule, fault.cause, lines)


def clean() -> Iterator[Session]:
    for name, make in CLEAN.items():
        for form in FORMATS:
            yield Session(f"{name}-{form}", tuple(make(form)))


def _line(text: Callable[[int], str], place: int = -1) -> Step:
    """A line of the system text that reads `text(n)` in request n."""

    def step(agent: Client, number: int) -> None:
        agent.system = [BASE, PROJECT, MEMORY]
        agent.system[place] = f"{agent.system[place]}\n{text(number)}"

    return step


def _once(at: int, change: Callable[[Client], None]) -> Step:
    def step(agent: Client, number: int) -> None:
        if number == at:
            change(agent)

    return step


def _from(at: int, before: str, after: str) -> Callable[[int], str]:
    return lambda number: after if number >= at else before


def _refreshed(agent: Client) -> None:
    agent.system[-1] += "\n- The tests are run with tox."


def _added(agent: Client) -> None:
    agent.tools.insert(1, tool("deploy"))


def _removed(agent: Client) -> None:
    del agent.tools[1]


def _reordered(agent: Client) -> None:
    agent.tools[1], agent.tools[2] = agent.tools[2], agent.tools[1]


def _described(agent: Client) -> None:
    agent.tools[1] = tool("write", "Skills: pdf, csv and xlsx. " * 6)


def _keys(agent: Client) -> None:
    agent.tools[1] = dict(reversed(agent.tools[1].items()))


def _respaced(agent: Client) -> None:
    agent.spaced = False


def _argument_keys(agent: Client) -> None:
    first = next(entry for entry in agent.history if entry.kind == "call")
    first.arguments = dict(reversed(first.arguments.items()))


def _cut_result(agent: Client) -> None:
    first = next(entry for entry in agent.history if entry.kind == "result")
    first.text = "[old result removed]"


def _cut_result_of_the_resent(agent: Client, number: int) -> None:
    """Every request is sent twice before an old result is cut."""
    if number < 5:
        agent.send()
    elif number == 5:
        _cut_result(agent)


def _cut_result_after_a_restart(agent: Client, number: int) -> None:
    """The question is sent once more by itself, then the old history with a result that is cut."""
    if number == 5:
        old = agent.history
        agent.history = old[:1]
        agent.send()
        agent.history = old
        _cut_result(agent)


def _no_reasoning(agent: Client) -> None:
    for entry in agent.history[:-2]:
        entry.reasoning = ""


def _trimmed(agent: Client, number: int) -> None:
    if number >= 4:
        del agent.history[1:3]


def _swapped(agent: Client) -> None:
    agent.history[1:5] = [*agent.history[3:5], *agent.history[1:3]]


def _reminder(agent: Client, number: int) -> None:
    """Context stands in the newest user message, and is taken out of it afterwards."""
    users = [entry for entry in agent.history if entry.kind == "user"]
    for entry in users:
        entry.text = entry.text.removeprefix("<context>open: a.py</context>\n")
    if agent.history[-1].kind == "user":
        users[-1].text = f"<context>open: a.py</context>\n{users[-1].text}"


def _marked_reminder(agent: Client, number: int) -> None:
    """The newest text, which carries the breakpoint, is a reminder that is never stored."""
    agent.history = [entry for entry in agent.history if "<reminder>" not in entry.text]
    agent.ask(f"<reminder>It is 10:4{number}.</reminder>")


def into_the_question(agent: Client) -> None:
    agent.history[0].text = f"{agent.system.pop()}\n\n{agent.history[0].text}"


def said_by_another(agent: Client) -> None:
    agent.history[0].kind = "assistant"


def answer_deleted(agent: Client) -> None:
    agent.history.remove(next(entry for entry in agent.history if entry.kind == "assistant"))


def stripped(agent: Client, number: int) -> None:
    agent.history[0].text = agent.history[0].text.rstrip() + ("\n\n" if number < 4 else "")


def _mode(agent: Client, number: int) -> None:
    mode = "planning" if number < 4 else "acting"
    agent.system = [f"{BASE}\nYou are {mode} now.", PROJECT, MEMORY]


def _status_block(agent: Client, number: int) -> None:
    agent.system = [BASE, PROJECT, f"# Mode\n{'Plan' if number < 4 else 'Act'} now."]


def _clock_in_the_first_message(agent: Client, number: int) -> None:
    text = agent.history[0].text.partition("\n")[2] or agent.history[0].text
    agent.history[0].text = f"Environment: 10:4{number}\n{text}"


def _result_keys(agent: Client, number: int) -> None:
    """A result that is JSON, and whose keys come out in another order."""
    first = next((entry for entry in agent.history if entry.kind == "result"), None)
    if first is not None:
        pairs = {f"file_{n}": LONG for n in range(3)}
        first.text = json.dumps(dict(reversed(pairs.items())) if number >= 5 else pairs)


def _other_choice(agent: Client, number: int) -> None:
    agent.extra = {"tool_choice": {"type": "any" if number >= 4 else "auto"}}


def _unmarked(agent: Client) -> None:
    agent.marked_newest = False


def _unmarked_tail(agent: Client) -> None:
    agent.marked_newest = False
    agent.marked_system = False


def _first_marked(agent: Client, number: int) -> None:
    agent.history[0].marked = True


def _all_marked(agent: Client, number: int) -> None:
    for entry in agent.history:
        entry.marked = True


def _many_calls(agent: Client) -> None:
    for _ in range(13):
        agent.call("ok, and a little more text")


PLANTED = (
    Planted(
        "minute-clock",
        "sub-day-clock",
        Cause.CONTENT_CHANGED,
        2,
        _line(lambda n: f"Time: 2026-11-30 10:{40 + n}"),
    ),
    Planted(
        "second-clock",
        "sub-day-clock",
        Cause.CONTENT_CHANGED,
        2,
        _line(lambda n: f"Now: 10:40:0{n} (UTC)", 0),
    ),
    Planted(
        "iso-clock",
        "sub-day-clock",
        Cause.CONTENT_CHANGED,
        2,
        _line(lambda n: f"It is 2026-11-30T10:4{n}:00Z.", 1),
    ),
    Planted(
        "epoch",
        "sub-day-clock",
        Cause.CONTENT_CHANGED,
        2,
        _line(lambda n: f"timestamp={1764500000 + 60 * n}"),
    ),
    Planted(
        "date-rolls-over",
        "date-in-prefix",
        Cause.CONTENT_CHANGED,
        4,
        _line(_from(4, "Current date: 2026-11-29", "Current date: 2026-11-30")),
    ),
    Planted("memory-refreshed", "live-memory-file", Cause.CONTENT_CHANGED, 4, _once(4, _refreshed)),
    Planted(
        "request-id",
        "per-request-id",
        Cause.CONTENT_CHANGED,
        2,
        _line(lambda n: f"Request: 7f3a9c0{n}b2e84d{n}1", 0),
    ),
    Planted(
        "turn-counter",
        "live-counter",
        Cause.CONTENT_CHANGED,
        2,
        _line(lambda n: f"Request {n} of 50.", 0),
    ),
    Planted(
        "age",
        "age-label",
        Cause.CONTENT_CHANGED,
        2,
        _line(lambda n: f"Last sync {n} minutes ago.", 0),
    ),
    Planted(
        "git-status",
        "subprocess-state",
        Cause.CONTENT_CHANGED,
        3,
        _line(_from(3, "# Git status\n(clean)", "# Git status\n M src/app.py"), 1),
    ),
    Planted("mode", "system-changed", Cause.CONTENT_CHANGED, 4, _mode),
    Planted("tools-added", "tools-changed", Cause.TOOLS_ADDED, 4, _once(4, _added)),
    Planted("tools-removed", "tools-changed", Cause.TOOLS_REMOVED, 3, _once(3, _removed)),
    Planted("tools-reordered", "tools-changed", Cause.REORDERED, 5, _once(5, _reordered)),
    Planted(
        "tool-described",
        "mutable-tool-description",
        Cause.SAME_NAME_OTHER_SCHEMA,
        3,
        _once(3, _described),
    ),
    Planted(
        "tool-keys",
        "equal-but-different-bytes",
        Cause.EQUAL_BUT_DIFFERENT_BYTES,
        3,
        _once(3, _keys),
    ),
    Planted(
        "respaced-arguments",
        "equal-but-different-bytes",
        Cause.EQUAL_BUT_DIFFERENT_BYTES,
        4,
        _once(4, _respaced),
        ("chat", "responses"),
    ),
    Planted(
        "argument-keys",
        "equal-but-different-bytes",
        Cause.EQUAL_BUT_DIFFERENT_BYTES,
        5,
        _once(5, _argument_keys),
    ),
    Planted("result-cut", "history-rewritten", Cause.HISTORY_REWRITTEN, 5, _once(5, _cut_result)),
    Planted(
        "result-cut-of-the-resent",
        "history-rewritten",
        Cause.HISTORY_REWRITTEN,
        9,
        _cut_result_of_the_resent,
    ),
    Planted(
        "result-cut-after-a-restart",
        "history-rewritten",
        Cause.HISTORY_REWRITTEN,
        6,
        _cut_result_after_a_restart,
    ),
    Planted(
        "reasoning-dropped",
        "history-rewritten",
        Cause.REASONING_DROPPED,
        5,
        _once(5, _no_reasoning),
        ("chat", "responses", "anthropic"),
    ),
    Planted("history-trimmed", "history-rewritten", Cause.HISTORY_REWRITTEN, 4, _trimmed),
    Planted("messages-swapped", "history-rewritten", Cause.REORDERED, 5, _once(5, _swapped)),
    Planted("reminder-stripped", "history-rewritten", Cause.HISTORY_REWRITTEN, (2, 5), _reminder),
    Planted(
        "marker-on-volatile",
        "marker-on-volatile",
        Cause.CONTENT_CHANGED,
        4,
        _status_block,
        ("anthropic",),
    ),
    Planted(
        "history-unmarked",
        "stable-after-last-marker",
        None,
        3,
        lambda agent, number: None,
        ("anthropic",),
        _unmarked,
    ),
    Planted(
        "marker-never-moves",
        "stable-after-last-marker",
        None,
        3,
        _first_marked,
        ("anthropic",),
        _unmarked_tail,
    ),
    Planted(
        "clock-in-first-message",
        "history-rewritten",
        Cause.HISTORY_REWRITTEN,
        2,
        _clock_in_the_first_message,
    ),
    Planted(
        "system-hoisted",
        "history-rewritten",
        Cause.SYSTEM_MOVED,
        4,
        _once(4, into_the_question),
    ),
    Planted(
        "answer-deleted", "history-rewritten", Cause.HISTORY_REWRITTEN, 5, _once(5, answer_deleted)
    ),
    Planted(
        "said-by-another",
        "history-rewritten",
        Cause.HISTORY_REWRITTEN,
        5,
        _once(5, said_by_another),
    ),
    Planted("line-ends-stripped", "history-rewritten", Cause.HISTORY_REWRITTEN, 4, stripped),
    Planted(
        "result-keys", "equal-but-different-bytes", Cause.EQUAL_BUT_DIFFERENT_BYTES, 5, _result_keys
    ),
    Planted("tool-choice", "parameters-changed", None, 4, _other_choice, ("anthropic",)),
    Planted(
        "marked-reminder",
        "marker-on-volatile",
        Cause.HISTORY_REWRITTEN,
        2,
        _marked_reminder,
        ("anthropic",),
    ),
    Planted("all-marked", "too-many-markers", None, 3, _all_marked, ("anthropic",)),
    Planted(
        "many-calls", "marker-lookback-exceeded", None, 3, _once(3, _many_calls), ("anthropic",)
    ),
)


def _growing(form: str) -> list[Body]:
    return run(form, lambda agent, number: None).sent


def _resent(form: str) -> list[Body]:
    """A retry sends the same bytes again."""
    bodies = _growing(form)
    return [*bodies[:3], bodies[2], *bodies[3:]]


def _gone_back(form: str) -> list[Body]:
    """The user takes a question back and asks another one."""
    agent = client(form)
    for number in range(1, 5):
        grow(agent, number)
        agent.send()
    agent.history.pop()
    agent.ask("No, do something else. " * 5)
    agent.send()
    return agent.sent


def _with_titles(form: str) -> list[Body]:
    """A small request without tools stands between the others."""
    title = Client(form, ["Write a title of five words."], [])
    title.marked_system = title.marked_newest = False
    title.ask("Rename the option.")
    title.send()
    bodies = _growing(form)
    return [bodies[0], title.sent[0], *bodies[1:]]


def _forked(form: str) -> list[Body]:
    """Two attempts at one question, at the same time."""
    agents = [client(form), client(form)]
    for agent in agents:
        grow(agent, 1)
        agent.send()
    for number in range(2, 5):
        for agent, name in zip(agents, ("one", "other"), strict=True):
            agent.call(f"{name} {LONG}{number}", path=f"{name}_{number}.py")
            agent.send()
    return [body for pair in zip(*(agent.sent for agent in agents), strict=True) for body in pair]


def _scripted(form: str, attempt: str) -> list[Body]:
    """The questions are always the same, the answers are not."""
    agent = client(form)
    for number in range(1, 5):
        agent.ask(f"Question {number} of the script. " * 4)
        agent.send()
        agent.answer(f"The {attempt} answer to it. " * 8, f"I think in the {attempt} way. ")
    return agent.sent


def _equal_calls(form: str, attempt: str) -> list[Body]:
    """The model says something else, and makes the same calls with the same results."""
    agent = client(form)
    grow(agent, 1)
    agent.send()
    for number in range(2, 5):
        agent.answer(f"In the {attempt} attempt I look at file {number}. ")
        grow(agent, number if number % 3 != 1 else 2)
        agent.send()
    return agent.sent


def _one_after_the_other(make: Callable[[str, str], list[Body]]) -> Callable[[str], list[Body]]:
    return lambda form: [*make(form, "first"), *make(form, "second")]


def _at_the_same_time(make: Callable[[str, str], list[Body]]) -> Callable[[str], list[Body]]:
    def mixed(form: str) -> list[Body]:
        attempts = (make(form, attempt) for attempt in ("first", "second", "third"))
        return [body for bodies in zip(*attempts, strict=True) for body in bodies]

    return mixed


def _answered_again(form: str) -> list[Body]:
    """The user has the second question answered again, and goes on as before."""
    agent = client(form)
    agent.ask("Question 1 of the script. " * 4)
    agent.answer("The first answer to it. " * 8, "I think in the first way. ")
    agent.ask("Question 2 of the script. " * 4)
    agent.send()
    agent.answer("The second answer to it. " * 8, "I think in the second way. ")
    agent.ask("Question 3 of the script. " * 4)
    agent.send()
    return [*_scripted(form, "first"), *agent.sent]


def _titled(form: str) -> list[Body]:
    """A small request asks for a title of the same question."""
    title = Client(form, ["Write a title of five words."], [])
    title.marked_system = title.marked_newest = False
    bodies = run(form, lambda agent, number: setattr(agent, "tools", [])).sent
    grow(title, 1)
    title.send()
    return [bodies[0], title.sent[0], *bodies[1:]]


def _interleaved(form: str) -> list[Body]:
    """Two sessions of one agent at the same time."""
    one = _growing(form)
    other = client(form)
    other.ask("Why does the cache leak memory? " * 4)
    other.send()
    other.call("another file entirely\n" * 30)
    other.send()
    return [one[0], other.sent[0], one[1], one[2], other.sent[1], *one[3:]]


def _compacted(form: str) -> list[Body]:
    """A long history is replaced by its summary, once."""
    agent = run(form, lambda agent, number: agent.call(LONG * 4))
    kept = agent.history[-2:]
    agent.history = [Entry("user", "Summary: options 1 and 2 are renamed. " * 4), *kept]
    agent.send()
    agent.answer("I go on.")
    agent.ask("Good.")
    agent.send()
    return agent.sent


def _clock_in_the_turn(form: str) -> list[Body]:
    """The recommended cure: the time stands in the message, and stays there."""

    def step(agent: Client, number: int) -> None:
        if agent.history[-1].kind == "user":
            agent.history[-1].text += f"\nIt is 10:4{number}."

    return run(form, step).sent


def _reminder_at_the_end(form: str) -> list[Body]:
    """A reminder stands behind everything, is never stored, and carries no breakpoint."""
    agent = client(form)
    for number in range(1, REQUESTS + 1):
        grow(agent, number)
        agent.history[-1].marked, agent.marked_newest = True, False
        agent.ask(f"<reminder>It is 10:4{number}.</reminder>")
        agent.send()
        agent.history.pop()
        agent.history[-1].marked = False
    return agent.sent


def _other_sampling(form: str) -> list[Body]:
    """What no prompt shows may change: sampling, ids, metadata."""
    bodies = copy.deepcopy(_growing(form))
    for number, body in enumerate(bodies):
        body["temperature" if form != "gemini" else "labels"] = number / 10
        body["user"] = f"user-{number}"
        if number > 2:
            bodies[number] = json.loads(json.dumps(body).replace('"c1"', '"call_1"'))
    return bodies


CLEAN: dict[str, Callable[[str], list[Body]]] = {
    "growing": _growing,
    "resent": _resent,
    "gone-back": _gone_back,
    "titles": _with_titles,
    "interleaved": _interleaved,
    "forked": _forked,
    "scripted-twice": _one_after_the_other(_scripted),
    "scripted-at-once": _at_the_same_time(_scripted),
    "equal-calls-twice": _one_after_the_other(_equal_calls),
    "equal-calls-at-once": _at_the_same_time(_equal_calls),
    "answered-again": _answered_again,
    "titled": _titled,
    "compacted": _compacted,
    "clock-in-the-turn": _clock_in_the_turn,
    "reminder-at-the-end": _reminder_at_the_end,
    "other-sampling": _other_sampling,
}
