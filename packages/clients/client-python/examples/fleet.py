#!/usr/bin/env python3
"""A fleet of three bots, each with a sub-account and a key that may do no more than it must:

- the reader may look, and nothing else
- the buyer may trade in one market, for 5 dollars an order and 20 a day
- the seller may only sell

    PAPER_BASE_URL=http://localhost:4000 PAPER_API_KEY=svc_live_… MARKET=apple-services-record-2027 python3 fleet.py

PAPER_API_KEY is a primary account's, with the permissions view, trade and master.
"""

import os
from typing import Callable, List, NamedTuple, Optional

from papertrading import ApiRefusal, Client, FillEvent, Forbidden, Mandate, MandateExceeded, Order, Permission

URL = os.environ.get("PAPER_BASE_URL", "http://localhost:4000")


class Bot(NamedTuple):
    name: str
    permissions: List[Permission]
    mandate: Optional[Mandate]


def fleet_of(market_id: str) -> List[Bot]:
    buyer = Mandate(max_order_cost=5, spend_per_day=20, market_ids=[market_id])
    return [
        Bot("Reader", ["view"], None),
        Bot("Buyer", ["view", "trade"], buyer),
        Bot("Seller", ["view", "trade"], Mandate(reduce_only=True)),
    ]


def buy(client: Client, market_id: str, quantity: Optional[int] = None, notional: Optional[float] = None) -> Order:
    return client.create_order(market_id, "yes", order_type="market", quantity=quantity, notional=notional)


def attempt(what: str, place: Callable[[], Order]) -> None:
    """Prints the result of an order; a refusal is a normal result."""
    try:
        order = place()
        print(what, "→", order.status, order.filled_qty, "filled")
    except MandateExceeded as error:
        print(what, "→ its mandate says no:", error.message)
    except Forbidden as error:
        print(what, "→ its key says no:", error.message)
    except ApiRefusal as error:
        print(what, "→ refused:", error.message)


def main() -> None:
    with Client(URL, os.environ.get("PAPER_API_KEY")) as owner:
        market_id = os.environ.get("MARKET") or owner.fetch_markets(sort="activity", limit=1)[0].id
        key_ids: List[str] = []
        clients: List[Client] = []
        try:
            for bot in fleet_of(market_id):
                made = owner.create_sub_account(f"Fleet {bot.name}", permissions=bot.permissions)
                key_ids.append(made.api_key.id)
                # The limits are set before the key is used.
                if bot.mandate is not None:
                    owner.set_mandate(made.api_key.id, bot.mandate)
                clients.append(Client(URL, made.api_key.raw_key))
            reader, buyer, seller = clients
            with owner.watch_account(fleet=True) as events:
                attempt("Reader buys 1", lambda: buy(reader, market_id, quantity=1))
                attempt("Buyer buys for 4 dollars", lambda: buy(buyer, market_id, notional=4))
                attempt("Buyer buys for 50 dollars", lambda: buy(buyer, market_id, notional=50))
                attempt("Seller buys 1", lambda: buy(seller, market_id, quantity=1))
                # The owner sees every bot's events on one stream.
                fill = next(event.fill for event in events if isinstance(event, FillEvent))
                print("the fleet's first fill:", fill.quantity, "at", fill.price)
        finally:
            owner.cancel_all_orders(fleet=True)
            for key_id in key_ids:
                owner.revoke_key(key_id)
            for client in clients:
                client.close()
            print("ended: keys revoked")


if __name__ == "__main__":
    main()
