"""The hub path against a real HTTP server on the loopback that answers as the hub does.

Each call runs in a process of its own: the hub's client reads its environment at import.
"""

import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

COMMIT = "5" * 40
CHAT = json.dumps({"chat_template": "hello", "bos_token": "<s>"}).encode()
PROGRAM = """
import json, pathlib, sys
from promptlint.models import ModelError, find_model
try:
    model = find_model(sys.argv[1], base=pathlib.Path(sys.argv[2]))
except ModelError as error:
    print(json.dumps({"error": str(error)}))
else:
    print(json.dumps({
        "name": model.name, "template": model.template, "special": dict(model.special_tokens),
        "origin": model.origin, "ids": model.tokenizer.encode("the memory").ids,
        "transformers": "transformers" in sys.modules,
    }))
"""


class Hub(ThreadingHTTPServer):
    """Repositories by name, each a mapping of file names to bytes."""

    def __init__(self, repositories: dict[str, dict[str, bytes]]) -> None:
        self.repositories = repositories
        self.requested: list[str] = []
        super().__init__(("127.0.0.1", 0), HubHandler)


class HubHandler(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].strip("/").split("/")
        self.server.requested.append("/".join(path))
        if path[:2] == ["api", "models"]:
            self.answer_api("/".join(path[2:4]), path[4:])
        else:
            self.answer_file("/".join(path[:2]), "/".join(path[4:]))

    def answer_api(self, repository: str, rest: list[str]) -> None:
        files = self.server.repositories.get(repository)
        if files is None:
            self.answer(404, b"{}", {"X-Error-Code": "RepoNotFound"})
        elif rest[:1] == ["tree"]:
            tree = [
                {"type": "file", "path": name, "size": len(data), "oid": oid(data)}
                for name, data in files.items()
            ]
            self.answer(200, json.dumps(tree).encode())
        elif rest not in ([], ["revision", "main"]):
            self.answer(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
        elif repository == "owner/broken":
            self.answer(500, b"{}")
        else:
            self.answer(200, json.dumps({"id": repository, "sha": COMMIT}).encode())

    def answer_file(self, repository: str, name: str) -> None:
        if repository == "owner/gated":
            self.answer(403, b"", {"X-Error-Code": "GatedRepo", "X-Repo-Commit": COMMIT})
            return
        data = self.server.repositories[repository][name]
        self.answer(200, data, {"ETag": f'"{oid(data)}"', "X-Repo-Commit": COMMIT})

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for key, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - inherited name
        """Nothing is printed."""


def oid(data: bytes) -> str:
    return hashlib.sha1(data).hexdigest()


@pytest.fixture
def hub(tokenizer_json: str) -> Iterator[Hub]:
    tokenizer = tokenizer_json.encode()
    weights = {"model.safetensors": b"\0" * 64}
    repositories = {
        "owner/works": {"tokenizer.json": tokenizer, "tokenizer_config.json": CHAT, **weights},
        "owner/no-template": {"tokenizer.json": tokenizer},
        "owner/no-tokenizer": {"tokenizer_config.json": CHAT, **weights},
        "owner/gated": {"tokenizer.json": tokenizer, "tokenizer_config.json": CHAT},
        "owner/broken": {},
    }
    with Hub(repositories) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def endpoint(hub: Hub) -> str:
    return f"http://127.0.0.1:{hub.server_port}"


def call(name: str, folder: Path, address: str, **variables: str) -> dict[str, object]:
    """What `find_model(name)` gives in a fresh process; its error stream must stay empty."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("HF_")},
        "HF_HOME": str(folder / "cache"),
        "HF_ENDPOINT": address,
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "NO_PROXY": "127.0.0.1",
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, name, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_a_repository_is_found_and_later_read_from_the_cache(hub: Hub, tmp_path: Path) -> None:
    online = call("owner/works", tmp_path, endpoint(hub))

    assert online["template"] == "hello"
    assert online["special"] == {"bos_token": "<s>"}
    assert online["name"] == "owner/works"
    assert online["origin"] == f"tokenizer_config.json of owner/works at commit {COMMIT[:12]}"
    assert online["transformers"] is False
    assert not [path for path in hub.requested if path.endswith(".safetensors")]

    asked = len(hub.requested)
    assert call("owner/works", tmp_path, endpoint(hub), HF_HUB_OFFLINE="1") == online
    assert call("owner/works@main", tmp_path, nobody_listens())["template"] == "hello"
    assert len(hub.requested) == asked


def nobody_listens() -> str:
    """An address on which no server listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("owner/missing", "no such folder here, and no such repository"),
        ("anthropic/claude", "a hosted model is named 'anthropic' alone"),
        ("google/gemini-3", "a hosted model is named 'gemini' alone"),
        ("owner/works@v9", "the repository has no revision v9"),
        ("owner/no-template", "no chat template in it"),
        ("owner/no-tokenizer", "no tokenizer in it"),
        ("owner/gated", "the repository is gated; ask for access and set HF_TOKEN"),
        ("owner/broken", "the Hugging Face hub answered 500"),
        ("owner/a--b", "no such model: "),
    ],
)
def test_what_a_repository_lacks(hub: Hub, tmp_path: Path, name: str, cause: str) -> None:
    error = str(call(name, tmp_path, endpoint(hub))["error"])

    assert error.startswith(f"{name}: ")
    assert cause in error
    assert "\n" not in error


@pytest.mark.parametrize("offline", ["0", "1"])
def test_no_network_and_no_copy_says_what_to_do(tmp_path: Path, offline: str) -> None:
    error = call("owner/works", tmp_path, nobody_listens(), HF_HUB_OFFLINE=offline)["error"]
    assert error == (
        "owner/works: not in the local cache, and the Hugging Face hub cannot be reached;"
        " give a local folder, or set HF_HOME to a cache that holds it"
    )
