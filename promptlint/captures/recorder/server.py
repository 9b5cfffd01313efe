"""The server on 127.0.0.1 that an agent talks to instead of a model."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from promptlint.bodies import BodyError, request_from_body
from promptlint.captures.recorder.answers.answer import Answer, generated, looked_up, refused
from promptlint.captures.recorder.completion import completion
from promptlint.captures.recorder.endpoints import Endpoint, Purpose, endpoint
from promptlint.captures.recorder.recording import Recording
from promptlint.captures.recorder.reply import Script
from promptlint.captures.recorder.request_body import UnreadableError, read_body

ADDRESS = "127.0.0.1"
_IDLE = 120.0  # seconds after which a connection that says nothing is closed


class RecorderServer:
    """Answers from a script and writes every request into a recording. A context manager.

    Port 0 takes a free one. `on_request` is called with the client's port before a
    request is answered, while the client waits. Raises OSError where the port is taken.
    """

    def __init__(
        self,
        recording: Recording,
        script: Script,
        port: int = 0,
        on_request: Callable[[int], None] = lambda _port: None,
    ) -> None:
        self._server = _Server((ADDRESS, port), recording, script, on_request)
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Where it is, without a path."""
        return f"http://{ADDRESS}:{self.port}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # an agent may hold a connection open that it does not use
    request_queue_size = 128

    def __init__(
        self,
        address: tuple[str, int],
        recording: Recording,
        script: Script,
        on_request: Callable[[int], None],
    ) -> None:
        super().__init__(address, _Handler)
        self.recording = recording
        self.script = script
        self.on_request = on_request

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """A client that went away is its own business; anything else is our fault: say it."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            self.recording.problem(f"the recorder failed: {type(error).__name__}: {error}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _IDLE
    server: _Server

    def do_GET(self) -> None:
        """Models and health."""
        self._send(self._answer())

    def do_HEAD(self) -> None:
        """The same without its body."""
        self._send(self._answer())

    def do_POST(self) -> None:
        """Answers of the model."""
        self._send(self._answer())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Nothing is printed: the terminal belongs to the command."""

    def _answer(self) -> Answer:
        arrived = time.time()
        path = urlsplit(self.path).path
        try:
            data = read_body(self.headers, self.rfile)
        except UnreadableError as error:
            self.close_connection = True
            return self._refuse(path, error.status, str(error))
        method = "GET" if self.command == "HEAD" else self.command
        found = endpoint(method, self.path)
        if found.purpose is not Purpose.GENERATE:
            self.server.recording.look_up(self.command, path)
            return looked_up(found, len(data))
        try:
            body = json.loads(data)
        except (ValueError, RecursionError) as error:
            return self._refuse(path, 400, f"no valid JSON: {error}")
        if not isinstance(body, dict):
            return self._refuse(path, 400, "a request body is an object")
        return self._generate(found, body, arrived, path, len(data))

    def _generate(
        self, found: Endpoint, body: Mapping[str, Any], arrived: float, path: str, size: int
    ) -> Answer:
        assert found.format is not None
        try:
            request = request_from_body(body)
        except BodyError as error:
            return self._refuse(path, 400, str(error))
        self.server.on_request(self.client_address[1])
        self.server.recording.add(body, found.format, arrived)
        reply = self.server.script.reply(request)
        return generated(found, body, completion(request, reply, found.model, size))

    def _refuse(self, path: str, status: int, cause: str) -> Answer:
        self.server.recording.problem(f"{self.command} {path}: {cause}")
        return refused(status, cause)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.data)
