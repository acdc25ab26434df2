"""Pages and streams for asyncio. Each waits in a thread."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, List, Optional, TypeVar, Union

from ._codec import Items
from ._pages import Pages
from ._streams import Resumed, Stream

T = TypeVar("T")

Run = Callable[..., Awaitable[Any]]

# The events that a stream reads ahead of its loop.
QUEUE_MAX = 1_000


class AsyncPages(Generic[T]):
    """Iterates over every item of a list. A page is requested when its first item is needed."""

    def __init__(self, pages: Pages[T], run: Run) -> None:
        self._pages = pages
        self._run = run
        self._items: List[T] = []

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        while not self._items:
            page = await self.next_page()
            if page is None:
                raise StopAsyncIteration
            self._items = list(reversed(page))
        return self._items.pop()

    async def next_page(self) -> Optional[Items[T]]:
        """The items of the next unread page; None after the last."""
        return await self._run(self._pages.next_page)

    async def all(self) -> Items[T]:
        """Every unread item."""
        return Items([item async for item in self])


class AsyncStream(Generic[T]):
    """Iterates over the events of a stream, and over a `Resumed` wherever it had to connect again.

    `async with client.watch_account() as events:` has every event from the beginning of its block on. Without it, the
    stream opens with the first iteration.
    """

    def __init__(self, open_stream: Callable[[], Stream[T]], run: Run) -> None:
        self._open_stream = open_stream
        self._run = run
        self._stream: Optional[Stream[T]] = None
        self._queue: "asyncio.Queue[Any]" = asyncio.Queue()
        self._room = threading.Semaphore(QUEUE_MAX)
        self._ended = False

    @property
    def last_id(self) -> Optional[str]:
        """The sequence of the newest event that the stream has received whole."""
        return None if self._stream is None else self._stream.last_id

    async def __aenter__(self) -> AsyncStream[T]:
        await self._open()
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.close()

    def __aiter__(self) -> AsyncIterator[Union[T, Resumed]]:
        return self

    async def __anext__(self) -> Union[T, Resumed]:
        if self._ended:
            raise StopAsyncIteration
        if self._stream is None:
            await self._open()
        item = await self._queue.get()
        self._room.release()
        if isinstance(item, _End):
            self._ended = True
            if item.error is not None:
                raise item.error
            raise StopAsyncIteration
        return item

    def close(self) -> None:
        """Ends the stream."""
        if self._stream is not None:
            self._stream.close()
        # The reading thread may be waiting for room in the queue.
        self._room.release()

    async def _open(self) -> None:
        stream = self._stream = await self._run(self._open_stream)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(stream, loop), name="papertrading-stream", daemon=True).start()

    def _read(self, stream: Stream[T], loop: asyncio.AbstractEventLoop) -> None:
        error: Optional[BaseException] = None
        try:
            for item in stream:
                self._room.acquire()
                if not stream.is_open:
                    break
                loop.call_soon_threadsafe(self._queue.put_nowait, item)
        except Exception as raised:
            error = raised
        try:
            loop.call_soon_threadsafe(self._queue.put_nowait, _End(error))
        except RuntimeError:
            # The loop has ended, and with it every waiting task.
            stream.close()


class _End:
    def __init__(self, error: Optional[BaseException]) -> None:
        self.error = error
