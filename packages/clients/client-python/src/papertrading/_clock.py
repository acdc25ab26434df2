"""The exchange's clock, as a client follows it."""

from __future__ import annotations

import math
import threading
import time
from typing import Iterator, Mapping, Optional

from ._codec import parse_time

# The longest single wait: longer ones overflow on some platforms.
WAIT_SECONDS_MAX = 86_400.0


class LiveClock:
    """The clock of a live exchange: this computer's, corrected by `X-Time` where an answer has it."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def note(self, headers: Mapping[str, str]) -> None:
        """Reads the time of an answer."""
        at = time_of(headers)
        if at is not None:
            self._ahead = at - time.time()

    def began(self, changes_state: bool) -> None:
        """Counts a request that begins."""

    def finished(self) -> None:
        """Counts a request that has ended, with or without an answer."""

    def now(self) -> float:
        """The exchange's time, in seconds since 1970 UTC."""
        return time.time() + self._ahead

    def wait_until(self, at: float, closed: threading.Event) -> bool:
        """Waits for a time; False: it will not come, since the client was closed, or the clock has ended."""
        while not closed.is_set() and self.now() < at:
            closed.wait(min(WAIT_SECONDS_MAX, at - self.now()))
        return not closed.is_set()


def time_of(headers: Mapping[str, str]) -> Optional[float]:
    """The exchange's time in an answer, in seconds since 1970 UTC; None if it has none."""
    text = headers.get("x-time")
    return None if text is None else parse_time(text).timestamp()


def next_tick(due: float, now: float, seconds: float) -> float:
    """The first time after `now`, and after `due`, that lies whole periods after `due`."""
    return due + seconds * max(1, math.floor((now - due) / seconds) + 1)


def ticks(clock: LiveClock, seconds: float, closed: threading.Event) -> Iterator[float]:
    """The time at once, then every `seconds`. A time that passed while its reader was busy is left out."""
    due = clock.now()
    while clock.wait_until(due, closed):
        yield clock.now()
        due = next_tick(due, clock.now(), seconds)


def assert_period(seconds: float) -> None:
    """Raises ValueError for a period that has no next time."""
    if not seconds > 0:
        raise ValueError(f"every: must be more than 0 seconds, not {seconds}")
