"""A service for tests that answers as its script says."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, NamedTuple, Optional


class Received(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: Any


Step = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeService

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        data = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(data) if data else None
        step = self.server.take(Received(self.command, self.path, headers, body))
        step(self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer


class FakeService(ThreadingHTTPServer):
    """Each request takes the next step of the script."""

    daemon_threads = True

    def __init__(self, *steps: Step) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.steps = list(steps)
        self.received: List[Received] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def take(self, received: Received) -> Step:
        with self._lock:
            self.received.append(received)
            return self.steps.pop(0) if self.steps else refuse(500, "internal", "the script has no more steps")

    def __exit__(self, *args: Any) -> None:
        self.shutdown()
        super().__exit__(*args)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Connections break here on purpose."""


def reply(body: Any, status: int = 200, **headers: str) -> Step:
    """Answers with JSON. Headers are given as `retry_after="1"`."""

    def step(handler: Handler) -> None:
        data = json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json; charset=utf-8")
        handler.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return step


def refuse(status: int, code: str, error: str, **headers: str) -> Step:
    return reply({"error": error, "code": code}, status, **headers)


def cut(handler: Handler) -> None:
    """Closes the connection without an answer."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def cut_within(handler: Handler) -> None:
    """Closes the connection within an answer."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"half":')
    cut(handler)


def never(handler: Handler) -> None:
    """Leaves the request without an answer until the client gives up."""
    handler.connection.recv(1)
    handler.close_connection = True


def events(text: str, then: Optional[Step] = cut) -> Step:
    """Answers with server-sent events; `then` ends the stream."""

    def step(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(text.encode())
        handler.wfile.flush()
        (then or never)(handler)

    return step


ORDER = {
    "id": "order-1",
    "marketId": "rain",
    "side": "buy",
    "outcome": "yes",
    "orderType": "limit",
    "timeInForce": "GTC",
    "price": 0.56,
    "quantity": 10,
    "filledQty": 0,
    "status": "open",
    "createdAt": "2026-11-20T12:59:30.000Z",
    "reservedAmount": 5.6,
    "userId": "account-1",
}

ORDER_DETAIL = {
    **ORDER,
    "clientOrderId": "bid-1",
    "postOnly": True,
    "expiresAt": None,
    "averagePrice": None,
    "reason": None,
    "seq": 9,
}
