"""Bodies of requests and answers."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Callable, Type

import pytest
from fake_service import ORDER, FakeService, reply
from papertrading import Client, FillEvent, Items, NewOrder, Order, OrderEvent, parse_time
from papertrading._codec import camel, decode, encode, parse_json, snake
from papertrading.error_codes import MarketNotFound, NotFound
from papertrading.models import AccountEvent, Market


def test_decimals_are_exactly_what_was_sent():
    body = parse_json('{"price": 0.1, "reservedAmount": 12345678.9012, "quantity": 3, "id": "a"}', True)
    order = decode(Order, {**ORDER, **body}, True)
    assert order.price == Decimal("0.1") and order.reserved_amount == Decimal("12345678.9012")
    assert order.quantity == 3 and isinstance(order.quantity, int)
    assert decode(Order, {**ORDER, "price": 1}, True).price == Decimal(1)


def test_numbers_are_floats_otherwise_also_whole_ones():
    order = decode(Order, {**ORDER, "price": 1}, False)
    assert order.price == 1.0 and isinstance(order.price, float)


def test_a_list_keeps_its_gaps():
    assert decode(Market, {"id": "rain", "spark": [None, 0.51]}, False).spark == [None, 0.51]


def test_a_decimal_is_sent_exactly_or_not_at_all():
    assert encode(Decimal("12345678.9012")) == 12345678.9012
    with pytest.raises(ValueError, match="more digits"):
        encode(Decimal("0.12345678901234567891"))


def test_requests_are_in_camel_case_and_leave_none_out():
    made = encode(
        {"orders": [NewOrder("rain", "yes", price=0.5, post_only=True), {"market_id": "snow", "outcome": "no"}]}
    )
    assert made == {
        "orders": [
            {"marketId": "rain", "outcome": "yes", "price": 0.5, "postOnly": True},
            {"marketId": "snow", "outcome": "no"},
        ]
    }


def test_times_are_sent_in_utc():
    there = datetime(2027, 1, 1, 2, 30, tzinfo=timezone(timedelta(hours=2)))
    assert encode(there) == "2027-01-01T00:30:00.000Z"
    assert parse_time("2027-01-01T00:30:00.125Z") == there.replace(microsecond=125_000)
    with pytest.raises(ValueError, match="no time zone"):
        encode(datetime(2027, 1, 1))


def test_names_go_both_ways():
    for name in ("marketId", "volume24h", "last4", "yesBidClose", "asOfSeq", "from"):
        assert camel(snake(name)) == name


def test_unions_are_told_apart():
    seen = {"seq": 1, "accountId": "a"}
    order = decode(AccountEvent, {**seen, "type": "order", "order": ORDER, "reason": None}, False)
    assert isinstance(order, OrderEvent) and order.order.id == "order-1"
    fill = decode(AccountEvent, {**seen, "type": "fill", "fill": {"id": "f", "price": 0.5}, "order": None}, False)
    assert isinstance(fill, FillEvent) and fill.order is None


def test_a_field_that_a_newer_service_adds_changes_nothing():
    assert decode(Order, {**ORDER, "note": "new"}, False) == decode(Order, ORDER, False)


def test_an_empty_id_is_refused_before_it_names_another_path():
    with Client("http://localhost:1") as client, pytest.raises(ValueError, match="must not be empty"):
        client.cancel_order("")


def test_an_id_is_quoted():
    with FakeService(reply(ORDER)) as service, Client(service.url + "/prefix/") as client:
        client.fetch_order("a/b?c")
        assert service.received[0].path == "/prefix/api/orders/a%2Fb%3Fc"


@pytest.mark.parametrize("url", ["ftp://localhost", "http://", "http://localhost?x=1"])
def test_an_address_of_another_kind_is_refused(url):
    with pytest.raises(ValueError, match="base_url"):
        Client(url)


def test_lists_become_frames_where_pandas_is():
    pandas = pytest.importorskip("pandas")
    frame = Items([decode(Order, ORDER, False)]).to_dataframe()
    assert frame.loc[0, "market_id"] == "rain"
    assert frame["created_at"].dtype == "datetime64[ns, UTC]"
    assert pandas.api.types.is_float_dtype(frame["price"])


@pytest.mark.parametrize(
    ("read", "refusal"),
    [
        (lambda client: client.fetch_market("signals"), MarketNotFound),
        (lambda client: client.fetch_order("batch"), NotFound),
        (lambda client: client.fetch_order("preview"), NotFound),
        (lambda client: client.fetch_market(".."), ValueError),
        (lambda client: client.fetch_timeline(""), ValueError),
    ],
)
def test_an_id_never_makes_another_path(read: Callable[[Client], object], refusal: Type[Exception]):
    with FakeService(reply([])) as service, Client(service.url) as client:
        with pytest.raises(refusal):
            read(client)
        assert service.received == []
