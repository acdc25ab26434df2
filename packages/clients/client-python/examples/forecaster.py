#!/usr/bin/env python3
"""Trades on cited signals: where the source's fair probability is far from the market's, it buys the cheaper side.

    PAPER_BASE_URL=http://localhost:4000 PAPER_API_KEY=svc_live_… python3 forecaster.py

TRADES: it ends after so many trades; left out, it goes on until Ctrl+C. A signal's id makes the Idempotency-Key, so a
restart trades no signal a second time.
"""

import os
from typing import Optional, Set

from papertrading import ApiRefusal, Client, Order, RecentSignal

# The least distance from the market, in dollars a share; below, the money to spend on one signal.
EDGE = 0.05
NOTIONAL = 10
LOOK_EVERY_SECONDS = 2


def trade(client: Client, signal: RecentSignal) -> Optional[Order]:
    """Buys the side that the source considers too cheap; None if the market agrees with the source."""
    if signal.fair_prob is None or signal.market_id is None:
        return None
    market = client.fetch_market(signal.market_id)
    if market.best_yes_ask is not None and signal.fair_prob - market.best_yes_ask >= EDGE:
        outcome, worth = "yes", signal.fair_prob
    elif market.best_no_ask is not None and 1 - signal.fair_prob - market.best_no_ask >= EDGE:
        outcome, worth = "no", 1 - signal.fair_prob
    else:
        return None
    return client.create_order(
        signal.market_id,
        outcome,
        order_type="market",
        notional=NOTIONAL,
        max_price=min(0.99, round(worth - EDGE, 2)),
        idempotency_key=f"forecaster-{signal.id}",
    )


def main() -> None:
    trades_left = float(os.environ.get("TRADES", "inf"))
    seen: Set[str] = set()
    with Client(os.environ.get("PAPER_BASE_URL", "http://localhost:4000"), os.environ.get("PAPER_API_KEY")) as client:
        for _ in client.every(LOOK_EVERY_SECONDS):
            for signal in client.fetch_signals(limit=50):
                if signal.id in seen or trades_left <= 0:
                    continue
                seen.add(signal.id)
                try:
                    order = trade(client, signal)
                except ApiRefusal as error:
                    print("not traded:", error.message)
                    continue
                if order is None or order.filled_qty == 0:
                    continue
                trades_left -= 1
                # Printed by !r, texts of other people cannot steer the terminal.
                print(f"{signal.headline!r} ({signal.source!r}, {signal.citation_url!r})")
                print("  it bought", order.filled_qty, order.outcome, "at", order.price, "| source:", signal.fair_prob)
            if trades_left <= 0:
                break
        balance = client.fetch_balance()
        print("ended:", balance.free, "dollars free,", balance.pnl, "won or lost")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
