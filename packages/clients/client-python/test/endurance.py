"""Bots that trade and watch through connections that are cut, at a service that is killed; and what has to be true then.

    python3 endurance.py DIRECT_URL CUT_URL OPERATOR_TOKEN

It prints `ready` when the bots trade, and stops them at the first line of its input. Then it compares, without the
client, and prints the verdict as JSON. endurance.e2e.spec.ts cuts and kills.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Union
from urllib.parse import urlsplit

from papertrading import (
    AccountEvent,
    ApiRefusal,
    AsyncClient,
    BookDelta,
    CashEvent,
    Client,
    FillEvent,
    LiveOrderBook,
    OrderBook,
    OrderEvent,
    OutcomeUnknown,
    PaperTradingError,
    Resumed,
    Unreachable,
)

MARKET = "endurance"
# Orders rest at 0.40 to 0.60, so this one can be told from them.
LAST_ORDER: Dict[str, Any] = {"outcome": "yes", "price": 0.01, "quantity": 1}
REFUSALS = ("insufficient_balance", "insufficient_shares", "limit_reached")
ORDERS_BETWEEN_CANCELS = 40
STREAM_SECONDS_MAX = 120


def short_of(event: Union[AccountEvent, Dict[str, Any]]) -> str:
    """What tells two events apart, of the client's and of the service's own."""
    if isinstance(event, OrderEvent):
        return f"{event.seq} order {event.order.id} {event.order.status} {event.order.filled_qty}"
    if isinstance(event, FillEvent):
        return f"{event.seq} fill {event.fill.id} {event.fill.quantity}"
    if isinstance(event, CashEvent):
        return f"{event.seq} cash {event.cash:g}"
    if isinstance(event, dict):
        if event["type"] == "order":
            order = event["order"]
            return f"{event['seq']} order {order['id']} {order['status']} {order['filledQty']}"
        if event["type"] == "fill":
            return f"{event['seq']} fill {event['fill']['id']} {event['fill']['quantity']}"
        return f"{event['seq']} cash {event['cash']:g}"
    return f"{event.seq} {event.type}"


class Trader:
    """A bot by the synchronous client."""

    def __init__(self, name: str, key: str, after: int, url: str) -> None:
        self.name, self.key, self.after, self.url = name, key, after, url
        self.random = random.Random(name)
        self.order_ids: List[str] = []
        self.events: List[str] = []
        self.problems: List[str] = []
        self.unknown = self.resumes = self.refused = 0
        self.last_id: Optional[str] = None

    def an_order(self) -> Dict[str, Any]:
        price = self.random.randint(40, 60) / 100
        return {"outcome": self.random.choice(["yes", "no"]), "price": price, "quantity": self.random.randint(1, 5)}

    def failed(self, error: PaperTradingError, sent: Dict[str, Any]) -> bool:
        """Whether to send the order again, as the documentation says; it puts the key of an unknown outcome into it."""
        if isinstance(error, OutcomeUnknown):
            self.unknown += 1
            sent["idempotency_key"] = error.idempotency_key
            return True
        if isinstance(error, ApiRefusal) and error.code in REFUSALS:
            self.refused += 1
            return False
        if isinstance(error, Unreachable) or isinstance(error, ApiRefusal) and error.status == 429:
            return True
        self.problems.append(f"{self.name}: an order ended with {error!r}")
        return False

    def seen(self, event: Union[AccountEvent, Resumed]) -> bool:
        """Notes an event; whether it is the last."""
        if isinstance(event, Resumed):
            self.resumes += 1
            return False
        self.events.append(short_of(event))
        return isinstance(event, OrderEvent) and event.order.price == LAST_ORDER["price"]

    def run(self, stopping: threading.Event) -> None:
        with Client(self.url, self.key) as client, client.watch_account(after=str(self.after)) as stream:
            watching = threading.Thread(target=lambda: any(self.seen(event) for event in stream), daemon=True)
            watching.start()
            while not stopping.is_set():
                self.place(client, self.an_order())
                if self.random.randrange(ORDERS_BETWEEN_CANCELS) == 0:
                    try:
                        client.cancel_all_orders(market_id=MARKET)
                    except (OutcomeUnknown, Unreachable):
                        # The next one does what this one did not.
                        pass
                stopping.wait(self.random.uniform(0, 0.06))
            self.place(client, LAST_ORDER)
            watching.join(STREAM_SECONDS_MAX)

    def place(self, client: Client, order: Dict[str, Any]) -> None:
        sent = dict(order)
        while True:
            try:
                self.order_ids.append(client.create_order(MARKET, **sent).id)
                return
            except PaperTradingError as error:
                if not self.failed(error, sent):
                    return


class AsyncTrader(Trader):
    """A bot by the asynchronous client."""

    def run(self, stopping: threading.Event) -> None:
        asyncio.run(self.trade(stopping))

    async def trade(self, stopping: threading.Event) -> None:
        async with AsyncClient(self.url, self.key) as client:
            async with client.watch_account(after=str(self.after)) as stream:
                watching = asyncio.create_task(self.watch(stream))
                while not stopping.is_set():
                    await self.place_async(client, self.an_order())
                    # Else it has as many open orders as it may after some minutes, and its last order is refused.
                    if self.random.randrange(ORDERS_BETWEEN_CANCELS) == 0:
                        try:
                            await client.cancel_all_orders(market_id=MARKET)
                        except (OutcomeUnknown, Unreachable):
                            # The next one does what this one did not.
                            pass
                    await asyncio.sleep(self.random.uniform(0, 0.06))
                await self.place_async(client, LAST_ORDER)
                await asyncio.wait_for(watching, STREAM_SECONDS_MAX)

    async def watch(self, stream: Any) -> None:
        async for event in stream:
            if self.seen(event):
                return

    async def place_async(self, client: AsyncClient, order: Dict[str, Any]) -> None:
        sent = dict(order)
        while True:
            try:
                self.order_ids.append((await client.create_order(MARKET, **sent)).id)
                return
            except PaperTradingError as error:
                if not self.failed(error, sent):
                    return


def reference(url: str, trader: Trader) -> List[str]:
    """The account's events on one connection that nothing cuts, read without the client."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=STREAM_SECONDS_MAX)
    headers = {"Authorization": f"Bearer {trader.key}", "Last-Event-ID": str(trader.after)}
    connection.request("GET", "/api/stream/account", headers=headers)
    found: List[str] = []
    for line in connection.getresponse():
        if not line.startswith(b"data: "):
            continue
        event = json.loads(line[6:])
        found.append(short_of(event))
        if event["type"] == "order" and event["order"]["price"] == LAST_ORDER["price"]:
            return found
    raise RuntimeError("the reference stream ended")


