#!/usr/bin/env python3
"""Quotes both sides of a market around its probability, and moves its quotes with the market and with what it holds.

    PAPER_BASE_URL=http://localhost:4000 PAPER_API_KEY=svc_live_… MARKET=apple-services-record-2027 python3 market_maker.py

FILLS: it ends after so many fills; left out, it goes on until Ctrl+C. Its orders are cancelled either way, also where it
is killed: the dead-man switch does that.
"""

import asyncio
import os

from papertrading import ApiRefusal, AsyncClient, FillEvent, NewOrder, Pulse, RefusedOrder

HALF_SPREAD = 0.02
QUANTITY = 20
# Dollars by which each held share moves the quotes, so that the position shrinks again.
SKEW = 0.0005
SWITCH_SECONDS = 30
REFRESH_SECONDS = 10


def price_of(dollars: float) -> float:
    return min(0.99, max(0.01, round(dollars, 2)))


class MarketMaker:
    def __init__(self, client: AsyncClient, market_id: str, fills_max: float) -> None:
        self.client = client
        self.market_id = market_id
        self.fills_left = fills_max
        self.held = 0
        self.quoted_at = 0.0
        self.quoted_fair = 0.0

    async def quote(self, fair: float) -> None:
        """Replaces both quotes. A bid for NO at 1 - p is an offer of YES at p, and needs no shares."""
        middle = fair - self.held * SKEW
        await self.client.set_dead_man_switch(SWITCH_SECONDS)
        await self.client.cancel_all_orders(market_id=self.market_id)
        bid = NewOrder(self.market_id, "yes", price=price_of(middle - HALF_SPREAD), quantity=QUANTITY, post_only=True)
        offer = NewOrder(
            self.market_id, "no", price=price_of(1 - middle - HALF_SPREAD), quantity=QUANTITY, post_only=True
        )
        for result in await self.client.create_orders([bid, offer]):
            # A quote that would take is cancelled at once, which is not a refusal.
            why = result.error if isinstance(result, RefusedOrder) else result.order.reason
            if why is not None:
                print("not quoted:", why)
        self.quoted_at, self.quoted_fair = await self.client.now(), middle
        print("quotes", bid.price, "/", price_of(middle + HALF_SPREAD), flush=True)

    async def follow_fills(self) -> None:
        """Counts its own fills as they come. The stream resumes by itself, so none is missed."""
        async with self.client.watch_account() as events:
            async for event in events:
                if not isinstance(event, FillEvent):
                    continue
                fill = event.fill
                self.held += fill.quantity if (fill.outcome == "yes") == (fill.side == "buy") else -fill.quantity
                print(
                    "filled", fill.side, fill.quantity, fill.outcome, "at", fill.price, "holds", self.held, flush=True
                )
                # Quotes move at the next pulse.
                self.quoted_at = 0.0
                self.fills_left -= 1
                if self.fills_left <= 0:
                    return

    async def follow_market(self) -> None:
        """Reads a pulse every two seconds: quotes move when the market did, and at least every ten seconds."""
        async with self.client.watch_pulse([self.market_id]) as pulses:
            async for pulse in pulses:
                if not isinstance(pulse, Pulse) or pulse.markets[0].status != "active":
                    continue
                fair = pulse.markets[0].probability
                has_moved = abs(fair - self.held * SKEW - self.quoted_fair) >= HALF_SPREAD
                if has_moved or await self.client.now() - self.quoted_at >= REFRESH_SECONDS:
                    await self.quote(fair)


async def main() -> None:
    url = os.environ.get("PAPER_BASE_URL", "http://localhost:4000")
    async with AsyncClient(url, os.environ.get("PAPER_API_KEY")) as client:
        market_id = os.environ.get("MARKET")
        if market_id is None:
            market_id = (await client.fetch_markets(sort="activity", limit=1))[0].id
        maker = MarketMaker(client, market_id, float(os.environ.get("FILLS", "inf")))
        tasks = [asyncio.create_task(maker.follow_fills()), asyncio.create_task(maker.follow_market())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            try:
                cancelled = await client.cancel_all_orders(market_id=market_id)
                print("ended:", cancelled.cancelled, "orders cancelled")
            except ApiRefusal as error:
                print("ended:", error.message)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
