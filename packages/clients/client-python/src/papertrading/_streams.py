"""Streams of server-sent events that resume by themselves."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Generic, Iterator, List, Literal, Mapping, NamedTuple, Optional, TypeVar
from typing import Union

from ._codec import parse_json
from ._http import Connections, NotConnected, lower_headers
from ._retry import LOG, api_error, back_off
from .errors import ApiRefusal, ClientClosed, Unreachable

T = TypeVar("T")


@dataclass(frozen=True)
class Resumed:
    """The connection of a stream was lost, and made again. Nothing is missing and nothing comes twice, with one
    exception: if an `OrderBook` follows, it replaces the book, and the single changes until then are left out.
    """

    type: Literal["resumed"]
    after: Optional[str]
    """The sequence that the stream goes on after."""
    reason: str
    """Why the connection was lost."""
    seconds: float
    """How long there was no connection."""


class StreamSettings(NamedTuple):
    connections: Connections
    path: str
    """With its query."""
    headers: Mapping[str, str]
    decode: Callable[[str, Any], Any]
    """Builds an item from an event's name and its parsed data."""
    decimals: bool
    silence_seconds_max: float
    """The silence after which a connection counts as lost: not even a comment came."""
    open_seconds_max: float
    """The time within which the first connection must succeed, in seconds."""
    after: Optional[str]
    """The sequence to continue after; None starts now."""

    @property
    def name(self) -> str:
        """The path without its query."""
        return self.path.split("?")[0]


class Stream(Generic[T]):
    """Iterates over the events of a stream, and over a `Resumed` wherever it had to connect again.

    The stream is open when it is returned, so it has every event from then on. It ends by `close()`, which another
    thread may call, or when a `with` block is left. Raises ApiRefusal if the service refuses to continue it, such as
    `NotAuthenticated` after its key was revoked.
    """

    def __init__(self, settings: StreamSettings) -> None:
        self._settings = settings
        self._last_id = settings.after
        self._ready: Deque[Any] = deque()
        self._group: List[Any] = []
        self._connection: Optional[EventConnection] = None
        self._closed = threading.Event()
        self._connect(time.monotonic() + settings.open_seconds_max)

    @property
    def last_id(self) -> Optional[str]:
        """The sequence of the newest event that the stream has received whole. Once the iterator has given every event,
        a new stream can begin `after` this sequence.
        """
        return self._last_id

    @property
    def is_open(self) -> bool:
        return not self._closed.is_set()

    def __iter__(self) -> Iterator[Union[T, Resumed]]:
        return self

    def __next__(self) -> Union[T, Resumed]:
        while not self._ready:
            if self._closed.is_set():
                raise StopIteration
            try:
                self._take(self._open_connection())
            except (OSError, http.client.HTTPException, ValueError) as error:
                self._resume(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
        return self._ready.popleft()

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the stream: the iterator stops after the events that it has."""
        self._closed.set()
        if self._connection is not None:
            self._connection.close()

    def _open_connection(self) -> EventConnection:
        if self._connection is None:
            raise ConnectionError("the stream has no connection")
        return self._connection

    def _take(self, connection: EventConnection) -> None:
        """Reads one event. Events without an id belong to the next one with an id, and are given together with it: a
        stream that is cut between them is sent all of them again.
        """
        block = connection.read_block()
        if block is None:
            raise ConnectionError("the service ended the stream")
        if "data" in block:
            data = parse_json(block["data"], self._settings.decimals)
            self._group.append(self._settings.decode(block.get("event", "message"), data))
        if "id" in block:
            self._last_id = block["id"]
            self._ready.extend(self._group)
            self._group.clear()

    def _resume(self, reason: str) -> None:
        if self._closed.is_set():
            return
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._group.clear()
        lost_at = time.monotonic()
        self._connect(None)
        if not self._closed.is_set():
            seconds = time.monotonic() - lost_at
            self._ready.append(Resumed("resumed", self._last_id, reason, seconds))
            LOG.info("GET %s: connected again after %.1f s: %s", self._settings.name, seconds, reason)

    def _connect(self, deadline: Optional[float]) -> None:
        """Connects; tries until `deadline`, and without one until the stream is closed."""
        attempt = 0
        while not self._closed.is_set():
            attempt += 1
            try:
                self._connection = EventConnection(self._settings, self._last_id)
            except ApiRefusal as refusal:
                if refusal.status != 429 and refusal.status < 500:
                    self._closed.set()
                    raise
                failure: Exception = refusal
                pause = refusal.retry_after or back_off(attempt)
            except (NotConnected, OSError, http.client.HTTPException) as error:
                failure = Unreachable(f"GET {self._settings.name}: {error}")
                pause = back_off(attempt)
            else:
                # close() may have been called while the connection was being made.
                if self._closed.is_set():
                    self._connection.close()
                return
            if deadline is not None and time.monotonic() + pause > deadline:
                self._closed.set()
                raise failure
            LOG.info("GET %s: connects again in %.1f s: %s", self._settings.name, pause, failure)
            self._closed.wait(pause)
        if deadline is not None:
            raise ClientClosed("The client is closed")


class EventConnection:
    """One connection of a stream, from the head of its answer on."""

    def __init__(self, settings: StreamSettings, last_id: Optional[str]) -> None:
        connection = settings.connections.connect(settings.silence_seconds_max)
        # http.client drops the socket of an answer that ends with its connection.
        self._socket: Any = connection.sock
        headers = {**settings.headers, "Accept": "text/event-stream", "Cache-Control": "no-cache"}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        try:
            connection.request("GET", settings.connections.path(settings.path), headers=headers)
            response = self._response = connection.getresponse()
            if response.status != 200:
                raise api_error(f"GET {settings.name}", response.status, lower_headers(response), response.read())
        except BaseException:
            connection.close()
            self.close()
            raise

    def read_block(self) -> Optional[Mapping[str, str]]:
        """The fields of the next block of lines; None at the end. A block that the end cuts off is left out."""
        fields: "dict[str, str]" = {}
        while True:
            line = self._response.readline()
            if not line.endswith(b"\n"):
                return None
            text = line.rstrip(b"\r\n").decode("utf8")
            if text == "":
                if fields:
                    return fields
                continue
            name, _, value = text.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "data" and "data" in fields:
                fields["data"] += f"\n{value}"
            elif name in ("data", "id", "event"):
                fields[name] = value

    def close(self) -> None:
        with contextlib.suppress(OSError):
            # Wakes the thread that reads.
            self._socket.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self._socket.close()
