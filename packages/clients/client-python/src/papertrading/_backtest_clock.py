"""The clock of a backtest, and its streams: each wait for the next item is an advance of the clock."""

from __future__ import annotations

import math
import re
import threading
import time
import warnings
from collections import deque
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Deque, Dict, Generic, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar
from urllib.parse import urlsplit

from ._clock import TIME_ERROR, LiveClock, time_of
from ._codec import parse_time, utc_text
from ._streams import Stream

T = TypeVar("T")

# The interval of pulses, as on the live exchange.
PULSE_SECONDS = 2.0

EPOCH = datetime.fromtimestamp(0, timezone.utc)

# The API accepts times from 1970 to 2999.
LAST_TIME = datetime(2999, 12, 31, tzinfo=timezone.utc).timestamp()

# A longer pause between two calls is not computation.
IDLE_SECONDS_MAX = 1.0
IDLE_WARNING = (
    "More than a second of wall time passed between two calls, and the clock of the backtest stood still. "
    "Wait by sleep() or every() of the client."
)


def is_backtest(base_url: str) -> bool:
    """Whether the address is that of a backtest, whose clock waits for its participants."""
    return re.search(r"/backtest/[^/]+", urlsplit(base_url if "//" in base_url else f"//{base_url}").path) is not None


class WakeCondition(NamedTuple):
    """The condition that ends a wait."""

    until_ms: float
    """The latest time, in whole milliseconds since 1970 UTC; infinity: the end."""
    wakes: Sequence[str]
    """Some of "account", "book" and "trades"."""


def whole_ms(at: float) -> float:
    """The whole millisecond at which a time in seconds since 1970 UTC has come; infinity beyond the API's times."""
    return math.inf if at > LAST_TIME else math.ceil((at - TIME_ERROR) * 1_000)


