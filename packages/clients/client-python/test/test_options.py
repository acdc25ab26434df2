"""The times of a single call, what the client logs, and the default of how long it tries."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest
from fake_service import ORDER, FakeService, cut, never, refuse, reply
from papertrading import AsyncClient, Client, OutcomeUnknown, RateLimited, Unreachable

BUSY = refuse(429, "rate_limited", "Too many commands", retry_after="20")


def test_a_wait_beyond_the_retry_time_is_raised_at_once_with_the_seconds_that_the_service_names():
    with FakeService(BUSY) as service, Client(service.url, retry_for=19) as client:
        begun = time.monotonic()
        with pytest.raises(RateLimited) as caught:
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert caught.value.retry_after == 20
        assert time.monotonic() - begun < 10
        assert len(service.received) == 1


def test_a_key_may_be_given_by_its_former_name():
    with FakeService(reply([])) as service, Client(service.url, api_key="svc_live_one") as client:
        client.fetch_markets()
        assert service.received[0].headers["authorization"] == "Bearer svc_live_one"


def test_a_refusal_without_a_wait_names_none():
    with FakeService(refuse(400, "validation_failed", "no")) as service, Client(service.url) as client:
        with pytest.raises(Exception) as caught:
            client.fetch_markets()
        assert getattr(caught.value, "retry_after") is None


def test_a_call_has_a_retry_time_of_its_own():
    with FakeService(cut, cut, reply(ORDER)) as service, Client(service.url) as client:
        with pytest.raises(OutcomeUnknown):
            client.with_options(retry_for=0).create_order("rain", "yes", price=0.56, quantity=10)
        assert len(service.received) == 1
        client.create_order("rain", "yes", price=0.56, quantity=10)
        assert len(service.received) == 3


def test_a_call_has_a_timeout_of_its_own_also_on_a_connection_that_is_reused():
    with FakeService(reply([]), never, reply([])) as service, Client(service.url, timeout=60) as client:
        client.fetch_markets()
        begun = time.monotonic()
        with pytest.raises(Unreachable):
            client.with_options(timeout=0.2, retry_for=0).fetch_markets()
        assert time.monotonic() - begun < 30
        client.fetch_markets()


def test_a_client_with_options_shares_receipts_and_is_closed_with_the_other():
    receipt = {"X_Journal_Seq": "17", "X_Journal_Hash": "ab" * 32}
    with FakeService(reply(ORDER, **receipt)) as service, Client(service.url) as client:
        client.with_options(timeout=5).create_order("rain", "yes", price=0.56, quantity=10)
        assert (client.journal_seq, len(client.receipts)) == (17, 1)


def test_asyncio_has_the_same():
    async def order(url: str) -> None:
        async with AsyncClient(url) as client:
            with pytest.raises(OutcomeUnknown):
                await client.with_options(retry_for=0).create_order("rain", "yes", price=0.56, quantity=10)

    with FakeService(cut) as service:
        asyncio.run(order(service.url))
        assert len(service.received) == 1


def test_a_command_is_repeated_for_60_seconds_by_default():
    busy = refuse(429, "rate_limited", "Too many commands", retry_after="61")
    with FakeService(busy) as service, Client(service.url) as client:
        with pytest.raises(RateLimited):
            client.create_order("rain", "yes", price=0.56, quantity=10)
    waiting = refuse(429, "rate_limited", "Too many commands", retry_after="59")
    with FakeService(waiting) as service:
        client = Client(service.url)
        client._sender.closed.wait = lambda seconds: client.close()  # type: ignore[method-assign]
        with pytest.raises(Exception) as caught:
            client.create_order("rain", "yes", price=0.56, quantity=10)
        assert not isinstance(caught.value, RateLimited)


def test_the_logger_says_what_is_sent_again_and_no_secret(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG, logger="papertrading")
    again = refuse(503, "unavailable", "The service is stopping")
    with FakeService(again, reply([])) as service, Client(service.url, "svc_live_secret") as client:
        client.fetch_markets(q="private")
    said = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    assert {name for name, _, _ in said} == {"papertrading"}
    assert [level for _, level, _ in said] == ["DEBUG", "INFO", "DEBUG"]
    assert said[1][2].startswith("GET /api/markets: sent again in ")
    assert "The service is stopping" in said[1][2]
    assert not any(secret in text for _, _, text in said for secret in ("svc_live_secret", "private"))
