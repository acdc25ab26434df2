"""A backtest from its start to its report."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Optional

from .errors import ApiRefusal
from .models import BacktestReport, StartedBacktest

if TYPE_CHECKING:
    from .async_client import AsyncClient
    from .client import Client

# How long a backtest waits for a participant's call by default.
PATIENCE_SECONDS = 60

# The pause between two reads of a backtest's state.
STATE_PAUSE_SECONDS = 1.0


def ends_play(error: Optional[BaseException]) -> bool:
    """Whether a failure says that the backtest has ended, or goes on without this participant."""
    return isinstance(error, ApiRefusal) and error.code in ("backtest_ended", "left_out")


class BacktestBots:
    """The clients of a backtest's participants, in the order of their turns: a `with` block plays it.

    After the block the clock goes on to the end, and `report` is there. If the block raises, the backtest is deleted,
    except after a refusal with the code `backtest_ended` or `left_out`: the report has which participants were left
    out. Clients of several participants need a thread each, since each waits for the others.
    """

    def __init__(self, owner: Client, start: Callable[[], StartedBacktest], limit: float) -> None:
        self._owner = owner
        self._start = start
        self._limit = limit
        self._started: Optional[StartedBacktest] = None
        self._report: Optional[BacktestReport] = None
        self._bots: List[Client] = []

    @property
    def started(self) -> StartedBacktest:
        """The backtest's id and address, and the keys of its participants."""
        if self._started is None:
            raise RuntimeError("The backtest starts with its `with` block")
        return self._started

    @property
    def report(self) -> BacktestReport:
        """The report of the backtest."""
        if self._report is None:
            raise RuntimeError("The report is there after the `with` block")
        return self._report

    def __len__(self) -> int:
        return len(self._bots)

    def __getitem__(self, turn: int) -> Client:
        return self._bots[turn]

    def __iter__(self) -> Iterator[Client]:
        return iter(self._bots)

    def __enter__(self) -> BacktestBots:
        started = self._start()
        while any(one.api_key is None for one in started.participants):
            # The answer with the keys was lost, and keys are shown only once.
            self._owner.delete_backtest(started.id)
            started = self._start()
        self._started = started
        self._bots = [self._owner._at(started.base_url, one.api_key, self._limit) for one in started.participants]
        return self

    def __exit__(self, kind: Any, error: Optional[BaseException], trace: Any) -> bool:
        try:
            if error is not None and not ends_play(error):
                self._owner.delete_backtest(self.started.id)
                return False
            self._play_on()
            self._wait_for_end()
            self._report = self._owner.fetch_backtest_report(self.started.id)
            return True
        finally:
            for bot in self._bots:
                bot.close()

    def _play_on(self) -> None:
        """Lets the clock run to the end. All participants wait at the same time."""
        errors: List[Exception] = []

        def wait(bot: Client) -> None:
            try:
                bot.sleep(math.inf)
            except Exception as error:
                if not ends_play(error):
                    errors.append(error)

        threads = [threading.Thread(target=wait, args=(bot,), daemon=True) for bot in self._bots]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    def _wait_for_end(self) -> None:
        """Waits until the backtest has ended. Where all participants were left out, it goes on without them."""
        while self._owner.fetch_backtest(self.started.id).state == "running":
            self._owner.sleep(STATE_PAUSE_SECONDS)


class AsyncBacktestBots:
    """As `BacktestBots`, for asyncio: an `async with` block plays it."""

    def __init__(self, owner: AsyncClient, backtest: BacktestBots) -> None:
        self._owner = owner
        self._backtest = backtest
        self._bots: List[AsyncClient] = []

    @property
    def started(self) -> StartedBacktest:
        """The backtest's id and address, and the keys of its participants."""
        return self._backtest.started

    @property
    def report(self) -> BacktestReport:
        """The report of the backtest."""
        return self._backtest.report

    def __len__(self) -> int:
        return len(self._bots)

    def __getitem__(self, turn: int) -> AsyncClient:
        return self._bots[turn]

    def __iter__(self) -> Iterator[AsyncClient]:
        return iter(self._bots)

    async def __aenter__(self) -> AsyncBacktestBots:
        await self._owner._run(self._backtest.__enter__)
        self._bots = [self._owner._of(bot) for bot in self._backtest]
        return self

    async def __aexit__(self, kind: Any, error: Optional[BaseException], trace: Any) -> bool:
        try:
            return await self._owner._run(lambda: self._backtest.__exit__(kind, error, trace))
        finally:
            for bot in self._bots:
                bot.close()