class BacktestClock(LiveClock):
    """The clock of a backtest, which moves when all participants wait: in `wait_until`, and in the streams."""

    def __init__(self, read: Callable[[], Any], advance: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        super().__init__()
        self._read = read
        self._advance = advance
        self._now_ms: Optional[int] = None
        self._under_way = 0
        self._idle_since = math.inf
        self._has_warned = False
        self._lock = threading.RLock()
        self.has_ended = False
        # Whether streams show the markets later than reads: `feed_latency_ms` is set.
        self.is_feed_late = False
        # Whether the account may have events that no advance has returned yet.
        self._has_unread = True
        # The readers of the account's events, and whether each gets those of its fleet.
        self._readers: List[Tuple[Deque[Any], bool]] = []

    @property
    def is_over(self) -> bool:
        """Whether the backtest has ended, and every event of the account was read."""
        return self.has_ended and not (self._has_unread and self._readers)

    def note(self, headers: Mapping[str, str]) -> None:
        self.is_feed_late = self.is_feed_late or "x-feed-time" in headers
        self._move_to(time_of(headers))

    def began(self, changes_state: bool) -> None:
        """Counts a request that begins. Warns once if a bot seems to have slept by the wall clock."""
        self._has_unread = self._has_unread or changes_state
        is_idle = self._under_way == 0 and time.monotonic() - self._idle_since > IDLE_SECONDS_MAX
        self._under_way += 1
        if is_idle and not self._has_warned:
            self._has_warned = True
            warnings.warn(IDLE_WARNING, RuntimeWarning, stacklevel=2)

    def finished(self) -> None:
        """Counts a request that has its answer."""
        self._under_way -= 1
        self._idle_since = time.monotonic()

    def now(self) -> float:
        if self._now_ms is None:
            self._read()
        return self.now_ms / 1_000

    @property
    def now_ms(self) -> int:
        """The newest time of an answer, in milliseconds; 0 before the first."""
        return self._now_ms or 0

    def after(self, seconds: float) -> float:
        at_ms = whole_ms(self.now() + seconds)
        # However short it is, a wait moves the clock: otherwise a loop that waits for a time would have no end.
        return max(at_ms, self.now_ms + 1 if seconds > 0 else self.now_ms) / 1_000

    def wait_until(self, at: float, closed: threading.Event) -> bool:
        self.now()
        until_ms = whole_ms(at)
        while self.now_ms < until_ms:
            if closed.is_set() or self.has_ended:
                return False
            self.wait(WakeCondition(until_ms, ()))
        # After the end of a backtest no command is decided, so there is nothing to wait for.
        return not closed.is_set() and not self.has_ended

    @property
    def follows_fleet(self) -> bool:
        """Whether readers get the events of the whole fleet."""
        return any(is_fleet for _, is_fleet in self._readers)

    def follow(self, is_fleet: bool = False) -> Deque[Any]:
        """Collects the account's events from now on; with `is_fleet` all readers are given those of the fleet."""
        # Earlier events do not belong to it.
        self._has_unread = self._has_unread or (is_fleet and not self.follows_fleet)
        while self._has_unread:
            self._wait(WakeCondition(0, ()), is_fleet)
        events: Deque[Any] = deque()
        self._readers.append((events, is_fleet))
        return events

    def unfollow(self, events: Deque[Any]) -> None:
        self._readers = [one for one in self._readers if one[0] is not events]

    def wait(self, condition: WakeCondition) -> Sequence[str]:
        """Waits until a condition may be true. Returns which of its wakes may have happened, and "account" for events
        of the account. The caller checks its condition, and waits again if it is not true yet.
        """
        is_behind = self._has_unread and len(self._readers) > 0
        answer = self._wait(WakeCondition(0, ()) if is_behind else condition)
        # The answer does not say what woke. Another participant may change a market without the clock moving.
        of_markets = [] if answer["waiting"] else [wake for wake in condition.wakes if wake != "account"]
        return ["account", *of_markets] if answer["events"] else of_markets

    def _wait(self, condition: WakeCondition, is_fleet: bool = False) -> Mapping[str, Any]:
        with self._lock:
            body: Dict[str, Any] = {"wake": list(condition.wakes)}
            if math.isfinite(condition.until_ms):
                body["until"] = utc_text(EPOCH + timedelta(milliseconds=max(condition.until_ms, self.now_ms)))
            if is_fleet or self.follows_fleet:
                body["fleet"] = True
            answer = self._advance(body)
            self._move_to(parse_time(answer["now"]).timestamp())
            self.has_ended = self.has_ended or answer["ended"]
            if not answer["waiting"]:
                self._has_unread = answer["more"]
            for events, _ in self._readers:
                events.extend(answer["events"])
            return answer

    def _move_to(self, at: Optional[float]) -> None:
        if at is None:
            return
        at_ms = round(at * 1_000)
        if self._now_ms is None or at_ms > self._now_ms:
            self._now_ms = at_ms


class Source(Generic[T]):
    """The source of a stream's items in a backtest."""

    def wakes_on(self) -> Optional[WakeCondition]:
        """The condition to wait for before the next `take`; None: no wait."""
        raise NotImplementedError

    def take(self) -> List[T]:
        """The items that are available by now."""
        raise NotImplementedError

    def close(self) -> None:
        """Called at the end of the stream."""


class AccountSource(Source[T]):
    """The account's own events, or those of its fleet. `own_id` reads the id of the account."""

    def __init__(
        self, clock: BacktestClock, decode: Callable[[Any], T], is_fleet: bool, own_id: Callable[[], str]
    ) -> None:
        self._clock = clock
        self._decode = decode
        self._is_fleet = is_fleet
        self._own_id = own_id
        self._id: Optional[str] = None
        self._events = clock.follow(is_fleet)

    def wakes_on(self) -> Optional[WakeCondition]:
        return WakeCondition(math.inf, ("account",))

    def take(self) -> List[T]:
        # Another stream of this client may read the whole fleet.
        if not self._is_fleet and self._clock.follows_fleet:
            self._id = self._id or self._own_id()
        events = [self._events.popleft() for _ in range(len(self._events))]
        return [self._decode(event) for event in events if self._id in (None, event["accountId"])]

    def close(self) -> None:
        self._clock.unfollow(self._events)


class PulseSource(Source[T]):
    def __init__(self, clock: BacktestClock, read: Callable[[], T]) -> None:
        self._clock = clock
        self._read = read
        self._due = self._after()

    def _after(self) -> float:
        return (math.floor(self._clock.now() / PULSE_SECONDS) + 1) * PULSE_SECONDS

    def wakes_on(self) -> Optional[WakeCondition]:
        return WakeCondition(whole_ms(self._due), ())

    def take(self) -> List[T]:
        if self._clock.now() < self._due or self._clock.has_ended:
            return []
        self._due = self._after()
        return [self._read()]


class BookSource(Source[T]):
    """Yields the trades of a market and then its book, whenever these have changed. `read` gets a sequence, and
    returns the newest sequence with the later trades, oldest first, and the book.
    """

    def __init__(self, read: Callable[[Optional[int]], Tuple[int, List[T]]]) -> None:
        self._read = read
        self._seq: Optional[int] = None

    def wakes_on(self) -> Optional[WakeCondition]:
        return None if self._seq is None else WakeCondition(math.inf, ("book", "trades"))

    def take(self) -> List[T]:
        seq, items = self._read(self._seq)
        if seq == self._seq:
            return []
        self._seq = seq
        return items


class BacktestStream(Stream[T]):
    """A stream by the clock of a backtest, with which it ends."""

    def __init__(self, clock: BacktestClock, source: Source[T]) -> None:
        self.clock = clock
        self.source = source
        self._last_id = None
        self._ready: Deque[Any] = deque()
        self._connection = None
        self._closed = threading.Event()

    def __next__(self) -> T:
        while not self._ready:
            self.assert_open()
            condition = self.source.wakes_on()
            if condition is not None:
                self.clock.wait(condition)
            self.take()
        return self._ready.popleft()

    def assert_open(self) -> None:
        """Raises StopIteration if the stream is closed or the backtest is over."""
        if self._closed.is_set() or self.clock.is_over:
            self.close()
            raise StopIteration

    def take(self) -> None:
        """Takes the items that the source has."""
        items = self.source.take()
        self._ready.extend(items)
        if items and hasattr(items[-1], "seq"):
            self._last_id = str(getattr(items[-1], "seq"))

    @property
    def ready(self) -> Deque[Any]:
        return self._ready

    def close(self) -> None:
        if not self._closed.is_set():
            self._closed.set()
            self.source.close()
