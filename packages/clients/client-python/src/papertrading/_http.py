"""One attempt of a request, over reused connections."""

from __future__ import annotations

import http.client
import ssl
import threading
import time
from typing import Any, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import urlsplit

from .errors import ClientClosed

# The service closes a connection that was idle for 5 s, so requests on an older one would often be cut.
IDLE_SECONDS_MAX = 4.0

IDLE_CONNECTIONS_MAX = 32


class NotConnected(Exception):
    """No connection could be made: the request was not sent."""


class Cut(Exception):
    """The connection broke before the whole answer came: the request may have arrived."""

    def __init__(self, reason: str, was_reused: bool) -> None:
        super().__init__(reason)
        self.was_reused = was_reused


class Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    data: bytes


class Connections:
    """The connections to one service. Threads may share it."""

    def __init__(self, base_url: str) -> None:
        address = urlsplit(base_url if "//" in base_url else f"http://{base_url}")
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"base_url: must be an address such as http://localhost:4000, not {base_url!r}")
        if address.query or address.fragment:
            raise ValueError(f"base_url: must have neither a query nor a fragment: {base_url!r}")
        self._host = address.hostname
        self._port = address.port
        self._prefix = address.path.rstrip("/")
        self._tls = ssl.create_default_context() if address.scheme == "https" else None
        self._lock = threading.Lock()
        self._idle: List[Tuple[float, http.client.HTTPConnection]] = []
        self._closed = False

    def connect(self, timeout: float) -> http.client.HTTPConnection:
        """A new connection, which is lost after so many seconds without a byte. Raises NotConnected, and ClientClosed."""
        if self._closed:
            raise ClientClosed("The client is closed")
        made = (
            http.client.HTTPConnection(self._host, self._port, timeout=timeout)
            if self._tls is None
            else http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)
        )
        try:
            made.connect()
        except OSError as error:
            made.close()
            raise NotConnected(f"no connection to {self._host}:{made.port}: {error}") from error
        return made

    def path(self, path: str) -> str:
        return self._prefix + path

    def send(self, method: str, path: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float) -> Reply:
        """Sends one request and reads its whole answer. Raises NotConnected or Cut."""
        connection, was_reused = self._take(timeout)
        try:
            connection.request(method, self.path(path), body=body, headers=dict(headers))
            response = connection.getresponse()
            data = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Cut(f"the connection broke: {type(error).__name__} {error}".rstrip(), was_reused) from error
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, response)
        return Reply(response.status, lower_headers(response), data)

    def _take(self, timeout: float) -> Tuple[http.client.HTTPConnection, bool]:
        while True:
            with self._lock:
                if self._closed:
                    raise ClientClosed("The client is closed")
                if not self._idle:
                    break
                since, connection = self._idle.pop()
            if time.monotonic() - since < IDLE_SECONDS_MAX:
                connection.sock.settimeout(timeout)
                return connection, True
            connection.close()
        return self.connect(timeout), False

    def _give_back(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        with self._lock:
            if not self._closed and not response.will_close and len(self._idle) < IDLE_CONNECTIONS_MAX:
                self._idle.append((time.monotonic(), connection))
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()


def lower_headers(response: Any) -> Mapping[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}
