"""Streams that are cut, fall silent or are refused."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from fake_service import FakeService, events, never, refuse
from papertrading import (
    AsyncClient,
    BookDelta,
    Client,
    ClientClosed,
    LiveOrderBook,
    NotAuthenticated,
    OrderBook,
    Resumed,
)
from papertrading import client as client_module


def cash(seq: int, amount: float, with_id: bool = True) -> str:
    data = json.dumps({"type": "cash", "seq": seq, "accountId": "a", "cash": amount})
    return (f"id: {seq}\n" if with_id else "") + f"data: {data}\n\n"


OPENING = "retry: 2000\nid: 5\n\n"


def taken(stream, count: int) -> list:
    return [next(stream) for _ in range(count)]


def last_ids(service: FakeService) -> list:
    return [one.headers.get("last-event-id") for one in service.received]


def test_a_cut_stream_goes_on_after_its_last_event_and_says_so():
    first = events(OPENING + cash(6, 1) + ": keep-alive\n\n" + cash(7, 2))
    with FakeService(first, events(cash(8, 3), never)) as service, Client(service.url, "k") as client:
        with client.watch_account() as stream:
            found = taken(stream, 4)
        assert [one.cash for one in found if not isinstance(one, Resumed)] == [1, 2, 3]
        assert isinstance(found[2], Resumed) and found[2].after == "7"
        assert last_ids(service) == [None, "7"]


def test_a_stream_that_is_cut_before_its_first_event_has_no_gap():
    with FakeService(events(OPENING), events(cash(6, 1), never)) as service, Client(service.url) as client:
        with client.watch_account() as stream:
            assert taken(stream, 2)[1].cash == 1
        assert last_ids(service) == [None, "5"]


def test_an_event_without_an_id_is_given_once_though_the_stream_is_cut_behind_it():
    first = events(OPENING + cash(6, 1, with_id=False))
    again = events(cash(6, 1, with_id=False) + cash(6, 1.5), never)
    with FakeService(first, again) as service, Client(service.url) as client, client.watch_account() as stream:
        found = taken(stream, 3)
        assert [getattr(one, "cash", "resumed") for one in found] == ["resumed", 1, 1.5]


def test_half_an_event_is_left_out():
    first = events(OPENING + cash(6, 1)[:-1])
    with FakeService(first, events(cash(6, 1), never)) as service, Client(service.url) as client:
        with client.watch_account() as stream:
            assert taken(stream, 2)[1].cash == 1


def test_a_silent_stream_counts_as_lost(monkeypatch):
    monkeypatch.setattr(client_module, "COMMENT_SECONDS_MAX", 0.2)
    with FakeService(events(OPENING, never), events(cash(6, 1), never)) as service, Client(service.url) as client:
        with client.watch_account() as stream:
            resumed, event = taken(stream, 2)
        assert "timed out" in resumed.reason and event.cash == 1


def test_a_busy_service_is_asked_again_and_a_revoked_key_ends_the_stream():
    busy = refuse(503, "unavailable", "Too many are watching", retry_after="1")
    gone = refuse(401, "not_authenticated", "Not authenticated")
    with FakeService(busy, events(OPENING + cash(6, 1)), busy, gone) as service, Client(service.url) as client:
        stream = client.watch_account(after="5")
        assert next(stream).cash == 1
        with pytest.raises(NotAuthenticated):
            next(stream)
        assert list(stream) == []
        assert last_ids(service) == ["5", "5", "6", "6"]


def test_another_thread_ends_a_stream():
    with FakeService(events(OPENING, never)) as service, Client(service.url) as client:
        stream = client.watch_account()
        found: list = []
        thread = threading.Thread(target=lambda: found.extend(stream))
        thread.start()
        stream.close()
        thread.join(5)
        assert not thread.is_alive() and found == []


def test_a_closed_client_opens_no_stream():
    client = Client("http://localhost:1")
    client.close()
    with pytest.raises(ClientClosed):
        client.watch_account()


SNAPSHOT = {"marketId": "rain", "seq": 10, "yes": {"bids": [{"price": 0.4, "quantity": 5, "orders": 1}], "asks": []}}


def named(name: str, data: dict, id: str = "") -> str:
    return f"event: {name}\n{id}data: {json.dumps(data)}\n\n"


def delta(seq: int, price: float, quantity: int) -> dict:
    return {"seq": seq, "ts": "t", "side": "bid", "price": price, "quantity": quantity}


def test_a_book_follows_its_stream_and_begins_again_with_a_snapshot():
    text = (
        named("snapshot", SNAPSHOT, "id: 10\n")
        + named("delta", delta(11, 0.4, 0))
        + named("delta", delta(11, 0.41, 7), "id: 11\n")
    )
    again = named("snapshot", {**SNAPSHOT, "seq": 20}, "id: 20\n")
    with FakeService(events(text), events(again, never)) as service, Client(service.url) as client:
        book, kinds, bests = LiveOrderBook(), [], []
        with client.watch_order_book("rain") as stream:
            for event in taken(stream, 5):
                book.apply(event)
                kinds.append(type(event))
                bests.append(book.best_bid)
        assert kinds == [OrderBook, BookDelta, BookDelta, Resumed, OrderBook]
        assert bests == [0.4, None, 0.41, 0.41, 0.4]
        assert (book.seq, book.bids, book.asks, book.best_ask) == (20, [(0.4, 5)], [], None)


def test_asyncio_has_the_same():
    async def read(url: str) -> list:
        async with AsyncClient(url) as client, client.watch_account() as stream:
            found = []
            async for event in stream:
                found.append(event)
                if len(found) == 3:
                    break
            return found

    with FakeService(events(OPENING + cash(6, 1)), events(cash(7, 2), never)) as service:
        found = asyncio.run(read(service.url))
    assert [getattr(one, "cash", "resumed") for one in found] == [1, "resumed", 2]


def test_asyncio_raises_what_ends_the_stream():
    async def read(url: str) -> list:
        async with AsyncClient(url) as client:
            return [event async for event in client.watch_account()]

    with FakeService(events(OPENING), refuse(401, "not_authenticated", "Not authenticated")) as service:
        with pytest.raises(NotAuthenticated):
            asyncio.run(read(service.url))
