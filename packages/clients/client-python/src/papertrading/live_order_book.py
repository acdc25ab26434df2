"""An order book that follows a stream."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple, Union

from ._codec import Number
from ._streams import Resumed
from .models import BookDelta, OrderBook, RecentTrade


class LiveOrderBook:
    """A market's order book in YES terms, kept up to date by the events of `watch_order_book`:

    for event in client.watch_order_book(market_id):
        book.apply(event)
    """

    def __init__(self) -> None:
        self.seq = 0
        """The sequence of the journal that the book shows."""
        self._sides: Dict[str, Dict[Number, int]] = {"bid": {}, "ask": {}}

    def apply(self, event: Union[OrderBook, BookDelta, RecentTrade, Resumed]) -> None:
        if isinstance(event, OrderBook):
            self._sides = {
                "bid": {level.price: level.quantity for level in event.yes.bids},
                "ask": {level.price: level.quantity for level in event.yes.asks},
            }
            self.seq = event.seq
        elif isinstance(event, BookDelta):
            side = self._sides[event.side]
            if event.quantity == 0:
                side.pop(event.price, None)
            else:
                side[event.price] = event.quantity
            self.seq = event.seq

    @property
    def bids(self) -> List[Tuple[Number, int]]:
        """Price and quantity of each level, best first."""
        return sorted(self._sides["bid"].items(), reverse=True)

    @property
    def asks(self) -> List[Tuple[Number, int]]:
        """Price and quantity of each level, best first."""
        return sorted(self._sides["ask"].items())

    @property
    def best_bid(self) -> Optional[Number]:
        return max(self._sides["bid"], default=None)

    @property
    def best_ask(self) -> Optional[Number]:
        return min(self._sides["ask"], default=None)
