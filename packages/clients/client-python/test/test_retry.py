"""Requests that are cut, delayed or put off: carried out once, and said where it cannot be known."""

from __future__ import annotations

import threading
import time

import pytest
from fake_service import ORDER, FakeService, cut, cut_within, never, refuse, reply
from papertrading import (
    ApiRefusal,
    Client,
    ClientClosed,
    Forbidden,
    InsufficientBalance,
    KeyLost,
    IdempotencyKeyTooOld,
    Unreachable,
    OutcomeUnknown,
    RateLimited,
    Unavailable,
)
from papertrading._idempotency import age_seconds, new_key

RECEIPT = {"X_Journal_Seq": "17", "X_Journal_Hash": "ab" * 32}


def keys(service: FakeService) -> list:
    return [one.headers.get("idempotency-key") for one in service.received]


@pytest.mark.parametrize("failure", [cut, cut_within, refuse(503, "unavailable", "The service is stopping")])
def test_a_command_whose_answer_is_lost_is_sent_again_with_the_same_key(failure):
    with FakeService(failure, failure, reply(ORDER, **RECEIPT)) as service, Client(service.url, "key-1") as client:
        order = client.create_order("rain", "yes", price=0.56, quantity=10)
        assert order.id == "order-1"
        assert len(service.received) == 3
        assert len(set(keys(service))) == 1 and keys(service)[0] is not None
        assert {one.headers["authorization"] for one in service.received} == {"Bearer key-1"}
        assert order.receipt is not None and (order.receipt.seq, order.receipt.hash) == (17, "ab" * 32)
        assert client.journal_seq == 17 and client.receipts == [order.receipt]


def test_two_commands_have_two_keys():
    with FakeService(reply(ORDER), reply(ORDER)) as service, Client(service.url) as client:
        for _ in range(2):
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert len(set(keys(service))) == 2


def test_429_waits_for_the_time_that_the_service_names():
    busy = refuse(429, "rate_limited", "Too many commands", retry_after="1")
    with FakeService(busy, reply(ORDER)) as service, Client(service.url) as client:
        begun = time.monotonic()
        client.create_order("rain", "yes", price=0.56, quantity=10)
        assert time.monotonic() - begun >= 1


def test_a_pause_beyond_the_limit_is_not_begun():
    busy = refuse(429, "rate_limited", "Too many commands", retry_after="20")
    with FakeService(busy) as service, Client(service.url, retry_for=5) as client:
        begun = time.monotonic()
        with pytest.raises(RateLimited):
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert time.monotonic() - begun < 5


def test_a_refusal_is_not_sent_again():
    with FakeService(refuse(400, "insufficient_balance", "Insufficient balance")) as service, Client(
        service.url
    ) as client:
        with pytest.raises(InsufficientBalance) as caught:
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert (caught.value.status, caught.value.code, caught.value.message) == (
            400,
            "insufficient_balance",
            "Insufficient balance",
        )
        assert len(service.received) == 1


def test_an_unknown_code_is_an_api_error():
    with FakeService(refuse(418, "teapot", "No coffee")) as service, Client(service.url) as client:
        with pytest.raises(ApiRefusal) as caught:
            client.fetch_markets()
        assert (type(caught.value), caught.value.code, caught.value.status) == (ApiRefusal, "teapot", 418)


@pytest.mark.parametrize(
    "failure", [cut, refuse(503, "unavailable", "Starting"), refuse(500, "internal", "Internal error")]
)
def test_a_command_without_an_answer_ends_in_outcome_unknown(failure):
    with FakeService(*[failure] * 50) as service, Client(service.url, retry_for=0.5) as client:
        with pytest.raises(OutcomeUnknown) as caught:
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert {caught.value.idempotency_key} == set(keys(service))


def test_the_key_of_an_unknown_outcome_asks_again():
    with FakeService(cut, reply(ORDER)) as service, Client(service.url, retry_for=0) as client:
        with pytest.raises(OutcomeUnknown) as caught:
            client.create_order("rain", "yes", price=0.56, quantity=10)
        client.create_order("rain", "yes", price=0.56, quantity=10, idempotency_key=caught.value.idempotency_key)
        assert len(set(keys(service))) == 1


def test_a_refused_caller_says_nothing_about_the_attempt_before():
    with FakeService(cut, refuse(403, "forbidden", "Forbidden")) as service, Client(service.url) as client:
        with pytest.raises(OutcomeUnknown) as caught:
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert isinstance(caught.value.__cause__, Forbidden)


def test_a_refused_command_says_that_the_attempt_before_was_refused_too():
    with FakeService(cut, refuse(400, "insufficient_balance", "Insufficient balance")) as service, Client(
        service.url
    ) as client:
        with pytest.raises(InsufficientBalance):
            client.create_order("rain", "yes", price=0.56, quantity=10)


