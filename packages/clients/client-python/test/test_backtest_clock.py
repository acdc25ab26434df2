"""The clock of a backtest with one participant, by threads and by asyncio."""

from __future__ import annotations

import asyncio
import math
import re
import time
import warnings
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, NamedTuple, Sequence

import pytest
from fake_service import FakeService, Received, Step, refuse, reply
from papertrading import ApiRefusal, AsyncClient, Client
from papertrading._codec import parse_time

START = datetime(2026, 1, 5, 15, tzinfo=timezone.utc).timestamp()
HOUR = 3_600
ADVANCES_MAX = 100


def iso(seconds: float) -> str:
    text = datetime.fromtimestamp(START + seconds, timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def cash(seq: int) -> Dict[str, Any]:
    return {"type": "cash", "seq": seq, "accountId": "a", "cash": seq}


class Moment(NamedTuple):
    at: float
    wakes: Sequence[str] = ()
    events: Sequence[Dict[str, Any]] = ()


class FakeBacktest(FakeService):
    """Plays these moments; `other` answers all that is not about the clock."""

    def __init__(self, *moments: Moment) -> None:
        super().__init__()
        self.moments = list(moments)
        self.now = 0.0
        self.unread: List[Dict[str, Any]] = []
        self.advances: List[Dict[str, Any]] = []
        self.other: Callable[[Received], Any] = lambda received: []

    @property
    def address(self) -> str:
        return f"{self.url}/backtest/b"

    def take(self, received: Received) -> Step:
        self.received.append(received)
        if len(self.advances) >= ADVANCES_MAX:
            return refuse(400, "validation", "a test advances less often")
        if not received.path.startswith("/backtest/b/api/clock"):
            return reply(self.other(received), X_Time=iso(self.now))
        if received.method == "POST":
            self.advances.append(received.body)
            self.play(received.body)
        events, self.unread = self.unread, []
        clock = {"now": iso(self.now), "ended": not self.moments, "waiting": False, "events": events, "more": False}
        return reply(clock, X_Time=iso(self.now))

    def play(self, body: Dict[str, Any]) -> None:
        text = body.get("until")
        until = math.inf if text is None else round(parse_time(text).timestamp() - START, 3)
        while self.now < until and self.moments:
            if self.moments[0].at > until:
                self.now = until
                return
            moment = self.moments.pop(0)
            self.now = moment.at
            self.unread += moment.events
            if any(wake in body.get("wake", ["account"]) for wake in moment.wakes):
                return


def test_it_is_read_below_the_path_of_the_backtest_and_follows_x_time():
    with FakeBacktest(Moment(9)) as backtest, Client(backtest.address + "/") as client:
        assert client.now() == START
        backtest.now = 0.05
        client.fetch_markets()
        assert client.now() == START + 0.05
        paths = [one.path for one in backtest.received]
        assert paths == ["/backtest/b/api/clock", "/backtest/b/api/markets"]


def test_sleep_and_every_advance_it_and_end_with_it():
    with FakeBacktest(Moment(HOUR)) as backtest, Client(backtest.address) as client:
        client.sleep(60)
        assert backtest.advances == [{"until": iso(60), "wake": []}]
        assert [now - START for now in client.every(1_200)] == [60, 1_260, 2_460]
        with pytest.raises(ApiRefusal) as caught:
            client.sleep(1)
        assert caught.value.code == "backtest_ended" and caught.value.status == 400


# Waits in seconds, and the times at which they end. As floats, 15:00:00.015 + 0.2 is not 15:00:00.215.
FRACTIONS = [(0.2, 0.215), (1 / 3, 0.549), (0.0004, 0.55), (1e-9, 0.551), (0.449, 1)]
PERIODS = [(0.1, [1, 1.1, 1.2, 1.3]), (1 / 3, [1.3, 1.634, 1.967, 2.3]), (2e-6, [2.3, 2.301, 2.302, 2.303])]


def test_fractions_of_a_millisecond_go_to_the_next_whole_one():
    with FakeBacktest(Moment(9)) as backtest, Client(backtest.address) as client:
        backtest.now = 0.015
        for seconds, then in FRACTIONS:
            client.sleep(seconds)
            assert client.now() == pytest.approx(START + then, abs=1e-6)
        assert [one["until"] for one in backtest.advances] == [iso(then) for _, then in FRACTIONS]
        for seconds, times in PERIODS:
            assert [round(now - START, 4) for _, now in zip(times, client.every(seconds))] == times
        # A time that passes while the loop is busy is left out, also where its end is the end of a period.
        busy = []
        for now in client.every(0.2):
            busy.append(round(now - START, 4))
            client.sleep(0.4)
            if len(busy) == 4:
                break
        assert busy == [2.303, 2.903, 3.503, 4.103]


def test_asyncio_goes_to_the_next_whole_millisecond_too():
    async def main(address: str) -> None:
        async with AsyncClient(address) as client:
            for seconds, then in FRACTIONS:
                await client.sleep(seconds)
                assert await client.now() == pytest.approx(START + then, abs=1e-6)
            for seconds, times in PERIODS:
                found = []
                async for now in client.every(seconds):
                    found.append(round(now - START, 4))
                    if len(found) == len(times):
                        break
                assert found == times

    with FakeBacktest(Moment(9)) as backtest:
        backtest.now = 0.015
        asyncio.run(main(backtest.address))
        assert [one["until"] for one in backtest.advances][: len(FRACTIONS)] == [iso(then) for _, then in FRACTIONS]


@pytest.mark.parametrize("seconds", [math.inf, 1e300, 1e12, 9_007_199_254_740_991, 974 * 366 * 86_400])
def test_a_time_after_2999_which_the_api_does_not_accept_is_the_end(seconds: float):
    async def main(address: str) -> None:
        async with AsyncClient(address) as client:
            await client.sleep(seconds)

    with FakeBacktest(Moment(9)) as backtest, Client(backtest.address) as client:
        with pytest.raises(ApiRefusal, match="ended"):
            client.sleep(seconds)
        assert backtest.advances == [{"wake": []}]
    with FakeBacktest(Moment(9)) as backtest:
        with pytest.raises(ApiRefusal, match="ended"):
            asyncio.run(main(backtest.address))


def test_a_sleep_that_lasts_to_the_end_is_no_refusal():
    with FakeBacktest(Moment(0.215)) as backtest, Client(backtest.address) as client:
        backtest.now = 0.015
        client.sleep(0.2)
        with pytest.raises(ApiRefusal, match="ended"):
            client.sleep(1e-7)


def test_an_accounts_stream_is_an_advance_gives_what_own_commands_caused_at_once_and_ends():
    moments = [Moment(5, events=[cash(5)]), Moment(7, ["account"], [cash(7), cash(8)]), Moment(9)]
    with FakeBacktest(*moments) as backtest, Client(backtest.address) as client:
        backtest.unread = [cash(1)]

        def cancel(received: Received) -> Any:
            backtest.unread.append(cash(9))
            return {"ok": True}

        backtest.other = cancel
        found = []
        with client.watch_account() as events:
            for event in events:
                found.append((event.seq, client.now() - START))
                if event.seq == 8:
                    client.cancel_order("o")
        # The first is from before the stream, as with the live exchange.
        assert found == [(5, 7), (7, 7), (8, 7), (9, 7)]
        assert backtest.advances[1:] == [{"wake": ["account"]}, {"until": iso(7), "wake": []}, {"wake": ["account"]}]
        keys = [one.headers.get("idempotency-key") for one in backtest.received if one.method == "DELETE"]
        assert keys == ["backtest-1"]


def test_a_fleets_stream_advances_by_the_events_of_all_accounts():
    of_sub = {**cash(6), "accountId": "b"}
    with FakeBacktest(Moment(5, ["account"], [cash(5), of_sub]), Moment(9)) as backtest:
        with Client(backtest.address) as client:
            found = [(event.seq, event.account_id) for event in client.watch_account(fleet=True)]
        assert found == [(5, "a"), (6, "b")]
        assert all(advance["fleet"] for advance in backtest.advances)


def test_pulses_come_every_two_seconds():
    market = {"id": "m", "probability": 0.4, "seq": 4, "status": "active", "title": "M", "volume": 0}
    with FakeBacktest(Moment(6)) as backtest, Client(backtest.address) as client:
        backtest.other = lambda received: market
        # None comes at the end, at which nothing can be done any more.
        pulses = [(pulse.ts, pulse.markets[0].probability) for pulse in client.watch_pulse(["m"])]
        assert pulses == [(iso(2), 0.4), (iso(4), 0.4)]


def test_a_book_comes_when_it_changes_after_the_trades_that_changed_it():
    with FakeBacktest(Moment(1, ["book"]), Moment(3, ["book"]), Moment(6.5)) as backtest:
        with Client(backtest.address) as client:

            def read(received: Received) -> Any:
                if "/trades/" in received.path:
                    return [{"seq": seq, "price": 0.4, "yesPrice": 0.4, "notional": 1} for seq in (6, 5, 4)]
                return {"marketId": "m", "seq": 4 if backtest.now < 3 else 6}

            backtest.other = read
            found = [(type(item).__name__, item.seq, client.now() - START) for item in client.watch_order_book("m")]
            trades = [("RecentTrade", 5, 3), ("RecentTrade", 6, 3)]
            assert found == [("OrderBook", 4, 0), *trades, ("OrderBook", 6, 3)]


@pytest.mark.parametrize("by", ["threads", "asyncio"])
def test_a_book_comes_at_each_change_of_one_moment_in_which_other_participants_trade_later(by: str):
    def by_threads(address: str) -> List[Any]:
        with Client(address) as client:
            return [(item.seq, client.now() - START) for item in client.watch_order_book("m")]

    async def by_asyncio(address: str) -> List[Any]:
        async with AsyncClient(address) as client:
            return [(item.seq, await client.now() - START) async for item in client.watch_order_book("m")]

    with FakeBacktest(Moment(1, ["book"]), Moment(1, ["book"]), Moment(6.5)) as backtest:

        def read(received: Received) -> Any:
            return [] if "/trades/" in received.path else {"marketId": "m", "seq": min(6, 4 + len(backtest.advances))}

        backtest.other = read
        found = by_threads(backtest.address) if by == "threads" else asyncio.run(by_asyncio(backtest.address))
        assert found == [(4, 0), (5, 1), (6, 1)]
        assert len(backtest.advances) == 3


def test_a_stream_of_asyncio_reads_nothing_while_the_clock_waits_for_other_participants():
    async def main(address: str) -> None:
        async with AsyncClient(address) as client:
            assert [item.seq async for item in client.watch_order_book("m")] == [4]

    clock = {"now": iso(0), "ended": False, "waiting": True, "events": [], "more": False}
    book, end = reply({"marketId": "m", "seq": 4}, X_Time=iso(0)), reply({**clock, "ended": True, "waiting": False})
    late = [reply(clock, X_Time=iso(seconds)) for seconds in (1, 2)]
    with FakeService(reply(clock, X_Time=iso(0)), book, *late, end, book) as service:
        asyncio.run(main(f"{service.url}/backtest/b"))
        paths = [re.sub(r"^/backtest/b/api/|[?].*$", "", one.path) for one in service.received]
        assert [path for path in paths if path != "clock"] == ["orderbook/m", *["clock/advance"] * 3, "orderbook/m"]


def test_asyncio_waits_for_all_tasks_and_goes_to_the_first_time_of_all():
    async def main(address: str) -> List[str]:
        said: List[str] = []
        async with AsyncClient(address) as client:

            async def note(what: str) -> None:
                said.append(f"{what} at {await client.now() - START:g}")

            async def follow() -> None:
                async with client.watch_account() as events:
                    async for event in events:
                        await note(f"event {event.seq}")

            async def look() -> None:
                async for _ in client.every(2):
                    # A request holds the clock, also where another task waits.
                    await client.fetch_markets()
                    await note("look")
                    if len(said) > 3:
                        break

            await asyncio.gather(follow(), look())
            with pytest.raises(ApiRefusal):
                await client.sleep(1)
        return said

    for _ in range(5):
        with FakeBacktest(Moment(3, ["account"], [cash(3)]), Moment(20)) as backtest:
            assert asyncio.run(main(backtest.address)) == ["look at 0", "look at 2", "event 3 at 3", "look at 4"]


def test_asyncio_sends_one_request_after_the_other_in_the_order_of_the_calls():
    async def main(address: str) -> None:
        async with AsyncClient(address) as client:
            await asyncio.gather(*(client.cancel_order(id) for id in "abcdefgh"))

    with FakeBacktest(Moment(9)) as backtest:
        backtest.other = lambda received: {"ok": True}
        asyncio.run(main(backtest.address))
        sent = [(one.path[-1], one.headers["idempotency-key"]) for one in backtest.received]
        assert sent == [(id, f"backtest-{number}") for number, id in enumerate("abcdefgh", 1)]


def test_a_refusal_of_the_clock_ends_all_waits_of_asyncio():
    async def main(address: str) -> None:
        async with AsyncClient(address) as client:
            results = await asyncio.gather(client.sleep(1), client.sleep(2), return_exceptions=True)
            assert [getattr(one, "code") for one in results] == ["left_out", "left_out"]

    late = refuse(403, "left_out", "late")
    with FakeService(reply({}, X_Time=iso(0)), late) as service:
        asyncio.run(main(f"{service.url}/backtest/b"))


def test_a_bot_that_sleeps_by_the_wall_clock_is_warned_once(monkeypatch):
    slept = 0.0
    real = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: real() + slept)
    with FakeBacktest(Moment(9)) as backtest, Client(backtest.address) as client:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            client.fetch_markets()
            client.fetch_markets()
            assert caught == []
            for _ in range(2):
                slept += 1.5
                client.fetch_markets()
        assert [str(one.message) for one in caught if "sleep() or every()" in str(one.message)] != []
        assert len(caught) == 1
