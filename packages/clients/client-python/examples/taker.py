#!/usr/bin/env python3
"""Follows moves: where a market's probability has moved far within a minute, it buys the side that it moved to, and
sells a minute later.

    PAPER_BASE_URL=http://localhost:4000 PAPER_API_KEY=svc_live_… MARKET=apple-services-record-2027 python3 taker.py

TRADES: it ends after so many purchases that it has sold; left out, it goes on until Ctrl+C. LOOK_SECONDS, HOLD_SECONDS:
how often it looks, and how long it holds.
"""

import os
from collections import deque
from typing import Deque, NamedTuple, Optional

from papertrading import ApiRefusal, Client, Outcome, Side

LOOK_SECONDS = float(os.environ.get("LOOK_SECONDS", "5"))
HOLD_SECONDS = float(os.environ.get("HOLD_SECONDS", "60"))
# The number of looks within which a price change counts as a move: a minute.
LOOKS = 12
# The dollars by which the probability has to move.
MOVE = 0.03
QUANTITY = 20


class Held(NamedTuple):
    outcome: Outcome
    quantity: int
    since: float


def trade(client: Client, market_id: str, side: Side, outcome: Outcome, quantity: int) -> int:
    """Places a market order; returns the shares that were filled."""
    try:
        order = client.create_order(market_id, outcome, side=side, order_type="market", quantity=quantity)
    except ApiRefusal as error:
        print("not traded:", error.message)
        return 0
    if order.filled_qty > 0:
        print(order.side, order.filled_qty, order.outcome, "at", order.price, flush=True)
    return order.filled_qty


def main() -> None:
    trades_max = float(os.environ.get("TRADES", "inf"))
    looks: Deque[float] = deque(maxlen=LOOKS)
    held: Optional[Held] = None
    trades = 0
    url = os.environ.get("PAPER_BASE_URL", "http://localhost:4000")
    with Client(url, os.environ.get("PAPER_API_KEY")) as client:
        market_id = os.environ.get("MARKET") or client.fetch_markets(sort="activity", limit=1)[0].id
        for now in client.every(LOOK_SECONDS):
            market = client.fetch_market(market_id)
            if market.status != "active":
                continue
            looks.append(market.probability)
            if held is not None:
                if now - held.since < HOLD_SECONDS:
                    continue
                left = held.quantity - trade(client, market_id, "sell", held.outcome, held.quantity)
                held = None if left == 0 else held._replace(quantity=left)
                if held is None:
                    trades += 1
                    if trades >= trades_max:
                        break
                continue
            move = market.probability - looks[0]
            if abs(move) < MOVE:
                continue
            outcome: Outcome = "yes" if move > 0 else "no"
            quantity = trade(client, market_id, "buy", outcome, QUANTITY)
            if quantity == 0:
                continue
            held = Held(outcome, quantity, now)
            looks.clear()
        print("ended:", trades, "times bought and sold,", client.fetch_balance().pnl, "dollars won or lost")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
