"""The client for asyncio."""

from __future__ import annotations

import asyncio
import copy
import functools
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, AsyncIterator, Callable, Optional, Type

from ._async_api import AsyncApi
from ._async_iterators import AsyncPages, AsyncStream
from ._clock import assert_period, next_tick
from ._codec import Items
from ._pages import Pages
from ._receipts import Receipt
from ._streams import Stream
from .client import Client


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
        retry_for: float = 60.0,
        timeout: float = 15.0,
        requests_max: int = 16,
        idempotency_prefix: Optional[str] = None,
        api_key: Optional[str] = None,
    ) -> None:
        self._client = Client(
            base_url,
            key or api_key,
            decimals=decimals,
            retry_for=retry_for,
            timeout=timeout,
            idempotency_prefix=idempotency_prefix,
        )
        self._threads = ThreadPoolExecutor(requests_max, thread_name_prefix="papertrading")

    def with_options(self, *, timeout: Optional[float] = None, retry_for: Optional[float] = None) -> AsyncClient:
        """This client with another `timeout` or `retry_for`, as `Client.with_options`."""
        made = copy.copy(self)
        made._client = self._client.with_options(timeout=timeout, retry_for=retry_for)
        return made

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
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

    async def now(self) -> float:
        """The exchange's time, in seconds since 1970 UTC."""
        return await self._run(self._client.now)

    async def sleep(self, seconds: float) -> None:
        """Waits so long by the exchange's clock."""
        await self._sleep_until(await self.now() + seconds)

    async def every(self, seconds: float) -> AsyncIterator[float]:
        """Gives the exchange's time at once, then every `seconds`; a time that passes while the loop is busy is left
        out.
        """
        assert_period(seconds)
        due = await self.now()
        while True:
            await self._sleep_until(due)
            now = await self.now()
            yield now
            due = next_tick(due, await self.now(), seconds)

    async def _sleep_until(self, at: float) -> None:
        while (left := at - await self.now()) > 0:
            await asyncio.sleep(left)

    async def _run(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        call = functools.partial(method, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _async_pages(self, pages: Pages[Any]) -> AsyncPages[Any]:
        return AsyncPages(pages, self._run)

    def _async_stream(self, open_stream: Callable[[], Stream[Any]]) -> AsyncStream[Any]:
        return AsyncStream(open_stream, self._run)
