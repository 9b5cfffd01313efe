"""Repeat a session at a real llama.cpp server and compare what it read with the prediction.

`make engines` runs it: 26 requests of four conversations (a refreshed memory, swapped
tools, a date that rolls over, a clock at the head) with one slot and with four. The
server answers with one token and says how many prompt tokens it found in its cache.
Exits with 1 where a count is not the predicted one.
"""

import gzip
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.engines.environment import HERE, MODEL, PYTHON, ROOT, prepare
from examples.fetch_models import fetch
from promptlint.bodies import request_from_body
from promptlint.cache.policies import policy
from promptlint.cache.replay import ReplayTurn, replay
from promptlint.captures.read import CapturedRequest
from promptlint.location import Location
from promptlint.models.find import find_model

REQUESTS = ROOT / "tests" / "data" / "engines" / "requests.json.gz"
SLOTS = (1, 4)
PATIENCE = 60.0


def main() -> int:
    tokenizer = fetch()
    prepare(tokenizer)
    bodies = [row["body"] for row in json.loads(gzip.decompress(REQUESTS.read_bytes()))["main"]]
    right = sum([compared(bodies, tokenizer, slots) for slots in SLOTS])
    total = len(SLOTS) * len(bodies)
    print(f"llama.cpp: {right} of {total} counts of cached tokens are the predicted ones")
    return 0 if right == total else 1


def compared(bodies: list[dict[str, Any]], tokenizer: Path, slots: int) -> int:
    """How many requests the server answers with the predicted count."""
    with serving(slots) as address:
        measured = [ask(address, body)["usage"] for body in bodies]
    right = 0
    for number, turn in enumerate(predicted(bodies, measured, tokenizer, slots), start=1):
        said = turn.measured
        assert said is not None
        assert said.read is not None
        agrees = said.read in turn.prediction.read and said.tokens == turn.prediction.tokens
        right += agrees
        mark = "" if agrees else "   <-- differs"
        print(
            f"slots {slots} request {number:>2}: prompt {said.tokens:>5}, read {said.read:>5}, "
            f"predicted {turn.prediction.tokens:>5}, {turn.prediction.read!s:>5}{mark}"
        )
    return right


def predicted(
    bodies: list[dict[str, Any]], measured: list[Any], tokenizer: Path, slots: int
) -> tuple[ReplayTurn, ...]:
    captured = [
        CapturedRequest(request_from_body(body), body, Location("live", number), usage=usage)
        for number, (body, usage) in enumerate(zip(bodies, measured, strict=True), start=1)
    ]
    model = find_model(str(tokenizer), base=Path.cwd())
    rules = policy("engine/llama.cpp-server").with_settings(slots=slots, unified=slots > 1)
    return replay(captured, model, rules).turns


@contextmanager
def serving(slots: int) -> Iterator[str]:
    """The address of a server on a free loopback port, which is ended afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (MODEL.parent / f"server-{slots}.log").open("wb")
    command = [str(part) for part in (PYTHON, HERE / "serve.py", MODEL, port, slots)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        wait(address, process)
        yield address
    finally:
        process.kill()
        process.wait()
        log.close()


def wait(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise SystemExit(f"the server did not start: see {MODEL.parent}/server-*.log")


def ask(address: str, body: dict[str, Any]) -> dict[str, Any]:
    data = json.dumps({**body, "max_tokens": 1, "temperature": 0}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/v1/chat/completions", data, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


if __name__ == "__main__":
    sys.exit(main())