def judge(url: str, trader: Trader) -> List[str]:
    problems = list(trader.problems)
    with Client(url, trader.key) as client:
        stored = {order.id for order in client.iter_orders(limit=500)}
    acknowledged = set(trader.order_ids)
    counts = {
        "acknowledged for two commands": len(trader.order_ids) - len(acknowledged),
        "acknowledged, and not there": len(acknowledged - stored),
        "placed twice": len(stored - acknowledged),
    }
    problems += [f"{trader.name}: {count} orders were {what}" for what, count in counts.items() if count > 0]
    expected = reference(url, trader)
    if trader.events != expected:
        lost, doubled = len(set(expected) - set(trader.events)), len(trader.events) - len(set(trader.events))
        problems.append(f"{trader.name}: its stream lost {lost} and doubled {doubled} of {len(expected)} events")
    return problems


class BookWatch:
    """Follows the book through the cuts."""

    def __init__(self, url: str) -> None:
        self.client = Client(url)
        self.book = LiveOrderBook()
        self.problems: List[str] = []
        self.events = self.snapshots = 0
        self.stream = self.client.watch_order_book(MARKET)
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self) -> None:
        for event in self.stream:
            if isinstance(event, Resumed):
                continue
            # A delta has the sequence of its decision's last event, a trade its own, which can be earlier.
            if isinstance(event, BookDelta) and event.seq < self.book.seq:
                self.problems.append(f"the book went back from event {self.book.seq} to {event.seq}")
            self.snapshots += isinstance(event, OrderBook)
            self.events += 1
            self.book.apply(event)

    def judge(self, url: str, key: str) -> List[str]:
        with Client(url, key) as direct:
            seq = direct.fetch_order_book(MARKET).seq
            deadline = time.monotonic() + 30
            while self.book.seq < seq and time.monotonic() < deadline:
                time.sleep(0.05)
            self.client.close()
            self.thread.join(10)
            yes = direct.fetch_order_book(MARKET, as_of_seq=self.book.seq).yes
        theirs = [[(level.price, level.quantity) for level in side] for side in (yes.bids, yes.asks)]
        if self.book.seq < seq:
            self.problems.append(f"the book is at event {self.book.seq}, and the service at {seq}")
        if [self.book.bids, self.book.asks] != theirs:
            self.problems.append(f"the book at event {self.book.seq} is not the service's")
        return self.problems


def open_traders(direct: str, cut: str, token: str) -> List[Trader]:
    kinds: List[Callable[..., Trader]] = [Trader, AsyncTrader, Trader]
    with Client(direct, token) as operator:
        listing = {
            "id": MARKET,
            "title": "Does every order come once?",
            "ticker": "ONCE",
            "companySlug": "endurance",
            "sector": "technology",
            "category": "tests",
            "settlementSource": "this run",
            "prior": 0.5,
            "closesAt": "2099-01-01T00:00:00Z",
        }
        operator.request("POST", "/api/operator/markets", body=listing)
        traders = []
        for number, kind in enumerate(kinds, 1):
            body = {"displayName": f"Trader {number}", "startingBalance": 10_000_000}
            made = operator.request("POST", "/api/operator/accounts", body=body, idempotency_key=f"trader-{number}")
            traders.append(kind(f"Trader {number}", made["apiKey"]["rawKey"], operator.journal_seq, cut))
        return traders


def main(direct: str, cut: str, token: str) -> None:
    traders = open_traders(direct, cut, token)
    stopping = threading.Event()
    book = BookWatch(cut)
    threads = [threading.Thread(target=trader.run, args=(stopping,)) for trader in traders]
    for thread in threads:
        thread.start()
    print("ready", flush=True)
    sys.stdin.readline()
    stopping.set()
    for thread in threads:
        thread.join()
    problems = [problem for trader in traders for problem in judge(direct, trader)]
    problems += book.judge(direct, traders[0].key)
    verdict = {
        "orders": sum(len(trader.order_ids) for trader in traders),
        "refused": sum(trader.refused for trader in traders),
        "unknown": sum(trader.unknown for trader in traders),
        "events": sum(len(trader.events) for trader in traders),
        "resumes": sum(trader.resumes for trader in traders),
        "bookEvents": book.events,
        "bookSnapshots": book.snapshots,
        "problems": problems,
    }
    print(json.dumps(verdict), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
