"""The client for asyncio."""

from __future__ import annotations

import asyncio
import copy
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, Optional

from ._async_api import AsyncApi
from ._async_backtest import AsyncBacktestStream, ClockScheduler
from ._async_iterators import AsyncPages, AsyncStream
from ._backtest import PATIENCE_SECONDS, AsyncBacktestBots
from ._backtest_clock import BacktestClock
from ._clock import assert_period, next_period
from ._codec import Items, Number, Time
from ._pages import Pages
from ._receipts import Receipt
from ._streams import Stream
from .client import Client, backtest_ended


class AsyncClient(AsyncApi):
    """The methods of `Client` for asyncio: each request runs in a thread, at most `requests_max` at a time, and each
    open stream in one of its own.

    A task that is cancelled while a command is under way does not recall the command. Give such a command an
    `idempotency_key` of your own, and call it again to learn its outcome.
    """

    def __init__(
        self,
        base_url: str = "http://localhost:4000",
        key: Optional[str] = None,
        *,
        decimals: bool = False,
        retry_for: Optional[float] = None,
        timeout: Optional[float] = None,
        requests_max: int = 16,
        idempotency_prefix: Optional[str] = None,
        api_key: Optional[str] = None,
    ) -> None:
        client = Client(
            base_url,
            key or api_key,
            decimals=decimals,
            retry_for=retry_for,
            timeout=timeout,
            idempotency_prefix=idempotency_prefix,
        )
        self._use(client, requests_max)

    def _use(self, client: Client, requests_max: int) -> None:
        self._client = client
        clock = client._seen.clock
        self._scheduler = ClockScheduler(clock) if isinstance(clock, BacktestClock) else None
        self._threads = ThreadPoolExecutor(requests_max, thread_name_prefix="papertrading")

    def _of(self, client: Client) -> AsyncClient:
        """An asynchronous client that sends its requests by this synchronous one."""
        made = copy.copy(self)
        made._use(client, 1)
        return made

    def with_options(self, *, timeout: Optional[float] = None, retry_for: Optional[float] = None) -> AsyncClient:
        """This client with another `timeout` or `retry_for`, as `Client.with_options`."""
        made = copy.copy(self)
        made._client = self._client.with_options(timeout=timeout, retry_for=retry_for)
        return made

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends open streams and pauses between attempts, and refuses further requests."""
        self._client.close()
        self._threads.shutdown(wait=False)

    @property
    def journal_seq(self) -> int:
        """The newest X-Journal-Seq of an answer. 0 before the first."""
        return self._client.journal_seq

    @property
    def receipts(self) -> Items[Receipt]:
        """The receipts of the last 1,000 commands, oldest first."""
        return self._client.receipts

    def backtest(
        self,
        tape: str,
        *,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        participants: int = 1,
        starting_balance: Optional[Number] = None,
        latency_ms: Optional[int] = None,
        feed_latency_ms: Optional[int] = None,
        fee: Optional[Number] = None,
        seed: Optional[int] = None,
        patience_seconds: int = PATIENCE_SECONDS,
    ) -> AsyncBacktestBots:
        """Plays a backtest to its end: `async with client.backtest("made-news") as bots:`; see `Client.backtest`."""
        backtest = self._client.backtest(
            tape,
            from_=from_,
            to=to,
            participants=participants,
            starting_balance=starting_balance,
            latency_ms=latency_ms,
            feed_latency_ms=feed_latency_ms,
            fee=fee,
            seed=seed,
            patience_seconds=patience_seconds,
        )
        return AsyncBacktestBots(self, backtest)

    async def now(self) -> float:
        """The exchange's time, in seconds since 1970 UTC."""
        return await self._run(self._client.now)

    async def sleep(self, seconds: float) -> None:
        """Waits for this many seconds by the exchange's clock. Raises an ApiRefusal with the code `backtest_ended` if a
        backtest ends first.
        """
        # The clock of a backtest has to be read in turn.
        await self.now()
        at = self._client._seen.clock.after(seconds)
        if not await self._has_slept_until(at) and await self.now() < at:
            raise backtest_ended()

    async def every(self, seconds: float) -> AsyncIterator[float]:
        """Gives the exchange's time at once, then every `seconds`; a time that passes while the loop is busy is left
        out.
        """
        assert_period(seconds)
        start = due = await self.now()
        periods = 0
        while await self._has_slept_until(due):
            yield await self.now()
            periods = next_period(periods, await self.now() - start, seconds)
            due = start + periods * seconds

    async def _has_slept_until(self, at: float) -> bool:
        """Waits for a time; False: it will not come, since a backtest has ended."""
        if self._scheduler is not None:
            return await self._scheduler.wait_until(at, self._run_now)
        while (left := at - await self.now()) > 0:
            await asyncio.sleep(left)
        return True

    async def _run(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        call = functools.partial(method, *args, **kwargs)
        return await (self._run_now(call) if self._scheduler is None else self._scheduler.send(self._run_now, call))

    async def _run_now(self, call: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _async_pages(self, pages: Pages[Any]) -> AsyncPages[Any]:
        return AsyncPages(pages, self._run)

    def _async_stream(self, open_stream: Callable[[], Stream[Any]]) -> AsyncStream[Any]:
        if self._scheduler is not None:
            return AsyncBacktestStream(open_stream, self._run, self._scheduler, self._run_now)
        return AsyncStream(open_stream, self._run)
