import gzip
import json
import socket
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from promptlint.bodies import BodyFormat
from promptlint.captures.conversations import conversations
from promptlint.captures.read import read_captures
from promptlint.captures.recorder.recording import Recording
from promptlint.captures.recorder.reply import Reply, Script
from promptlint.captures.recorder.server import RecorderServer
from promptlint.request import ToolCall
from tests.captures.recorder.clients import Client, Heard, events, exchange, post

FORMATS = [BodyFormat.CHAT, BodyFormat.RESPONSES, BodyFormat.ANTHROPIC, BodyFormat.GEMINI]
READ = ToolCall("read", {"path": "a é.txt"})
WRITE = ToolCall("read", {"path": "b.txt", "lines": [1, 2]})
SCRIPT = Script((Reply("I look.", (READ,)), Reply("", (READ, WRITE)), Reply("Found it.")))
CHAT = "/v1/chat/completions"


def chat_body(text: str = "hi", **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], **more}


def sent(recording: Recording) -> list[str]:
    return [recorded.body["messages"][-1]["content"] for recorded in recording.requests]


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("form", FORMATS)
def test_a_script_drives_a_session_with_tool_results(
    form: BodyFormat, streams: bool, tmp_path: Path
) -> None:
    path = tmp_path / "recording.jsonl"
    with path.open("w") as file, RecorderServer(Recording(file), SCRIPT) as server:
        client = Client(server.port, form, streams)
        heard = [*client.run("Where is the price computed?"), *client.run("Thanks.")]
    found = [(h.text, [call[:2] for call in h.calls]) for h in heard]
    assert found == [
        ("I look.", [(READ.name, READ.arguments)]),
        ("", [(READ.name, READ.arguments), (WRITE.name, WRITE.arguments)]),
        ("Found it.", []),
        ("ok", []),
    ]
    captures = read_captures([path])
    assert captures.problems == ()
    (conversation,) = conversations(captures.requests).conversations
    # Where an answer with two calls is resent, its results are messages of their own.
    assert [len(turn.request.messages) for turn in conversation.turns] == [1, 3, 6, 8]
    assert all(turn.request.unknown_fields == () for turn in conversation.turns)


def test_gemini_without_events_streams_a_list() -> None:
    body = {"contents": [{"parts": [{"text": "hi"}]}]}
    with RecorderServer(Recording(), Script()) as server:
        answer = post(
            server.port, "/v1beta/models/x:streamGenerateContent", json.dumps(body).encode()
        )
    (only,) = json.loads(answer)
    assert only["candidates"][0]["content"]["parts"] == [{"text": "ok"}]


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("identity", bytes),
        ("deflate, gzip", lambda data: gzip.compress(zlib.compress(data))),
    ],
)
def test_compressed_bodies_are_read(encoding: str, encode: Any) -> None:
    recording = Recording()
    with RecorderServer(recording, Script()) as server:
        data = encode(json.dumps(chat_body("packed")).encode())
        post(server.port, CHAT, data, {"Content-Encoding": encoding})
    assert sent(recording) == ["packed"]


def test_a_chunked_body_is_read_and_the_connection_goes_on() -> None:
    recording = Recording()
    data = json.dumps(chat_body("in pieces")).encode()
    pieces = [data[:7], data[7:30], data[30:]]
    chunks = b"".join(b"%x;x=y\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    head = f"POST {CHAT} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    with (
        RecorderServer(recording, Script()) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection,
    ):
        for _ in range(2):
            connection.sendall(head + chunks + b"0\r\nTrailer: 1\r\n\r\n")
            answer = connection.makefile("rb")
            assert answer.readline().startswith(b"HTTP/1.1 200")
            length = 0
            while (line := answer.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
            assert json.loads(answer.read(length))["choices"]
    assert sent(recording) == ["in pieces"] * 2
    assert recording.repeated == 1


@pytest.mark.parametrize(
    ("data", "headers", "status", "cause"),
    [
        (b"{", {}, 400, "no valid JSON"),
        (b"[]", {}, 400, "a request body is an object"),
        (b'{"model": "m"}', {}, 400, "no request body"),
        (b'{"messages": 1}', {}, 400, "messages: a list is needed"),
        (b"?", {"Content-Encoding": "zstd"}, 415, "'zstd', which is not known here"),
        (b"?", {"Content-Encoding": "gzip"}, 400, "no valid gzip"),
    ],
)
def test_what_cannot_be_read_is_refused_and_said(
    data: bytes, headers: dict[str, str], status: int, cause: str
) -> None:
    recording = Recording()
    with RecorderServer(recording, Script()) as server:
        got, answer = exchange(server.port, "POST", CHAT, data, headers)
        post(server.port, CHAT, json.dumps(chat_body("still there")).encode())
    assert got == status
    assert cause in json.loads(answer)["error"]["message"]
    assert len(recording.problems) == 1
    assert recording.problems[0].startswith(f"POST {CHAT}: ")
    assert sent(recording) == ["still there"]


def test_a_deeply_nested_body_is_refused() -> None:
    recording = Recording()
    with RecorderServer(recording, Script()) as server:
        status, _ = exchange(server.port, "POST", CHAT, b"[" * 200_000)
    assert (status, len(recording.problems)) == (400, 1)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/v1/models", "data"),
        ("/models", "data"),
        ("/v1beta/models?key=secret", "models"),
        ("/v1/models/some%2Fmodel", "id"),
        ("/health", "status"),
        ("/", "status"),
        ("/v1", "status"),
    ],
)
def test_models_and_health(path: str, key: str) -> None:
    recording = Recording()
    with RecorderServer(recording, Script()) as server:
        status, answer = exchange(server.port, "GET", path)
        head, nothing = exchange(server.port, "HEAD", path)
    assert (status, head, nothing) == (200, 200, b"")
    assert key in json.loads(answer)
    assert recording.requests == []
    assert recording.lookups.total() == 2
    assert "secret" not in str(recording.lookups)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/v1/messages/count_tokens", "input_tokens"),
        ("/v1/responses/input_tokens", "input_tokens"),
        ("/v1beta/models/x:countTokens", "totalTokens"),
    ],
)
def test_counting_is_answered_and_not_recorded(path: str, key: str) -> None:
    recording = Recording()
    with RecorderServer(recording, Script()) as server:
        answer = json.loads(post(server.port, path, json.dumps(chat_body("x" * 400)).encode()))
    assert answer[key] > 100
    assert recording.requests == []


