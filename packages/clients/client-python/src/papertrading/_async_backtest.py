"""The clock of a backtest for asyncio, whose tasks wait at the same time."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, List, Optional, Tuple

from ._async_iterators import AsyncStream, Run, T
from ._backtest_clock import BacktestClock, BacktestStream, WakeCondition, whole_ms

# Turns of the event loop after which woken tasks have made their next call.
SETTLING_TURNS = 16


class ClockScheduler:
    """Moves the clock once no request of the client is under way and a task waits: to the earliest time that a task
    waits for, or to an event that wakes one. Requests are sent one after the other, in the order of their calls.
    """

    def __init__(self, clock: BacktestClock) -> None:
        self.clock = clock
        self._turn: Optional[asyncio.Lock] = None
        self._under_way = 0
        self._waiting: List[Tuple[WakeCondition, "asyncio.Future[None]"]] = []
        self._is_settling = False
        self._run: Optional[Callable[..., Awaitable[Any]]] = None

    async def send(self, run: Callable[..., Awaitable[Any]], work: Callable[[], Any]) -> Any:
        """Runs a request when its turn comes."""
        self._run = run
        # Created within the loop, as Python 3.9 demands.
        turn = self._turn = self._turn or asyncio.Lock()
        self._under_way += 1
        try:
            async with turn:
                return await run(work)
        finally:
            self._under_way -= 1
            self._settle()

    async def wait_until(self, at: float, run: Callable[..., Awaitable[Any]]) -> bool:
        """Waits for a time; False: it will not come, since the backtest has ended."""
        until_ms = whole_ms(at)
        while self.clock.now_ms < until_ms:
            if self.clock.has_ended:
                return False
            await self.wait(WakeCondition(until_ms, ()), run)
        return not self.clock.has_ended

    async def wait(self, condition: WakeCondition, run: Callable[..., Awaitable[Any]]) -> None:
        """Waits until a condition may be true. The caller checks it, and waits again if it is not true yet."""
        self._run = run
        waits = asyncio.get_running_loop().create_future()
        entry = (condition, waits)
        self._waiting.append(entry)
        self._settle()
        try:
            await waits
        finally:
            self._waiting = [one for one in self._waiting if one is not entry]

    def _settle(self, turns: int = SETTLING_TURNS, goes_on: bool = False) -> None:
        if self._is_settling and not goes_on:
            return
        self._is_settling = turns > 0
        if turns > 0:
            asyncio.get_running_loop().call_soon(self._settle, turns - 1, True)
        elif self._under_way == 0 and self._waiting:
            self._advancing = asyncio.get_running_loop().create_task(self._advance())

    async def _advance(self) -> None:
        waiting = [entry for entry in self._waiting if not entry[1].done()]
        if not waiting or self._run is None:
            return
        until_ms = min(condition.until_ms for condition, _ in waiting)
        wakes = list(dict.fromkeys(wake for condition, _ in waiting for wake in condition.wakes))
        try:
            news = await self.send(self._run, lambda: self.clock.wait(WakeCondition(until_ms, wakes)))
        except Exception as error:
            for _, waits in waiting:
                if not waits.done():
                    waits.set_exception(error)
            return
        now_ms = self.clock.now_ms
        for condition, waits in waiting:
            is_woken = any(wake in news for wake in condition.wakes)
            if not waits.done() and (self.clock.has_ended or is_woken or condition.until_ms <= now_ms):
                waits.set_result(None)


class AsyncBacktestStream(AsyncStream[T]):
    """A stream by the clock of a backtest. It reads nothing ahead, since that would move the clock."""

    def __init__(self, open_stream: Callable[[], Any], run: Run, scheduler: ClockScheduler, run_now: Run) -> None:
        super().__init__(open_stream, run)
        self._scheduler = scheduler
        self._run_now = run_now

    async def __anext__(self) -> T:
        if self._stream is None:
            await self._open()
        stream: Any = self._stream
        assert isinstance(stream, BacktestStream)
        while not stream.ready:
            try:
                stream.assert_open()
            except StopIteration:
                raise StopAsyncIteration from None
            condition = stream.source.wakes_on()
            if condition is not None:
                await self._scheduler.wait(condition, self._run_now)
            await self._run(stream.take)
        return stream.ready.popleft()

    async def _open(self) -> None:
        self._stream = await self._run(self._open_stream)
