"""Sends a request until it is answered: again after a cut, 429 and 503. A command is carried out once."""

from __future__ import annotations

import contextlib
import logging
import random
import threading
import time
from typing import Any, Mapping, NamedTuple, Optional

from ._codec import parse_json
from ._http import Connections, Cut, NotConnected, Reply
from ._idempotency import assert_young
from .error_codes import ERROR_CLASSES
from .errors import ApiRefusal, ClientClosed, IdempotencyKeyTooOld, Unreachable, OutcomeUnknown

# Nothing secret is logged: no key, no body, no query.
LOG = logging.getLogger("papertrading")

PAUSE_SECONDS_MAX = 5.0

# A proxy in front of the service answers with these when the connection behind it broke.
UNAVAILABLE = (502, 503, 504)


class Request(NamedTuple):
    method: str
    path: str
    """With its query."""
    headers: Mapping[str, str]
    body: Optional[bytes]
    changes_state: bool
    """Whether it is unknown what was carried out if no answer comes."""
    idempotency_key: Optional[str] = None

    def __str__(self) -> str:
        return f"{self.method} {self.path.split('?')[0]}"


class Answer(NamedTuple):
    """A reply with status 200."""

    reply: Reply
    was_repeated: bool
    """Whether an earlier attempt may have been carried out."""


class Sender:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.closed = threading.Event()

    def close(self) -> None:
        """Ends the pauses between attempts, and refuses further requests."""
        self.closed.set()

    def send(self, request: Request, timeout: float, retry_for: float) -> Answer:
        """Sends for at most `retry_for` seconds; a connection without a byte for `timeout` seconds is cut. Raises
        ApiRefusal, OutcomeUnknown (a command that may have been carried out), or Unreachable.
        """
        deadline = time.monotonic() + retry_for
        may_have_arrived = False
        attempt = 0
        while True:
            attempt += 1
            if self.closed.is_set():
                raise self._ended(request, may_have_arrived, ClientClosed("The client is closed"))
            headers = dict(request.headers)
            if request.idempotency_key is not None:
                self._assert_young(request, may_have_arrived)
                headers["Idempotency-Key"] = request.idempotency_key
            sent_at = time.monotonic()
            try:
                reply = self._connections.send(request.method, request.path, headers, request.body, timeout)
            except NotConnected as error:
                failure: Exception = error
                pause = back_off(attempt)
            except Cut as error:
                failure = error
                may_have_arrived = may_have_arrived or request.changes_state
                # A connection that was idle may have been closed while the request was on its way.
                pause = 0.0 if error.was_reused and attempt == 1 else back_off(attempt)
            else:
                LOG.debug("%s: %d after %.3f s", request, reply.status, time.monotonic() - sent_at)
                if reply.status == 200:
                    return Answer(reply, may_have_arrived)
                refusal = failure = api_error(str(request), reply.status, reply.headers, reply.data)
                if reply.status in UNAVAILABLE:
                    may_have_arrived = may_have_arrived or request.changes_state
                elif reply.status != 429:
                    raise self._ended(request, may_have_arrived, failure)
                pause = refusal.retry_after or back_off(attempt)
            if time.monotonic() + pause > deadline:
                raise self._ended(request, may_have_arrived, failure)
            LOG.info("%s: sent again in %.1f s: %s", request, pause, failure)
            self.closed.wait(pause)

    def _assert_young(self, request: Request, may_have_arrived: bool) -> None:
        try:
            assert_young(request.idempotency_key or "")
        except IdempotencyKeyTooOld as error:
            raise self._ended(request, may_have_arrived, error) from error

    def _ended(self, request: Request, may_have_arrived: bool, failure: Exception) -> Exception:
        """The exception to raise after the last attempt."""
        if isinstance(failure, ApiRefusal):
            # The service looks an Idempotency-Key up after it has admitted the caller, and before it judges the
            # command. So the refusal of a caller says nothing about an earlier attempt, and the refusal of a command
            # does.
            is_open = failure.status in (401, 403, 429) or failure.status >= 500
            if not (is_open and (may_have_arrived or failure.status == 500 and request.changes_state)):
                return failure
        elif not may_have_arrived:
            if isinstance(failure, (ClientClosed, IdempotencyKeyTooOld)):
                return failure
            made: Exception = Unreachable(f"{request}: {failure}")
            made.__cause__ = failure
            return made
        made = OutcomeUnknown(str(request), request.idempotency_key, str(failure))
        made.__cause__ = failure
        return made


def back_off(attempt: int) -> float:
    """The seconds before the next attempt: about 0.2 after the first, twice as many each time, randomly spread."""
    return min(PAUSE_SECONDS_MAX, 0.1 * 2**attempt) * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """The pause that an answer demands, in seconds."""
    text = headers.get("retry-after", "")
    return float(text) if text.isdigit() else None


def api_error(request: str, status: int, headers: Mapping[str, str], data: bytes) -> ApiRefusal:
    """The exception for an answer that is not a 200."""
    body: Any = None
    after = retry_after(headers)
    if headers.get("content-type", "").startswith("application/json"):
        with contextlib.suppress(ValueError):
            body = parse_json(data, False)
    if isinstance(body, dict) and isinstance(body.get("error"), str):
        code = body.get("code")
        return error_class(code)(body["error"], status=status, code=code, request=request, retry_after=after)
    text = data.decode("utf8", "replace").strip()[:500]
    return ApiRefusal(text or "an answer without a text", status=status, request=request, retry_after=after)


def error_class(code: Any) -> Any:
    return ERROR_CLASSES.get(code, ApiRefusal)
