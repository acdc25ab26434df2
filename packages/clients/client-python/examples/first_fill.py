#!/usr/bin/env python3
"""From the install to the first fill and an equity curve, cell by cell: paste it into a notebook, or run it.

    PAPER_BASE_URL=http://localhost:4000 PAPER_API_KEY=svc_live_… python3 first_fill.py

matplotlib draws the curve into equity.png where it is installed; without it, the curve is printed.
"""

# %% Install: the running service has the package.
# !pip install http://localhost:4000/clients/papertrading-0.1.0-py3-none-any.whl

# %% Connect
import os

from papertrading import Client, FillEvent

client = Client(os.environ.get("PAPER_BASE_URL", "http://localhost:4000"), os.environ.get("PAPER_API_KEY"))
start = client.fetch_portfolio().summary
print(start.display_name, "has", start.cash, "dollars")

# %% Choose a market: the most active one that can be bought
markets = client.fetch_markets(sort="activity", limit=50)
market = next(one for one in markets if one.best_yes_ask is not None and one.best_no_ask is not None)
print(repr(market.title), "| YES costs", market.best_yes_ask)

# %% See what an order would do, then place it
preview = client.preview_order(market.id, "yes", order_type="market", quantity=5)
print("preview:", preview.filled_qty, "at", preview.price, "for", preview.cost)
with client.watch_account() as events:
    order = client.create_order(market.id, "yes", order_type="market", quantity=5)
    fill = next(event.fill for event in events if isinstance(event, FillEvent))
print("first fill:", fill.quantity, "at", fill.price, "| order", order.status)

# %% Prove it: the public journal holds the order
proof = client.verify_receipt(order.receipt)
print("event", proof.receipt.seq, "of the journal:", proof.event["event"]["type"])

# %% Trade a little more, and read the equity as of every command
seqs = [client.journal_seq]
for outcome in ("no", "yes", "no"):
    traded = client.create_order(market.id, outcome, order_type="market", quantity=5)
    if traded.receipt is not None:
        seqs.append(traded.receipt.seq)
equity = [client.fetch_portfolio(as_of_seq=seq).summary.portfolio_value for seq in seqs]

# %% The equity curve
try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.step(seqs, equity, where="post")
    pyplot.xlabel("event of the journal")
    pyplot.ylabel("portfolio value in dollars")
    pyplot.savefig("equity.png")
    print("equity.png shows", len(equity), "points")
except ImportError:
    for seq, value in zip(seqs, equity):
        print(f"{seq:>8}  {value:>10.2f}  {'#' * max(1, round(60 + value - start.starting_balance))}")
