"""The clock of a live exchange, and Idempotency-Keys that are counted."""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import datetime, timezone

import pytest
from fake_service import ORDER, FakeService, refuse, reply
from papertrading import AsyncClient, Client, ClientClosed

HOUR = 3_600


def test_it_is_this_computers_until_an_answer_has_x_time():
    theirs = time.time() - HOUR
    text = datetime.fromtimestamp(theirs, timezone.utc).isoformat(timespec="milliseconds")
    with FakeService(reply([], X_Time=text.replace("+00:00", "Z"))) as service, Client(service.url) as client:
        assert abs(client.now() - time.time()) < 1
        client.fetch_markets()
        assert -0.001 <= client.now() - theirs < 60


def test_sleep_lasts_as_long_as_it_says_and_ends_where_the_client_is_closed():
    client = Client("http://127.0.0.1:1")
    begun = time.monotonic()
    client.sleep(0.02)
    assert time.monotonic() - begun >= 0.019
    threading.Timer(0.01, client.close).start()
    with pytest.raises(ClientClosed):
        client.sleep(HOUR)


def test_every_gives_the_time_at_once_and_at_each_period_and_leaves_out_what_passed():
    with Client("http://127.0.0.1:1") as client:
        begun = client.now()
        at = []
        for now in client.every(0.02):
            at.append(now - begun)
            if len(at) == 1:
                client.sleep(0.025)  # The second time passes meanwhile.
            if len(at) == 3:
                client.close()
        assert len(at) == 3 and at[0] < 0.02 and at[1] >= 0.04 and at[2] >= 0.06
        with pytest.raises(ValueError):
            client.every(0)


def test_asyncio_has_the_same_clock():
    async def main():
        async with AsyncClient("http://127.0.0.1:1") as client:
            begun = await client.now()
            await client.sleep(0.02)
            assert await client.now() - begun >= 0.019
            begun = await client.now()
            at = []
            async for now in client.every(0.02):
                at.append(now - begun)
                if len(at) == 2:
                    break
            # A busy machine may be late for the first, and then is not late for the second.
            assert at[1] >= 0.019

    asyncio.run(main())


def test_with_a_prefix_keys_are_counted_and_a_repeat_has_the_same_one():
    steps = [reply(ORDER), refuse(503, "unavailable", "later", retry_after="0"), reply(ORDER), reply(ORDER), reply(ORDER)]
    with FakeService(*steps) as service, Client(service.url, idempotency_prefix="mine-") as client:
        for key in (None, None, "given", None):
            client.create_order("rain", "yes", price=0.5, quantity=1, idempotency_key=key)
        keys = [one.headers["idempotency-key"] for one in service.received]
        assert keys == ["mine-1", "mine-2", "mine-2", "given", "mine-3"]
