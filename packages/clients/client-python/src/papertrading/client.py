"""The synchronous client."""

from __future__ import annotations

import copy
import functools
import json
import threading
from collections import deque
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from typing import Any, Deque, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, TypeVar, Union
from urllib.parse import urlencode

from ._api import Api
from ._backtest import PATIENCE_SECONDS, BacktestBots
from ._backtest_clock import AccountSource, BacktestClock, BacktestStream, BookSource, PulseSource, is_backtest
from ._clock import LiveClock, assert_period, ticks
from ._codec import Items, Model, Number, Time, camel, decode, encode, parse_json, query_text, quoted, utc_text
from ._http import Connections
from ._idempotency import Keys, new_key
from ._pages import Page, Pages, next_path
from ._receipts import Proof, Receipt, check, line_of
from ._retry import Answer, Request, Sender, error_class
from ._streams import Stream, StreamSettings
from ._version import VERSION
from .errors import ApiRefusal, ClientClosed, KeyLost, OutcomeUnknown
from .models import (
    AccountEvent,
    ApiKey,
    BookDelta,
    CancelledOrders,
    CreatedApiKey,
    CreatedSubAccount,
    IssuedApiKey,
    JournalLine,
    LedgerEntry,
    LimitedApiKey,
    Mandate,
    Market,
    NewOrder,
    OpenOrders,
    Order,
    OrderBatch,
    OrderBook,
    OrderDetail,
    OrderResult,
    Outcome,
    Permission,
    Portfolio,
    Pulse,
    PulseEntry,
    RecentTrade,
    RefusedOrder,
    Side,
    Trade,
)

# The receipts that a client remembers.
RECEIPTS_MAX = 1_000

# The service sends a comment every 15 s, and a pulse every 2 s.
COMMENT_SECONDS_MAX = 35.0
PULSE_SECONDS_MAX = 10.0

# The markets of a pulse that names none.
PULSE_MARKETS = 50

# The longest wait for a turn in a backtest by default: 20 participants, each of which may take a minute; and a minute
# more.
TURN_SECONDS_MAX = 1_260.0

# A key whose secret was lost is replaced so many times.
REPLACED_KEYS_MAX = 5


@dataclass(frozen=True)
class Balance(Model):
    """The money of an account, in dollars."""

    cash: Number
    """All cash, including what open orders reserve."""
    reserved: Number
    """The part of the cash that open buy orders reserve."""
    free: Number
    """What an order can spend."""
    portfolio_value: Number
    """The cash plus the positions at their mark prices."""
    pnl: Number
    """The portfolio's value minus the starting balance."""


Made = TypeVar("Made", bound="Client")


class Seen:
    """The state that a client shares with its copies (`with_options`)."""

    def __init__(self, clock: LiveClock, idempotency_prefix: Optional[str]) -> None:
        self.lock = threading.Lock()
        self.clock = clock
        self.journal_seq = 0
        self.keys = Keys(idempotency_prefix)
        self.receipts: Deque[Receipt] = deque(maxlen=RECEIPTS_MAX)
        self.streams: List[Stream[Any]] = []


