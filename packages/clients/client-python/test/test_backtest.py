"""Backtests of a real service."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime

import pytest
from fake_service import FakeService, refuse, reply
from papertrading import AsyncClient, BacktestNotEnded, Client, FillEvent, OrderBook, RecentTrade, TapeNotFound

TAPE = "made-news"


def test_it_is_played_to_its_end_and_gives_the_same_journal_each_time(ann: Client):
    reports = []
    for _ in range(2):
        with ann.backtest(TAPE, to="2026-01-05T15:01:00Z", seed=7) as bots:
            for _ in bots[0].every(20):
                bots[0].create_order(TAPE, "yes", order_type="market", quantity=5)
        reports.append(bots.report)
    assert reports[0].journal == reports[1].journal
    assert len(reports[0].participants[0].fills) >= 3
    lines = ann.iter_backtest_journal(bots.started.id).all()
    assert lines[-1].hash == bots.report.journal.hash
    assert ann.fetch_backtests()[0].state == "ended"


def test_asyncio_follows_its_account_while_it_trades(service, open_account):
    async def main() -> None:
        async with AsyncClient(service.url, open_account("Async").key) as owner:
            async with owner.backtest(TAPE, to="2026-01-05T15:01:00Z") as bots:
                bot = bots[0]
                fills = []

                async def follow() -> None:
                    async for event in bot.watch_account():
                        if isinstance(event, FillEvent):
                            fills.append((event.fill.quantity, await bot.now()))

                async def trade() -> None:
                    await bot.sleep(10)
                    order = await bot.create_order(TAPE, "yes", order_type="market", quantity=5)
                    assert order.filled_qty == 5
                    assert fills == []
                    await bot.sleep(0.001)
                    assert sum(quantity for quantity, _ in fills) == 5

                await asyncio.gather(follow(), trade())
            assert sum(fill.quantity for fill in bots.report.participants[0].fills) == 5

    asyncio.run(main())


def test_a_late_feed_shows_books_their_trades_and_pulses_as_late(ann: Client):
    def seconds(text: str) -> float:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

    late, shown = 5, []
    with ann.backtest(TAPE, to="2026-01-05T15:00:40Z", feed_latency_ms=1000 * late) as bots:
        bot = bots[0]
        bot.sleep(late)
        for pulse, _ in zip(bot.watch_pulse([TAPE]), range(2)):
            assert seconds(pulse.ts) <= bot.now() - late
        for item in bot.watch_order_book(TAPE):
            if isinstance(item, RecentTrade):
                shown.append(seconds(item.created_at) - (bot.now() - late))
            if isinstance(item, OrderBook):
                assert item.yes == bot.fetch_order_book(TAPE, as_of_seq=item.seq).yes
    assert len(shown) > 0 and max(shown) == pytest.approx(0)


def test_it_gives_its_report_where_participants_were_left_out(ann: Client):
    with ann.backtest(TAPE, to="2026-01-05T15:01:00Z", participants=2, patience_seconds=1) as bots:
        # The first bot never calls, and the second one waits for its turn meanwhile.
        bots[1].create_order(TAPE, "yes", order_type="market", quantity=5)
    assert len(bots.report.left_out) == 1 and not bots.report.reproducible
    assert [len(one.fills) > 0 for one in bots.report.participants] == [False, True]
    # The tape goes on to its end without a participant, whose bot may raise what it was refused with.
    with ann.backtest(TAPE, to="2026-01-05T15:01:00Z", patience_seconds=1) as bots:
        time.sleep(1.5)
        bots[0].create_order(TAPE, "yes", order_type="market", quantity=5)
    assert len(bots.report.left_out) == 1 and not bots.report.partial


def test_it_waits_until_the_backtest_has_ended_where_its_participant_was_left_out():
    # A real service plays a short tape to its end at once.
    now = "2026-01-05T15:00:00.000Z"
    times = {"clock": now, "createdAt": now, "endedAt": None}
    backtest = {"id": "b", "tape": "t", "state": "running", "why": None, "eventsDone": 1, "events": 2, **times}
    backtest["participants"] = ["a"]
    with FakeService() as service:
        started = {**backtest, "baseUrl": f"{service.url}/backtest/b", "participants": [{"accountId": "a", "apiKey": "k"}]}
        ended = {**backtest, "state": "ended"}
        left_out = refuse(403, "left_out", "late")
        service.steps = [reply(started), left_out, reply(backtest), reply(ended), refuse(400, "backtest_not_ended", "no")]
        with Client(service.url, "k") as owner, pytest.raises(BacktestNotEnded):
            with owner.backtest("t"):
                pass
        paths = [one.path for one in service.received]
        assert paths[1:] == ["/backtest/b/api/clock", *["/api/backtests/b"] * 2, "/api/backtests/b/report"]


def test_it_is_deleted_where_the_block_raises_and_refused_where_there_is_no_such_tape(ann: Client):
    with pytest.raises(ZeroDivisionError):
        with ann.backtest(TAPE):
            raise ZeroDivisionError
    assert ann.fetch_backtests() == []
    with pytest.raises(TapeNotFound):
        with ann.backtest("none"):
            pass
