"""The exchange's clock, as a client follows it."""

from __future__ import annotations

import math
import threading
import time
from typing import Iterator, Mapping, Optional

from ._codec import parse_time

# The longest single wait: longer ones overflow on some platforms.
WAIT_SECONDS_MAX = 86_400.0

# A sum of seconds since 1970, which are floats, is off by less than this.
TIME_ERROR = 1e-5


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

    def after(self, seconds: float) -> float:
        """The time at which so many seconds will have passed."""
        return self.now() + seconds

    def wait_until(self, at: float, closed: threading.Event) -> bool:
        """Waits for a time; False: it will not come, since the client was closed, or the clock has ended."""
        while not closed.is_set() and self.now() < at:
            closed.wait(min(WAIT_SECONDS_MAX, at - self.now()))
        return not closed.is_set()


def time_of(headers: Mapping[str, str]) -> Optional[float]:
    """The exchange's time in an answer, in seconds since 1970 UTC; None if it has none."""
    text = headers.get("x-time")
    return None if text is None else parse_time(text).timestamp()


def next_period(periods: int, passed: float, seconds: float) -> int:
    """The number of the first period that ends after `passed` seconds, and after so many `periods`. Periods are
    counted, since a sum of fractions would drift.
    """
    return max(periods, math.floor((passed + 2 * TIME_ERROR) / seconds)) + 1


def ticks(clock: LiveClock, seconds: float, closed: threading.Event) -> Iterator[float]:
    """The time at once, then every `seconds`. A time that passed while its reader was busy is left out."""
    start = due = clock.now()
    periods = 0
    while clock.wait_until(due, closed):
        yield clock.now()
        periods = next_period(periods, clock.now() - start, seconds)
        due = start + periods * seconds


def assert_period(seconds: float) -> None:
    """Raises ValueError for a period that has no next time."""
    if not seconds > 0:
        raise ValueError(f"every: must be more than 0 seconds, not {seconds}")