def test_a_command_that_was_never_sent_is_no_unknown_outcome():
    with FakeService() as service:
        url = service.url
    service.server_close()
    with Client(url, retry_for=0.3) as client, pytest.raises(Unreachable):
        client.create_order("rain", "yes", price=0.56, quantity=10)


def test_a_read_ends_with_what_went_wrong():
    with FakeService(*[refuse(503, "unavailable", "Starting")] * 50) as service, Client(
        service.url, retry_for=0.3
    ) as client:
        with pytest.raises(Unavailable):
            client.fetch_markets()
    with FakeService(*[cut] * 50) as service, Client(service.url, retry_for=0.3) as client, pytest.raises(Unreachable):
        client.fetch_markets()


def test_a_slow_answer_counts_as_cut():
    with FakeService(never, reply(ORDER)) as service, Client(service.url, timeout=0.2) as client:
        client.create_order("rain", "yes", price=0.56, quantity=10)
        assert len(set(keys(service))) == 1


def test_a_connection_that_the_service_closed_while_idle_costs_no_pause():
    def last(handler):
        reply(ORDER)(handler)
        handler.close_connection = True

    with FakeService(last, reply(ORDER)) as service, Client(service.url) as client:
        for _ in range(2):
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert len(service.received) == 2


def test_a_key_tells_its_age_and_is_refused_after_24_hours():
    key = new_key()
    age = age_seconds(key)
    assert age is not None and 0 <= age < 5
    assert age_seconds("my-own-key") is None
    old = f"{int((time.time() - 86_400) * 1000):012x}"
    with FakeService() as service, Client(service.url) as client, pytest.raises(IdempotencyKeyTooOld):
        client.create_order(
            "rain", "yes", price=0.5, quantity=1, idempotency_key=f"{old[:8]}-{old[8:]}-7000-8000-000000000000"
        )
    assert service.received == []


def test_cancel_all_is_sent_again_without_a_key_and_says_so():
    answer = {"cancelled": 1, "orderIds": ["order-2"]}
    with FakeService(cut, reply(answer), reply(answer)) as service, Client(service.url) as client:
        again = client.cancel_all_orders(market_id="rain", fleet=True)
        assert (again.cancelled, again.order_ids, again.repeated) == (1, ["order-2"], True)
        assert client.cancel_all_orders().repeated is False
        assert [one.path for one in service.received] == ["/api/orders?marketId=rain&fleet=true"] * 2 + ["/api/orders"]
        assert keys(service) == [None] * 3


ISSUED = {
    "id": "key-1",
    "name": "bot",
    "permissions": ["view", "trade"],
    "last4": "abcd",
    "createdAt": "2026-11-20T12:59:30.000Z",
    "revokedAt": None,
    "mandate": None,
}


def test_a_key_whose_secret_was_lost_is_revoked_and_replaced():
    replaced = {**ISSUED, "id": "key-2", "rawKey": "svc_live_2"}
    steps = [cut, reply({"apiKey": ISSUED}), reply({"ok": True}), reply({"apiKey": replaced})]
    with FakeService(*steps) as service, Client(service.url) as client:
        made = client.create_key("account-1", "bot", ["view", "trade"])
        assert (made.id, made.raw_key) == ("key-2", "svc_live_2")
        assert "svc_live_2" not in repr(made)
        assert [(one.method, one.path) for one in service.received[1:]] == [
            ("POST", "/api/accounts/sub/account-1/keys"),
            ("DELETE", "/api/accounts/keys/key-1"),
            ("POST", "/api/accounts/sub/account-1/keys"),
        ]
        assert service.received[3].body == {"name": "bot", "permissions": ["view", "trade"]}
        assert keys(service)[3] != keys(service)[1]


def test_a_lost_key_that_may_not_be_revoked_is_named():
    with FakeService(cut, reply({"apiKey": ISSUED}), refuse(403, "forbidden", "Forbidden")) as service, Client(
        service.url
    ) as client:
        with pytest.raises(KeyLost) as caught:
            client.create_key("account-1", "bot", ["view"])
        assert (caught.value.key_id, caught.value.account_id) == ("key-1", "account-1")


def test_close_ends_a_pause():
    busy = refuse(429, "rate_limited", "Too many", retry_after="20")
    with FakeService(busy, busy) as service:
        client = Client(service.url)
        failures: list = []

        def read() -> None:
            try:
                client.fetch_markets()
            except ClientClosed as error:
                failures.append(error)

        thread = threading.Thread(target=read)
        thread.start()
        while not service.received:
            time.sleep(0.01)
        client.close()
        thread.join(5)
        assert len(failures) == 1