def test_an_unknown_path_is_a_404_in_everybodys_shape() -> None:
    with RecorderServer(Recording(), Script()) as server:
        status, answer = exchange(server.port, "POST", "/api/show", b"{}")
    assert status == 404
    error = json.loads(answer)
    assert (error["type"], error["error"]["code"]) == ("error", 404)


def test_several_clients_at_once_get_their_own_answers() -> None:
    recording = Recording()

    def session(number: int) -> list[Heard]:
        form = FORMATS[number % len(FORMATS)]
        return list(Client(server.port, form, number % 2 == 0).run(f"question {number}"))

    with RecorderServer(recording, SCRIPT) as server, ThreadPoolExecutor(12) as pool:
        sessions = list(pool.map(session, range(24)))
    assert all([h.text for h in heard] == ["I look.", "", "Found it."] for heard in sessions)
    assert len(recording.requests) == 24 * 3
    times = [recorded.time for recorded in recording.requests]
    assert max(times) - min(times) < 3600


def test_a_client_that_hangs_up_and_retries_gets_the_same_answer() -> None:
    recording = Recording()
    body = json.dumps(chat_body("again", tools=[{"type": "function", "function": {"name": "x"}}]))
    script = Script((Reply("first"), Reply("second")))
    with RecorderServer(recording, script) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            request = f"POST {CHAT} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            connection.sendall(request.encode())
            # Closing with data unread resets the connection.
            connection.recv(1)
        answer = json.loads(post(server.port, CHAT, body.encode()))
    assert answer["choices"][0]["message"]["content"] == "first"
    assert sent(recording) == ["again", "again"]
    assert recording.repeated == 1
    assert recording.problems == []


def test_a_body_that_ends_too_early_is_said() -> None:
    recording = Recording()
    with (
        RecorderServer(recording, Script()) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection,
    ):
        connection.sendall(f"POST {CHAT} HTTP/1.1\r\nContent-Length: 99\r\n\r\n{{".encode())
        connection.shutdown(socket.SHUT_WR)
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 400")
    assert recording.problems == [f"POST {CHAT}: a body that ended too early"]


def test_a_client_that_waits_for_leave_to_send_gets_it() -> None:
    body = json.dumps(chat_body("may I?")).encode()
    lines = ["POST /v1/chat/completions HTTP/1.1", "Expect: 100-continue"]
    head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""])
    with (
        RecorderServer(Recording(), Script()) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection,
    ):
        connection.sendall(head.encode())
        answer = connection.makefile("rb")
        assert answer.readline().startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        assert answer.readline() == b"\r\n"
        assert answer.readline().startswith(b"HTTP/1.1 200")


def test_a_request_without_tools_takes_no_reply_of_the_script() -> None:
    with RecorderServer(Recording(), SCRIPT) as server:
        answer = json.loads(post(server.port, CHAT, json.dumps(chat_body("a title?")).encode()))
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "ok"}


def test_a_stored_response_stands_for_its_history() -> None:
    tools = [{"type": "function", "name": "read", "parameters": {}}]
    first = {"model": "m", "input": "hi", "tools": tools}
    with RecorderServer(Recording(), SCRIPT) as server:
        one = json.loads(post(server.port, "/v1/responses", json.dumps(first).encode()))
        more = {**first, "input": [], "previous_response_id": one["id"], "stream": True}
        found = events(post(server.port, "/v1/responses", json.dumps(more).encode()))
    assert len(found[-1]["response"]["output"]) == 2
    assert found[-1]["response"]["id"] == "resp_1"


def test_a_taken_port_is_an_error() -> None:
    with (
        RecorderServer(Recording(), Script()) as server,
        pytest.raises(OSError, match="in use"),
    ):
        RecorderServer(Recording(), Script(), server.port)