class Client(Api):
    """A client of a Paper Trading Service. Threads may share it.

    Each command carries an Idempotency-Key, and is sent again if a connection is cut or the service is busy (429, 503),
    for at most `retry_for` seconds: it is carried out once. If no answer comes, it raises `OutcomeUnknown`.

    * `base_url`: such as `http://localhost:4000`
    * `key`: `svc_live_…`; public endpoints need none (`api_key` is its former name)
    * `decimals`: gives money, prices and ratios as `decimal.Decimal`, exactly as the service sent them
    * `retry_for`: seconds, from the first attempt on; 60 by default
    * `timeout`: seconds without a byte after which a connection counts as cut; 15 by default
    * `idempotency_prefix`: makes Idempotency-Keys of this text and a counter, so that a bot that does the same sends
      the same keys; by default they are random. Two clients of an account need different texts

    With the address of a backtest, `now`, `sleep`, `every` and the streams follow its clock, Idempotency-Keys are
    counted, and requests wait for the turn of their participant. One thread may use such a client, or one asyncio loop.

    `with_options` changes `timeout` or `retry_for` for a single call. The logger `papertrading` says what was sent again
    (INFO) and how each attempt was answered (DEBUG).
    """

    def __init__(
        self,
        base_url: str = "http://localhost:4000",
        key: Optional[str] = None,
        *,
        decimals: bool = False,
        retry_for: Optional[float] = None,
        timeout: Optional[float] = None,
        idempotency_prefix: Optional[str] = None,
        api_key: Optional[str] = None,
    ) -> None:
        self._connections = Connections(base_url)
        self._sender = Sender(self._connections)
        plays = is_backtest(base_url)
        self._retry_for: float = (TURN_SECONDS_MAX if plays else 60.0) if retry_for is None else retry_for
        self._timeout: float = (TURN_SECONDS_MAX if plays else 15.0) if timeout is None else timeout
        self._decimals = decimals
        self._headers: Dict[str, str] = {"Accept": "application/json", "User-Agent": f"papertrading-python/{VERSION}"}
        key = key or api_key
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        if plays and idempotency_prefix is None:
            idempotency_prefix = "backtest-"
        self._seen = Seen(self._backtest_clock() if plays else LiveClock(), idempotency_prefix)

    def with_options(self: Made, *, timeout: Optional[float] = None, retry_for: Optional[float] = None) -> Made:
        """This client with another `timeout` or `retry_for`, such as for one call:
        `client.with_options(retry_for=2).create_order(…)`. All else is shared, and closed together.
        """
        made = copy.copy(self)
        made._timeout = self._timeout if timeout is None else timeout
        made._retry_for = self._retry_for if retry_for is None else retry_for
        return made

    def __enter__(self: Made) -> Made:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends open streams and pauses between attempts, and refuses further requests."""
        self._sender.close()
        with self._seen.lock:
            streams, self._seen.streams = self._seen.streams, []
        for stream in streams:
            stream.close()
        self._connections.close()

    @property
    def journal_seq(self) -> int:
        """The newest X-Journal-Seq of an answer: how far the service's journal has been seen. 0 before the first."""
        return self._seen.journal_seq

    @property
    def receipts(self) -> Items[Receipt]:
        """The receipts of the last 1,000 commands, oldest first."""
        with self._seen.lock:
            return Items(self._seen.receipts)

    # The exchange's clock

    def now(self) -> float:
        """The exchange's time, in seconds since 1970 UTC."""
        return self._seen.clock.now()

    def sleep(self, seconds: float) -> None:
        """Waits for this many seconds by the exchange's clock. Raises ClientClosed if the client is closed meanwhile,
        and an ApiRefusal with the code `backtest_ended` if a backtest ends first.
        """
        at = self._seen.clock.after(seconds)
        if not self._seen.clock.wait_until(at, self._sender.closed) and self.now() < at:
            raise ClientClosed("The client is closed") if self._sender.closed.is_set() else backtest_ended()

    def every(self, seconds: float) -> Iterator[float]:
        """Gives the exchange's time at once, then every `seconds`; a time that passes while the loop is busy is left
        out. It ends when the client is closed, or the backtest ends.

            for now in client.every(10):
                print(now, client.fetch_balance().free)
        """
        assert_period(seconds)
        return ticks(self._seen.clock, seconds, self._sender.closed)

    # Orders

    def create_orders(
        self, orders: Sequence[Union[NewOrder, Mapping[str, Any]]], *, idempotency_key: Optional[str] = None
    ) -> Items[OrderResult]:
        """Places 1 to 50 orders in the order given. A refused one is a `RefusedOrder` in its place, and changes nothing
        for the others. With the same `idempotency_key` again, accepted orders return their first answer.
        """
        batch: OrderBatch = self._command(
            "POST", "/api/orders/batch", OrderBatch, body={"orders": list(orders)}, idempotency_key=idempotency_key
        )
        for result in batch.results:
            result.__dict__["_receipt"] = batch.receipt
            if not isinstance(result, RefusedOrder):
                result.order.__dict__["_receipt"] = batch.receipt
        return batch.results

    def cancel_all_orders(
        self,
        *,
        market_id: Optional[str] = None,
        outcome: Optional[Outcome] = None,
        side: Optional[Side] = None,
        fleet: Optional[bool] = None,
    ) -> CancelledOrders:
        """Cancels the account's open orders that match every given filter; with `fleet=True` those of the whole fleet
        (permissions master and trade). If the answer is lost, the request is sent again: `repeated` is True then, and
        the orders that the first attempt cancelled are not counted.
        """
        query = {"marketId": market_id, "outcome": outcome, "side": side, "fleet": fleet or None}
        answer = self._exchange("DELETE", "/api/orders", query)
        made = self._decoded(CancelledOrders, answer, "DELETE /api/orders")
        made.__dict__["repeated"] = answer.was_repeated
        return made

    def fetch_open_orders(self, market_id: Optional[str] = None, *, fleet: Optional[bool] = None) -> Items[OrderDetail]:
        """Every order that is open or partly filled, in the order of acceptance: what a bot reads after a restart.
        `fleet=True` has those of the sub-accounts too (permissions master and view).
        """
        query = {"marketId": market_id, "fleet": fleet or None}
        return self._pages("/api/orders/open", OpenOrders, query, "orders").all()

    def fetch_balance(self) -> Balance:
        """The account's money. It reads the portfolio."""
        portfolio: Portfolio = self._send("GET", "/api/portfolio", Portfolio)
        summary = portfolio.summary
        # In whole $0.0001, since floats do not add up exactly.
        reserved = sum(round(order.reserved_amount * 10_000) for order in portfolio.orders if order.reserved_amount)
        free = round(summary.cash * 10_000) - reserved
        of = type(summary.cash)
        made = [of(units) / 10_000 for units in (reserved, free)]
        return Balance(summary.cash, made[0], made[1], summary.portfolio_value, summary.pnl)

    # Accounts and keys

    def create_sub_account(
        self,
        display_name: str,
        *,
        permissions: Optional[Sequence[Permission]] = None,
        idempotency_key: Optional[str] = None,
    ) -> CreatedSubAccount:
        """Opens a sub-account with its first key, whose `raw_key` is shown only once. If the answer is lost, the key is
        revoked and another one issued; raises `KeyLost` if that is refused. Permission: master.
        """
        body = {"displayName": display_name, "permissions": permissions}
        made: CreatedSubAccount = self._command(
            "POST", "/api/accounts/sub", CreatedSubAccount, body=body, idempotency_key=idempotency_key
        )
        made.__dict__["api_key"] = self._with_secret(made.api_key, made.sub_account.id)
        return made

    def create_key(
        self, account_id: str, name: str, permissions: Sequence[Permission], *, idempotency_key: Optional[str] = None
    ) -> IssuedApiKey:
        """Issues a key for a sub-account, or for the primary by its own id. Its `raw_key` is shown only once. If the
        answer is lost, the key is revoked and another one issued; raises `KeyLost` if that is refused.
        Permission: master.
        """
        return self._with_secret(self._issue(account_id, name, permissions, idempotency_key), account_id)

    def _issue(
        self, account_id: str, name: str, permissions: Sequence[Permission], idempotency_key: Optional[str] = None
    ) -> IssuedApiKey:
        path = self._keys_path(account_id)
        body = {"name": name, "permissions": list(permissions)}
        made: CreatedApiKey = self._command("POST", path, CreatedApiKey, body=body, idempotency_key=idempotency_key)
        return made.api_key

    def _keys_path(self, account_id: str) -> str:
        return f"/api/accounts/sub/{quoted(account_id)}/keys"

    def _revoke(self, key_id: str) -> None:
        self.revoke_key(key_id)

    def _with_secret(self, issued: IssuedApiKey, account_id: str) -> IssuedApiKey:
        """Returns the key, or a new one in its place if a replayed answer lacks its secret."""
        try:
            for _ in range(REPLACED_KEYS_MAX):
                if issued.raw_key is not None:
                    return issued
                self._revoke(issued.id)
                issued = self._issue(account_id, issued.name, issued.permissions)
        except (ApiRefusal, OutcomeUnknown) as error:
            raise KeyLost(issued.id, account_id) from error
        raise KeyLost(issued.id, account_id)

    def set_mandate(self, key_id: str, mandate: Union[Mandate, Mapping[str, Any], None]) -> ApiKey:
        """Limits what a key of the fleet may do; None removes its mandate. Permission: master, with a key that has no
        mandate itself.
        """
        path = f"/api/accounts/keys/{quoted(key_id)}/mandate"
        got = self._exchange("PUT", path, {}, mandate, None, null_body=True)
        limited: LimitedApiKey = self._decoded(LimitedApiKey, got, f"PUT {path}")
        return limited.key

    # The ledger and the journal

    def fetch_ledger(self, *, limit: Optional[int] = None) -> Items[LedgerEntry]:
        """The first movements of cash and shares of the fleet. Permission: reconcile."""
        return self._send("GET", "/api/ledger", Items[LedgerEntry], query={"limit": limit})

    def fetch_ledger_csv(self, *, limit: Optional[int] = None) -> str:
        """The first movements of cash and shares of the fleet as CSV, with a header line. Permission: reconcile."""
        return self._exchange("GET", "/api/ledger", {"format": "csv", "limit": limit}).reply.data.decode("utf8")

    def iter_ledger(self, *, limit: Optional[int] = None) -> Pages[LedgerEntry]:
        """Every movement of cash and shares of the fleet, oldest first. `limit` is the size of a page."""
        return self._pages("/api/ledger", Items[LedgerEntry], {"limit": limit})

    def download_trades(
        self,
        *,
        market_id: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Items[Trade]:
        """The first trades of all markets, oldest first, without the names of markets. Needs no key."""
        query = {"marketId": market_id, "from": from_, "to": to, "limit": limit}
        return self._send("GET", "/api/trades", Items[Trade], query=query)

    def iter_all_trades(
        self,
        *,
        market_id: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> Pages[Trade]:
        """Every trade, oldest first. `limit` is the size of a page. Needs no key."""
        query = {"marketId": market_id, "from": from_, "to": to, "limit": limit}
        return self._pages("/api/trades", Items[Trade], query)

    def fetch_journal(self, *, from_: int = 1, limit: Optional[int] = None) -> Items[JournalLine]:
        """The events of the public journal from a sequence on: one page. Needs no key."""
        return self._journal_page(with_query("/api/journal", {"from": from_, "limit": limit})).items

    def iter_journal(self, *, from_: int = 1, limit: Optional[int] = None) -> Pages[JournalLine]:
        """The events of the public journal from a sequence on. `limit` is the size of a page. Needs no key."""
        return Pages(with_query("/api/journal", {"from": from_, "limit": limit}), self._journal_page)

    def fetch_backtest_journal(
        self, backtest_id: str, *, from_: int = 1, limit: Optional[int] = None
    ) -> Items[JournalLine]:
        """The events of the journal of a backtest from a sequence on: one page."""
        path = f"/api/backtests/{quoted(backtest_id)}/journal"
        return self._journal_page(with_query(path, {"from": from_, "limit": limit})).items

    def iter_backtest_journal(
        self, backtest_id: str, *, from_: int = 1, limit: Optional[int] = None
    ) -> Pages[JournalLine]:
        """The events of the journal of a backtest from a sequence on. `limit` is the size of a page."""
        path = f"/api/backtests/{quoted(backtest_id)}/journal"
        return Pages(with_query(path, {"from": from_, "limit": limit}), self._journal_page)

    def verify_receipt(
        self, receipt: Optional[Receipt] = None, *, through: Union[int, Literal["newest", "end"]] = "newest"
    ) -> Proof:
        """Checks a receipt, by default the newest of this client, against the public journal: the event is there with
        this hash, and from it on no event was changed, added or left out. `through`: the sequence to check up to,
        `newest` for the newest receipt of this client, `end` for the end of the journal. Receipts of this client that
        lie between must be there too.

        Raises ReceiptFault. It does not judge whether the events follow the rules: `npm run audit` does.
        """
        known = self.receipts
        if receipt is None:
            if not known:
                raise ValueError("This client has no receipt yet: give one")
            receipt = known[-1]
        if through == "newest":
            last: Optional[int] = max((one.seq for one in known), default=receipt.seq)
        else:
            last = None if through == "end" else through
        return check(receipt, known, last, self._read_journal)

    def _read_journal(self, first: int, last: int) -> Iterable[JournalLine]:
        limit = None if last < 0 else max(1, min(1000, last - first + 1))
        return self.iter_journal(from_=max(1, first), limit=limit)

    def _journal_page(self, path: str) -> Page:
        answer = self._request("GET", path, None, None, {"Accept": "application/x-ndjson"})
        lines = answer.reply.data.decode("utf8").split("\n")
        return Page(Items([line_of(line) for line in lines if line != ""]), next_path(answer.reply.headers))

    # Streams

    def watch_pulse(self, market_ids: Optional[Sequence[str]] = None) -> Stream[Pulse]:
        """Prices of up to 100 markets every 2 seconds; by default of the 50 most active ones."""
        clock = self._seen.clock
        if isinstance(clock, BacktestClock):
            return BacktestStream(clock, PulseSource(clock, lambda: self._read_pulse(clock, market_ids)))
        return self._pulses(market_ids)

    def watch_order_book(
        self, market_id: str, *, after: Optional[str] = None
    ) -> Stream[Union[OrderBook, BookDelta, RecentTrade]]:
        """A market's order book, then each level that changes and each trade, in order. `LiveOrderBook` keeps the
        book up to date. `after`: the `last_id` of an earlier stream, to go on there.
        """
        clock = self._seen.clock
        if isinstance(clock, BacktestClock):
            return BacktestStream(clock, BookSource(lambda seq: self._read_book(clock, market_id, seq)))
        return self._changes(market_id, after)

    def watch_account(self, *, fleet: Optional[bool] = None, after: Optional[str] = None) -> Stream[AccountEvent]:
        """The account's orders, fills, settlements and cash, in the order of the journal. `fleet=True` has those of the
        sub-accounts too (permissions master and trade). `after`: the sequence to begin after; by default it begins now.
        """
        clock = self._seen.clock
        if isinstance(clock, BacktestClock):
            decode_event = functools.partial(decode, AccountEvent, decimals=self._decimals)
            source = AccountSource(clock, decode_event, fleet or False, lambda: self.fetch_me().account_id)
            return BacktestStream(clock, source)
        query = {"fleet": fleet or None}
        return self._stream("/api/stream/account", query, {"message": AccountEvent}, COMMENT_SECONDS_MAX, after)

    def _pulses(self, market_ids: Optional[Sequence[str]]) -> Stream[Pulse]:
        query = {"marketIds": None if market_ids is None else ",".join(market_ids)}
        return self._stream("/api/stream", query, {"message": Pulse}, PULSE_SECONDS_MAX, None)

    def _changes(self, market_id: str, after: Optional[str]) -> Stream[Union[OrderBook, BookDelta, RecentTrade]]:
        types = {"snapshot": OrderBook, "delta": BookDelta, "trade": RecentTrade}
        return self._stream(f"/api/stream/orderbook/{quoted(market_id)}", {}, types, COMMENT_SECONDS_MAX, after)

    def _read_pulse(self, clock: BacktestClock, market_ids: Optional[Sequence[str]]) -> Pulse:
        if clock.is_feed_late:
            return first_of(self._pulses(market_ids))
        if market_ids is None:
            markets: Sequence[Market] = self.fetch_markets(sort="activity", limit=PULSE_MARKETS)
        else:
            markets = [self.fetch_market(market_id) for market_id in market_ids]
        names = [field.name for field in fields(PulseEntry)]
        entries = [PulseEntry(**{name: getattr(market, name) for name in names}) for market in markets]
        at = datetime.fromtimestamp(self.now(), timezone.utc)
        return Pulse(ts=utc_text(at), markets=Items(entries))

    def _read_book(
        self, clock: BacktestClock, market_id: str, after_seq: Optional[int]
    ) -> Tuple[int, List[Union[OrderBook, BookDelta, RecentTrade]]]:
        # The answer says whether the feed is late.
        clock.now()
        book = first_of(self._changes(market_id, None)) if clock.is_feed_late else self.fetch_order_book(market_id)
        items: List[Union[OrderBook, BookDelta, RecentTrade]] = [book]
        if after_seq is not None and book.seq != after_seq:
            for trade in self.iter_trades(market_id=market_id):
                if trade.seq <= after_seq:
                    break
                # A late feed does not show trades after the book yet.
                if trade.seq <= book.seq:
                    items.insert(0, trade)
        return book.seq, items

    def _backtest_clock(self) -> BacktestClock:
        def advance(body: Mapping[str, Any]) -> Mapping[str, Any]:
            # A random key, since how often a wait is repeated depends on the wall clock.
            answer = self._exchange("POST", "/api/clock/advance", {}, body, new_key(), changes_state=False)
            return parse_json(answer.reply.data, self._decimals)

        return BacktestClock(lambda: self._exchange("GET", "/api/clock", {}), advance)

    def _stream(
        self,
        path: str,
        query: Mapping[str, Any],
        types: Mapping[str, Any],
        silence_seconds_max: float,
        after: Optional[str],
    ) -> Stream[Any]:
        def decode_event(name: str, data: Any) -> Any:
            return decode(types[name], data, self._decimals)

        stream: Stream[Any] = Stream(
            StreamSettings(
                connections=self._connections,
                path=with_query(path, query),
                headers=self._headers,
                decode=decode_event,
                decimals=self._decimals,
                silence_seconds_max=silence_seconds_max,
                open_seconds_max=self._retry_for,
                after=after,
            )
        )
        with self._seen.lock:
            self._seen.streams = [one for one in self._seen.streams if one.is_open] + [stream]
        return stream

    # Backtests

    def backtest(
        self,
        tape: str,
        *,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        participants: int = 1,
        starting_balance: Optional[Number] = None,
        latency_ms: Optional[int] = None,
        feed_latency_ms: Optional[int] = None,
        fee: Optional[Number] = None,
        seed: Optional[int] = None,
        patience_seconds: int = PATIENCE_SECONDS,
    ) -> BacktestBots:
        """Plays a backtest to its end, with a client for each participant; its settings are those of
        `start_backtest`. Raises TapeNotFound and BacktestLimit.

            with client.backtest("made-news") as bots:
                for now in bots[0].every(60):
                    print(now, bots[0].fetch_balance())
            print(bots.report.participants[0].pnl)
        """

        start = functools.partial(
            self.start_backtest,
            tape,
            from_=from_,
            to=to,
            participants=participants,
            starting_balance=starting_balance,
            latency_ms=latency_ms,
            feed_latency_ms=feed_latency_ms,
            fee=fee,
            seed=seed,
            patience_seconds=patience_seconds,
        )
        # A request may wait for the turns of all others.
        return BacktestBots(self, start, participants * patience_seconds + PATIENCE_SECONDS)

    def _at(self, base_url: str, key: Optional[str], limit: float) -> Client:
        """A client of a participant of a backtest."""
        return Client(base_url, key, decimals=self._decimals, retry_for=limit, timeout=limit)

    # Requests

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Sends any request, such as to an endpoint that this version has no method for, and returns the answer's JSON.
        A command that takes an Idempotency-Key needs one to be safe, since it is sent again if its answer is lost.
        """
        answer = self._exchange(method, path, query or {}, body, idempotency_key)
        return parse_json(answer.reply.data, self._decimals)

    def _send(
        self,
        method: str,
        path: str,
        answer: Any,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        field: Optional[str] = None,
    ) -> Any:
        made = self._decoded(answer, self._exchange(method, path, query or {}, body, None), f"{method} {path}")
        return made if field is None else getattr(made, field)

    def _command(
        self,
        method: str,
        path: str,
        answer: Any,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        field: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        got = self._exchange(method, path, query or {}, body, idempotency_key or self._seen.keys.new())
        made = self._decoded(answer, got, f"{method} {path}")
        return made if field is None else getattr(made, field)

    def _place_order(
        self, order: Mapping[str, Any], of_batch: Mapping[str, Any], idempotency_key: Optional[str]
    ) -> Order:
        """Sends an order alone, or as a batch of one where it has fields that only the orders of a batch have."""
        if all(value is None for value in of_batch.values()):
            return self._command("POST", "/api/orders", Order, body=order, idempotency_key=idempotency_key)
        (result,) = self.create_orders([{**order, **of_batch}], idempotency_key=idempotency_key)
        if isinstance(result, RefusedOrder):
            raise error_class(result.code)(result.error, code=result.code, request="POST /api/orders/batch")
        return result.order

    def _pages(self, path: str, answer: Any, query: Mapping[str, Any], field: Optional[str] = None) -> Pages[Any]:
        def read(page_path: str) -> Page:
            got = self._request("GET", page_path, None, None, {})
            body = self._decoded(answer, got, f"GET {path}")
            return Page(body if field is None else getattr(body, field), next_path(got.reply.headers))

        return Pages(with_query(path, query), read)

    def _exchange(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any],
        body: Any = None,
        idempotency_key: Optional[str] = None,
        null_body: bool = False,
        changes_state: Optional[bool] = None,
    ) -> Answer:
        data = None
        headers: Dict[str, str] = {}
        if body is not None or null_body:
            data = json.dumps(encode(body), ensure_ascii=False, separators=(",", ":")).encode("utf8")
            headers["Content-Type"] = "application/json"
        return self._request(method, with_query(path, query), data, idempotency_key, headers, changes_state)

    def _request(
        self,
        method: str,
        path: str,
        data: Optional[bytes],
        idempotency_key: Optional[str],
        headers: Mapping[str, str],
        changes_state: Optional[bool] = None,
    ) -> Answer:
        if changes_state is None:
            changes_state = method != "GET" and not path.endswith("/preview")
        request = Request(method, path, {**self._headers, **headers}, data, changes_state, idempotency_key)
        self._seen.clock.began(changes_state)
        try:
            answer = self._sender.send(request, self._timeout, self._retry_for)
        finally:
            self._seen.clock.finished()
        self._remember(str(request), answer)
        return answer

    def _remember(self, request: str, answer: Answer) -> None:
        self._seen.clock.note(answer.reply.headers)
        seq, receipt = answer.reply.headers.get("x-journal-seq"), receipt_of(answer, request)
        with self._seen.lock:
            if seq is not None and seq.isdigit():
                self._seen.journal_seq = max(self._seen.journal_seq, int(seq))
            if receipt is not None:
                self._seen.receipts.append(receipt)

    def _decoded(self, type_: Any, answer: Answer, request: str) -> Any:
        body = parse_json(answer.reply.data, self._decimals)
        if type_ is bool:
            return body["ok"]
        made = decode(type_, body, self._decimals)
        receipt = receipt_of(answer, request)
        if isinstance(made, Model) and receipt is not None:
            made.__dict__["_receipt"] = receipt
        return made


def receipt_of(answer: Answer, request: str) -> Optional[Receipt]:
    seq, hash_ = (answer.reply.headers.get(name) for name in ("x-journal-seq", "x-journal-hash"))
    return None if seq is None or hash_ is None or not seq.isdigit() else Receipt(int(seq), hash_, request)


def first_of(stream: Stream[Any]) -> Any:
    """Reads the first message of a stream, and closes it. With `feed_latency_ms` it is older than what reads show."""
    with stream:
        return next(stream)


def backtest_ended() -> ApiRefusal:
    """The refusal of a wait that the end of a backtest cuts short."""
    text, request = "The backtest ended before the time to wake.", "POST /api/clock/advance"
    return error_class("backtest_ended")(text, status=400, code="backtest_ended", request=request)


def with_query(path: str, query: Mapping[str, Any]) -> str:
    given = {camel(name): query_text(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path
