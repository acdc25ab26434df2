"""The client against a real service."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from papertrading import (
    AsyncClient,
    BookDelta,
    CashEvent,
    Client,
    DuplicateClientOrderId,
    FillEvent,
    Forbidden,
    IdempotencyConflict,
    InsufficientBalance,
    InvalidTick,
    LimitReached,
    LiveOrderBook,
    Mandate,
    MandateExceeded,
    MarketNotFound,
    NewOrder,
    NotAuthenticated,
    NotFound,
    Order,
    OrderEvent,
    PlacedOrder,
    PrimaryAccountRequired,
    RecentTrade,
    RefusedOrder,
    SettledEvent,
    ValidationFailed,
)


def test_an_order_fills_and_shows_everywhere(ann: Client, ben: Client, market: str):
    ben.create_order(market, "no", price=0.4, quantity=10)
    with ann.watch_account() as account, ann.watch_order_book(market) as book_stream:
        order = ann.create_order(market, "yes", order_type="market", quantity=4)
        assert (order.status, order.filled_qty, order.price) == ("filled", 4, 0.6)
        kinds = [type(event) for event in (next(account), next(account), next(account))]
        assert kinds == [OrderEvent, CashEvent, FillEvent]
        book, seen = LiveOrderBook(), []
        for event in book_stream:
            book.apply(event)
            seen.append(type(event))
            if isinstance(event, RecentTrade):
                break
        assert seen[-2:] == [BookDelta, RecentTrade] and book.asks == [(0.6, 6)]
    assert ann.fetch_balance().cash == 9997.6
    assert [(p.side, p.shares) for p in ann.fetch_positions()] == [("yes", 4)]
    (fill,) = ann.fetch_my_trades(market_id=market)
    assert (fill.order_id, fill.role, fill.price, fill.kind) == (order.id, "taker", 0.6, "mint")
    assert [trade.quantity for trade in ann.iter_trades(market_id=market)] == [4]
    assert ann.fetch_order(order.id).average_price == 0.6
    history = ann.fetch_order_history(order.id)
    assert [entry.type for entry in history] == ["OrderPlaced", "OrderFilled"]
    (candle,) = ann.fetch_ohlcv(market, 1440)
    assert (candle.open, candle.volume) == (0.6, 4)
    assert ann.fetch_market(market).last_trade_price == 0.6
    levels = ann.fetch_order_book(market).yes.asks
    assert [(level.price, level.quantity, level.orders) for level in levels] == [(0.6, 6, 1)]


def test_an_order_is_placed_once_though_its_method_is_called_again(ann: Client, market: str):
    orders = [ann.create_order(market, "yes", price=0.2, quantity=5, idempotency_key="quote-1") for _ in range(3)]
    assert len({order.id for order in orders}) == 1
    assert [order.id for order in ann.fetch_open_orders(market)] == [orders[0].id]
    with pytest.raises(IdempotencyConflict):
        ann.create_order(market, "yes", price=0.2, quantity=6, idempotency_key="quote-1")


def test_errors_are_classes(ann: Client, service, market: str):
    with pytest.raises(InvalidTick):
        ann.create_order(market, "yes", price=0.555, quantity=1)
    with pytest.raises(ValidationFailed, match="quantity"):
        ann.create_order(market, "yes", price=0.5, quantity=501)
    with pytest.raises(InsufficientBalance):
        for _ in range(50):
            ann.create_order(market, "yes", price=0.99, quantity=500)
    with pytest.raises(MarketNotFound):
        ann.fetch_market("no-such-market")
    with pytest.raises(NotFound):
        ann.fetch_order_by_client_id("never-sent")
    with Client(service.url, "svc_live_wrong") as stranger, pytest.raises(NotAuthenticated):
        stranger.fetch_me()


def test_an_order_with_more_than_the_single_endpoint_takes(ann: Client, market: str):
    until = datetime.now(timezone.utc) + timedelta(hours=1)
    order = ann.create_order(
        market, "yes", price=0.3, quantity=2, client_order_id="q-1", post_only=True, expires_at=until
    )
    assert isinstance(order, Order) and order.receipt is not None
    detail = ann.fetch_order_by_client_id("q-1")
    assert (detail.id, detail.post_only) == (order.id, True)
    assert detail.expires_at is not None and detail.expires_at[:16] == until.isoformat()[:16]
    with pytest.raises(DuplicateClientOrderId):
        ann.create_order(market, "yes", price=0.3, quantity=2, client_order_id="q-1")


def test_batch_amend_preview_merge_and_cancel(ann: Client, ben: Client, market: str):
    results = ann.create_orders(
        [
            NewOrder(market, "yes", price=0.3, quantity=10),
            NewOrder(market, "yes", price=0.305, quantity=10),
            {"market_id": market, "outcome": "no", "price": 0.3, "quantity": 10},
        ]
    )
    assert [type(result) for result in results] == [PlacedOrder, RefusedOrder, PlacedOrder]
    first = results[0]
    assert isinstance(first, PlacedOrder) and isinstance(results[1], RefusedOrder)
    assert results[1].code == "invalid_tick"
    assert ann.edit_order(first.order.id, price=0.31).price == 0.31
    preview = ben.preview_order(market, "no", order_type="market", quantity=3)
    sent = ben.create_order(market, "no", order_type="market", quantity=3)
    assert (preview.filled_qty, preview.price) == (sent.filled_qty, sent.price) == (3, 0.69)
    ben.create_order(market, "yes", order_type="market", quantity=2)
    assert ben.merge_shares(market).merged == 2
    assert ann.cancel_order(first.order.id) is True
    cancelled = ann.cancel_all_orders(market_id=market)
    assert (cancelled.cancelled, cancelled.repeated) == (1, False)
    assert ann.fetch_open_orders() == []


def test_decimals_are_exact(service, open_account, market: str):
    with Client(service.url, open_account("Decimal").key, decimals=True) as client:
        order = client.create_order(market, "yes", price=Decimal("0.07"), quantity=3)
        assert (order.price, order.reserved_amount) == (Decimal("0.07"), Decimal("0.21"))
        balance = client.fetch_balance()
        assert (balance.cash, balance.reserved, balance.free) == (Decimal(10000), Decimal("0.21"), Decimal("9999.79"))


def test_a_fleet_with_scoped_keys_and_mandates(ann: Client, service, market: str):
    made = ann.create_sub_account("Worker", permissions=["view", "trade"])
    assert made.api_key.raw_key is not None
    ann.set_mandate(made.api_key.id, Mandate(max_order_cost=5, market_ids=[market]))
    with Client(service.url, made.api_key.raw_key) as worker:
        assert worker.fetch_me().mandate == Mandate(max_order_cost=5.0, market_ids=[market])
        worker.create_order(market, "yes", price=0.5, quantity=10)
        with pytest.raises(MandateExceeded):
            worker.create_order(market, "yes", price=0.5, quantity=11)
        with pytest.raises(PrimaryAccountRequired):
            worker.fetch_sub_accounts()
    viewer = ann.create_key(made.sub_account.id, "viewer", ["view"])
    assert viewer.raw_key is not None
    with Client(service.url, viewer.raw_key) as reader, pytest.raises(Forbidden):
        reader.create_order(market, "yes", price=0.5, quantity=1)
    assert ann.set_mandate(made.api_key.id, None).mandate is None
    assert ann.revoke_key(viewer.id) is True
    assert {key.id for key in ann.iter_keys()} >= {made.api_key.id, viewer.id}
    (sub,) = ann.fetch_sub_accounts()
    assert sub.id == made.sub_account.id
    with ann.watch_account(fleet=True) as fleet:
        assert ann.cancel_all_orders(fleet=True).cancelled == 1
        assert next(fleet).account_id == sub.id
    assert ann.rename_account("Ann of the fleet").display_name == "Ann of the fleet"
    assert ann.fetch_me().display_name == "Ann of the fleet"
    with pytest.raises(LimitReached):
        ann.rename_account("Ann again")
    assert sub.closed is None
    assert ann.close_sub_account(sub.id) is True
    assert ann.close_sub_account(sub.id) is True
    assert [account.closed for account in ann.fetch_sub_accounts()] == [True]
    with pytest.raises(Forbidden):
        ann.create_key(sub.id, "late", ["view"])


def test_a_replayed_key_is_replaced(ann: Client, service):
    first = ann.create_sub_account("Twice", idempotency_key="sub-1")
    again = ann.create_sub_account("Twice", idempotency_key="sub-1")
    assert again.sub_account.id == first.sub_account.id
    assert again.api_key.id != first.api_key.id and again.api_key.raw_key is not None
    with Client(service.url, first.api_key.raw_key) as former, pytest.raises(NotAuthenticated):
        former.fetch_me()


def test_dead_man_switch(ann: Client):
    assert ann.set_dead_man_switch(60) == ann.fetch_dead_man_switch() is not None
    assert ann.set_dead_man_switch(0) is None


def test_receipts_hold_in_the_public_journal(ann: Client, market: str):
    orders = [ann.create_order(market, "yes", price=0.1, quantity=n) for n in range(1, 4)]
    receipt = orders[0].receipt
    assert receipt is not None and ann.receipts[-3] == receipt
    proof = ann.verify_receipt(receipt)
    assert proof.through == ann.receipts[-1].seq and proof.event["event"]["orderId"] == orders[0].id


def test_a_settlement_reaches_the_account(ann: Client, ben: Client, operator: Client, market: str):
    ben.create_order(market, "no", price=0.5, quantity=1)
    with ann.watch_account() as account:
        ann.create_order(market, "yes", price=0.5, quantity=1)
        operator.request("POST", f"/api/operator/markets/{market}/resolve", body={"outcome": "yes"})
        for event in account:
            if isinstance(event, SettledEvent):
                assert (event.settled.payout, event.settled.pnl) == (1, 0.5)
                break
    assert ann.fetch_market(market).resolved_outcome == "yes"


def test_reads_for_everyone(service, operator: Client, market: str):
    with Client(service.url) as client:
        assert client.fetch_health().status == "ok"
        assert client.fetch_open_api()["openapi"].startswith("3.1")
        # Reads without a key may lag.
        deadline = time.monotonic() + 10
        while market not in [one.id for one in client.iter_markets(sector="tests")]:
            assert time.monotonic() < deadline, "the new market is not listed"
        assert client.fetch_timeline(market) == []
        assert client.fetch_moments(market, points=5).moments[0].probability == 0.5
        client.fetch_activity()
        client.fetch_leaderboard(limit=1)
        pulse = next(client.watch_pulse([market]))
        assert [entry.id for entry in pulse.markets] == [market]
        assert next(client.iter_journal()).seq == 1


def test_reads_of_the_demo(service):
    with Client(service.url, service.demo_key) as client:
        portfolio = client.fetch_portfolio()
        assert (
            client.fetch_portfolio(as_of_seq=client.journal_seq).summary.display_name == portfolio.summary.display_name
        )
        assert len(client.fetch_market_signals()) > 1
        assert len(client.fetch_signals(limit=1)) <= 1
        assert next(client.iter_ledger()).type == "AccountOpened"
        assert client.download_trades(limit=1)[0] == next(client.iter_all_trades())
        text = client.fetch_ledger_csv(limit=1)
        assert text.startswith("seq,") and client.fetch_ledger(limit=1)[0].shares == 0


def test_asyncio(service, open_account, market: str):
    async def trade() -> None:
        one, two = open_account("Async 1").key, open_account("Async 2").key
        async with AsyncClient(service.url, one) as maker, AsyncClient(service.url, two) as taker:
            await asyncio.gather(*(maker.create_order(market, "no", price=0.5, quantity=1) for _ in range(5)))
            async with taker.watch_account() as events:
                order = await taker.create_order(market, "yes", order_type="market", quantity=5)
                fills = 0
                async for event in events:
                    fills += isinstance(event, FillEvent)
                    if fills == 5:
                        break
            assert order.filled_qty == 5 and order.receipt is not None
            assert (await taker.verify_receipt(order.receipt)).event["event"]["type"] == "OrderFilled"
            assert [order.status async for order in maker.iter_orders(limit=2)] == ["filled"] * 5

    asyncio.run(trade())
