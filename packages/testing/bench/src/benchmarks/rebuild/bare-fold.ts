import { MINUTE_MS, DAY_MS } from '@paper/contracts/units';
import type { ExchangeEvent, OrderCancelled, OrderFilled, OrderPlaced } from '@paper/exchange/events';
import type { Outcome, Side } from '@paper/exchange/vocabulary';
import type { CommandlessEvent } from '@paper/journal';
import { BareMarket } from './bare-market.ts';
import { CopyLines, LINE_BREAK, NULL, textArray, tuple } from './copy-text.ts';

interface BareAccount {
  readonly head: string;
  cashUnits: number;
  readonly tail: string;
  trades: number;
  volumeUnits: number;
  lastFillMinuteMs: number | null;
}

interface BareOrder {
  readonly event: OrderPlaced;
  readonly seq: number;
  filled: number;
  filledCostUnits: number;
}

interface BareKey {
  readonly head: string;
  spentDay: number;
  spentUnits: number;
}

/** One order's part of a fill. */
interface BareSideOfFill {
  readonly role: 'maker' | 'taker';
  readonly accountId: string;
  readonly orderId: string;
  readonly side: Side;
  readonly outcome: Outcome;
  readonly costUnits: number;
  readonly remaining: number;
}

/** Rows in the text format of COPY, by table. */
export type TableRows = readonly (readonly [table: string, lines: readonly Buffer[]])[];

/**
 * The fold that a rebuild has to do, in plain code: the events of a `BenchExchange` and no others, from the first one on,
 * without batches that a rebuild could continue from, and without checks. Its rows are those of a rebuild.
 */
export class BareFold {
  readonly #markets = new Map<string, BareMarket>();
  readonly #accounts = new Map<string, BareAccount>();
  readonly #keys = new Map<string, BareKey>();
  /** Orders that have not ended. */
  readonly #orders = new Map<string, BareOrder>();
  readonly #minutes = new Map<number, string>();
  #settings = '';
  #volumeShares = 0;
  #trades = 0;
  readonly #fills = new CopyLines();
  readonly #ended = new CopyLines();
  readonly #history = new CopyLines();
  readonly #marketMinutes = new CopyLines();

