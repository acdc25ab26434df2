"""Iterators over lists that come in pages."""

from __future__ import annotations

import asyncio

from fake_service import ORDER, ORDER_DETAIL, FakeService, cut, reply
from papertrading import AsyncClient, Client


def page(*ids: str, next_cursor: str = ""):
    orders = [{**ORDER, "id": name, "status": "cancelled" if name.startswith("ended") else "open"} for name in ids]
    link = f'</api/orders?limit=2&cursor={next_cursor}>; rel="next"'
    return reply(orders, **({"Link": link} if next_cursor else {}))


def test_every_page_is_read_when_it_is_needed():
    with FakeService(page("a", "b", next_cursor="x"), cut, page("c")) as service, Client(service.url) as client:
        pages = client.iter_orders(limit=2, status="open")
        assert service.received == []
        assert next(pages).id == "a"
        assert len(service.received) == 1
        assert [order.id for order in pages] == ["b", "c"]
        paths = [one.path for one in service.received]
        assert paths == ["/api/orders?status=open&limit=2"] + ["/api/orders?limit=2&cursor=x"] * 2


def test_open_orders_are_every_page_of_their_endpoint():
    def open_page(*ids: str, **headers: str):
        return reply({"orders": [{**ORDER_DETAIL, "id": name} for name in ids], "seq": 9}, **headers)

    first = open_page("a", "b", Link='</api/orders/open?cursor=x>; rel="next"')
    with FakeService(first, open_page("c")) as service, Client(service.url) as client:
        orders = client.fetch_open_orders("rain", fleet=True)
        assert [order.id for order in orders] == ["a", "b", "c"]
        assert (orders[0].client_order_id, orders[0].post_only, orders[0].seq) == ("bid-1", True, 9)
        paths = [one.path for one in service.received]
        assert paths == ["/api/orders/open?marketId=rain&fleet=true", "/api/orders/open?cursor=x"]


def test_asyncio_has_the_same():
    async def read(url: str):
        async with AsyncClient(url) as client:
            return [order.id async for order in client.iter_orders()]

    with FakeService(page("a", "b", next_cursor="x"), page("c")) as service:
        assert asyncio.run(read(service.url)) == ["a", "b", "c"]