  /** The rows that are final since the last call. */
  takeFinal(): TableRows {
    return [
      ['orders', this.#ended.take()],
      ['fills', this.#fills.take()],
      ['market_history', this.#history.take()],
      ['market_minutes', this.#marketMinutes.take()],
    ];
  }

  /** The rows that later events might have changed. */
  takeRest(): TableRows {
    const markets = [...this.#markets.values()];
    return [
      ['settings', [Buffer.from(this.#settings)]],
      ['accounts', bytesOf(this.#accounts.values(), accountLine)],
      ['api_keys', bytesOf(this.#keys.values(), keyLine)],
      ['markets', bytesOf(markets, marketLine)],
      ['orders', bytesOf(this.#orders.values(), (order) => orderLine(order, null, null))],
      ['positions', bytesOf(markets, positionLines)],
      ['market_minutes', bytesOf(markets, (market) => market.minuteLine())],
      ['minutes', bytesOf(this.#minutes, ([minuteMs, totals]) => `${minuteMs}\t${totals}\n`)],
      ['book_levels', bytesOf(markets, levelLines)],
    ];
  }

  apply({ event, seq, id }: CommandlessEvent): void {
    if (!('marketId' in event) || event.marketId === null) {
      this.#applyToAccounts(event, seq);
      return;
    }
    if (event.type === 'MarketListed') this.#markets.set(event.marketId, new BareMarket(event, seq, id));
    const market = this.#markets.get(event.marketId);
    if (market === undefined) throw new Error(`no market ${event.marketId}`);
    const minute = market.enterMinute(event.at - (event.at % MINUTE_MS));
    if (minute !== '') this.#marketMinutes.add(minute);
    if (event.type === 'OrderPlaced') this.#place(market, event, seq);
    else if (event.type === 'OrderFilled') this.#fill(market, event, seq, id);
    else if (event.type === 'OrderCancelled') this.#cancel(market, event, seq);
    else if (event.type !== 'MarketListed') throw new Error(`the bare program does not know ${event.type}`);
    this.#history.add(market.historyLine(seq, event.at, event.type === 'MarketListed' ? event.title : null));
  }

  #applyToAccounts(event: ExchangeEvent, seq: number): void {
    if (event.type === 'WriterEpochStarted') {
      this.#settings = `main\t${event.settings.startingBalanceUnits}\t${event.settings.complianceMode}\n`;
    } else if (event.type === 'AccountOpened') {
      const { accountId, at, startingBalanceUnits } = event;
      this.#accounts.set(accountId, {
        head: tuple(accountId, null, null, startingBalanceUnits),
        cashUnits: startingBalanceUnits,
        tail: tuple('{}', 'f', at, seq),
        trades: 0,
        volumeUnits: 0,
        lastFillMinuteMs: null,
      });
    } else if (event.type === 'ApiKeyIssued') {
      const { accountId, at, keyHash, keyId, last4, name, permissions } = event;
      const head = tuple(keyId, accountId, keyHash, name, textArray(permissions), last4, at, seq, null, null, null);
      this.#keys.set(keyId, { head, spentDay: 0, spentUnits: 0 });
    } else {
      throw new Error(`the bare program does not know ${event.type}`);
    }
  }

  #place(market: BareMarket, event: OrderPlaced, seq: number): void {
    this.#orders.set(event.orderId, { event, seq, filled: 0, filledCostUnits: 0 });
    const key = event.keyId === null ? undefined : this.#keys.get(event.keyId);
    if (key !== undefined && event.spentUnits > 0) {
      const day = Math.floor(event.at / DAY_MS);
      key.spentUnits = event.spentUnits + (key.spentDay === day ? key.spentUnits : 0);
      key.spentDay = day;
    }
    market.place(event);
  }

  #cancel(
    market: BareMarket,
    { orderId, reason, resting, side, outcome, priceUnits, quantity }: OrderCancelled,
    seq: number,
  ): void {
    const order = this.#orders.get(orderId);
    if (order === undefined) throw new Error(`no order ${orderId}`);
    this.#orders.delete(orderId);
    this.#ended.add(orderLine(order, reason, seq));
    if (!resting) return;
    market.sideOf(side, outcome).change(outcome === 'yes' ? priceUnits : 10_000 - priceUnits, -quantity, -1);
  }

  #fill(market: BareMarket, event: OrderFilled, seq: number, id: string): void {
    const before = market.probabilityHalfUnits();
    market.fill(event, event.at - (event.at % MINUTE_MS));
    const facts = `${event.kind}\t${before}\t${market.probabilityHalfUnits()}\t${event.at}`;
    const { makerAccountId, makerCostUnits, makerOrderId, makerOutcome, makerRemaining, makerSide } = event;
    const { takerAccountId, takerCostUnits, takerOrderId, takerOutcome, takerRemaining, takerSide } = event;
    const maker = { accountId: makerAccountId, costUnits: makerCostUnits, orderId: makerOrderId } as const;
    const taker = { accountId: takerAccountId, costUnits: takerCostUnits, orderId: takerOrderId } as const;
    const makerTerms = { outcome: makerOutcome, remaining: makerRemaining, side: makerSide, role: 'maker' } as const;
    const takerTerms = { outcome: takerOutcome, remaining: takerRemaining, side: takerSide, role: 'taker' } as const;
    this.#fillSide(market, event, seq, id, facts, { ...maker, ...makerTerms });
    this.#fillSide(market, event, seq, id, facts, { ...taker, ...takerTerms });
    this.#volumeShares += event.quantity;
    this.#trades += 1;
    this.#minutes.set(market.minuteMs, `${this.#volumeShares}\t${this.#trades}`);
  }

  #fillSide(market: BareMarket, event: OrderFilled, seq: number, id: string, facts: string, own: BareSideOfFill): void {
    const { yesPriceUnits, quantity } = event;
    const [account, order] = [this.#accounts.get(own.accountId), this.#orders.get(own.orderId)];
    if (account === undefined || order === undefined) throw new Error(`no order ${own.orderId} of ${own.accountId}`);
    const priceUnits = own.outcome === 'yes' ? yesPriceUnits : 10_000 - yesPriceUnits;
    const sign = own.side === 'buy' ? 1 : -1;
    account.cashUnits -= sign * priceUnits * quantity;
    account.trades += 1;
    account.volumeUnits += priceUnits * quantity;
    account.lastFillMinuteMs = market.minuteMs;
    const position = market.position(own.accountId);
    if (own.outcome === 'yes') {
      position.yesShares += sign * quantity;
      position.yesCostUnits += sign * own.costUnits;
    } else {
      position.noShares += sign * quantity;
      position.noCostUnits += sign * own.costUnits;
    }
    order.filled += quantity;
    order.filledCostUnits += priceUnits * quantity;
    if (own.remaining === 0) {
      this.#orders.delete(own.orderId);
      this.#ended.add(orderLine(order, null, seq));
    }
    this.#fills.add(
      `${seq}\t${own.role}\t${id}\t${own.accountId}\t${own.orderId}\t${event.marketId}\t${own.side}\t${own.outcome}\t` +
        `${priceUnits}\t${yesPriceUnits}\t${quantity}\t${facts}\t${account.cashUnits}\t${position.yesShares}\t` +
        `${position.noShares}\t${position.yesCostUnits}\t${position.noCostUnits}\n`,
    );
  }
}

function orderLine(
  { event, seq, filled, filledCostUnits }: BareOrder,
  reason: string | null,
  endedSeq: number | null,
): string {
  const open = filled === 0 ? 'open' : 'partial';
  const status = reason !== null ? 'cancelled' : endedSeq === null ? open : 'filled';
  return (
    `${event.orderId}\t${event.marketId}\t${event.accountId}\t${event.side}\t${event.outcome}\t${event.orderType}\t` +
    `${event.timeInForce}\t${event.priceUnits}\t${event.notionalUnits ?? NULL}\t${event.quantity}\t${filled}\t` +
    `${filledCostUnits}\t${status}\t${reason ?? NULL}\t${event.at}\t${seq}\t${endedSeq ?? NULL}\t` +
    `${event.clientOrderId ?? NULL}\t${event.expiresAt ?? NULL}\t${event.postOnly}\n`
  );
}

function accountLine({ head, tail, cashUnits, trades, volumeUnits, lastFillMinuteMs }: BareAccount): string {
  return `${head}\t${cashUnits}\t${tail}\t${trades}\t${volumeUnits}\t${tuple(lastFillMinuteMs, null, null, null)}\n`;
}

function marketLine(market: BareMarket): string {
  const { listed } = market;
  const texts = [
    listed.title,
    listed.ticker,
    listed.companySlug,
    listed.sector,
    listed.category,
    listed.settlementSource,
  ];
  const about = tuple(listed.description, listed.citationUrl, textArray(listed.drivers), listed.companyImpact);
  const terms = tuple(
    listed.priorUnits,
    listed.tickUnits,
    listed.closesAt,
    listed.at,
    market.listedSeq,
    market.listedId,
  );
  // The texts of these markets are ASCII, whose search form is in capitals.
  const names = [listed.ticker, listed.companySlug].map((name) => name.toUpperCase()).join(LINE_BREAK);
  const searched = tuple(listed.title.toUpperCase(), names);
  const figures = tuple(
    ...['active', 'active', market.probabilityHalfUnits(), market.volumeShares, market.openInterestPairs],
    ...[market.bids.bestUnits, market.asks.bestUnits, market.lastTradeUnits],
    ...[market.firstFillMinuteMs, market.lastFillMinuteMs, null, null, null, null, null, null, market.seq],
  );
  return `${listed.marketId}\t${tuple(...texts)}\t${about}\t${terms}\t${searched}\t${figures}\n`;
}

function keyLine({ head, spentDay, spentUnits }: BareKey): string {
  return `${head}\t${spentDay}\t${spentUnits}\n`;
}

function positionLines({ listed, positions }: BareMarket): string {
  let lines = '';
  for (const [accountId, { yesShares, noShares, yesCostUnits, noCostUnits }] of positions) {
    lines += `${accountId}\t${listed.marketId}\t${yesShares}\t${noShares}\t${yesCostUnits}\t${noCostUnits}\n`;
  }
  return lines;
}

function levelLines({ listed, bids, asks }: BareMarket): string {
  let lines = '';
  for (const [side, { levels }] of [
    ['bid', bids],
    ['ask', asks],
  ] as const) {
    for (const [price, { quantity, orders }] of levels) {
      lines += `${listed.marketId}\t${side}\t${price}\t${quantity}\t${orders}\n`;
    }
  }
  return lines;
}

function bytesOf<T>(rows: Iterable<T>, lineOf: (row: T) => string): readonly Buffer[] {
  const lines = new CopyLines();
  for (const row of rows) lines.add(lineOf(row));
  return lines.take();
}
