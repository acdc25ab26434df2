import { PLAIN_ORDER } from '@paper/exchange/commands';
import type { Actor } from '@paper/exchange/commands';
import type { Decision, State } from '@paper/exchange';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';
import { wholeShares } from '@paper/tapes';
import type { BookSide, SidedLevel, Tape, TapeEvent, TapeSummary } from '@paper/tapes';
import { TapePlayer } from '../../src/play/player.ts';
import type { PlayedExchange } from '../../src/playing.ts';
import type { BacktestSettings } from '../../src/protocol.ts';
import { openTapeExchange } from './tape-exchange.ts';

export const SETTINGS: BacktestSettings = {
  fee: 0,
  feedLatencyMs: 0,
  from: null,
  latencyMs: 0,
  participants: 1,
  patienceSeconds: 60,
  seed: 1,
  startingBalance: 10_000,
  tape: 'tape',
  to: null,
};

/** The events of a tape by their moments. */
export async function* momentsOf(tape: Pick<Tape, 'events'>): AsyncGenerator<readonly TapeEvent[]> {
  let moment: TapeEvent[] = [];
  for await (const event of tape.events()) {
    if (moment[0] !== undefined && moment[0].atMs !== event.atMs) {
      yield moment;
      moment = [];
    }
    moment.push(event);
  }
  if (moment.length > 0) yield moment;
}

/** Sizes by price; the smallest code that says what the neutral events mean. */
export class NaiveTape {
  readonly #sizes = new Map<string, Map<number, number>>();

  side(market: string, side: BookSide): Map<number, number> {
    const key = `${market} ${side}`;
    const sizes = this.#sizes.get(key) ?? new Map<number, number>();
    this.#sizes.set(key, sizes);
    return sizes;
  }

  apply(event: TapeEvent): void {
    if (event.kind === 'news') return;
    const { market } = event;
    if (event.kind === 'levels') {
      for (const side of ['bid', 'ask'] as const) {
        this.side(market, side).clear();
        const levels = side === 'bid' ? event.bids : event.asks;
        for (const { priceUnits, sizeMicros } of levels) this.side(market, side).set(priceUnits, sizeMicros);
      }
    } else if (event.kind === 'level') {
      this.side(market, event.side).set(event.priceUnits, event.sizeMicros);
    } else if (event.kind === 'trade' && event.taker !== null) {
      const sizes = this.side(market, event.taker === 'yes' ? 'ask' : 'bid');
      const after = event.levelAfterMicros ?? (sizes.get(event.priceUnits) ?? 0) - event.sizeMicros;
      sizes.set(event.priceUnits, Math.max(0, after));
    }
  }

  /** Whole shares by price of both sides. */
  book(market: string): readonly string[] {
    return (['bid', 'ask'] as const).map((side) =>
      [...this.side(market, side)]
        .map(([price, micros]) => [price, wholeShares(micros)] as const)
        .filter(([, shares]) => shares > 0)
        .sort(([a], [b]) => a - b)
        .join(' '),
    );
  }
}

/** The exchange's book, in the same form. */
export function bookOf(state: State, market: string): readonly string[] {
  const book = state.markets.get(market)?.book;
  const sides = [
    book?.yes.levels().map(({ priceUnits, quantity }) => [priceUnits, quantity] as const) ?? [],
    book?.no.levels().map(({ priceUnits, quantity }) => [SHARE_UNITS - priceUnits, quantity] as const) ?? [],
  ];
  return sides.map((side) => side.toSorted(([a], [b]) => a - b).join(' '));
}

export const START_MS = Date.UTC(2026, 0, 5, 15);
const MARKET = 'm';
const MICROS = 1_000_000;

export const bid = (priceUnits: number, shares: number): SidedLevel => ({
  priceUnits,
  side: 'bid',
  sizeMicros: shares * MICROS,
});
export const ask = (priceUnits: number, shares: number): SidedLevel => ({ ...bid(priceUnits, shares), side: 'ask' });

/** Times are ms from the start. */
export const levels = (atMs: number, bids: readonly SidedLevel[], asks: readonly SidedLevel[]): TapeEvent => ({
  kind: 'levels',
  asks,
  atMs: START_MS + atMs,
  bids,
  market: MARKET,
});
export const level = (atMs: number, of: SidedLevel): TapeEvent => ({
  kind: 'level',
  atMs: START_MS + atMs,
  market: MARKET,
  ...of,
});
export const trade = (
  atMs: number,
  taker: Outcome | null,
  priceUnits: number,
  shares: number,
  after: number | null,
): TapeEvent => ({
  kind: 'trade',
  atMs: START_MS + atMs,
  levelAfterMicros: after === null ? null : after * MICROS,
  market: MARKET,
  priceUnits,
  sizeMicros: shares * MICROS,
  taker,
});
export const outcome = (atMs: number, is: Outcome): TapeEvent => ({
  kind: 'outcome',
  atMs: START_MS + atMs,
  market: MARKET,
  outcome: is,
  priceUnits: null,
});

/** A limit order of a participant in the market of these events. */
export function order(
  exchange: PlayedExchange,
  by: Actor,
  of: Outcome,
  priceUnits: number,
  quantity: number,
  timeInForce: 'GTC' | 'IOC',
): Promise<Decision> {
  return exchange.submit(by, {
    ...PLAIN_ORDER,
    type: 'PlaceOrder',
    accountId: null,
    marketId: MARKET,
    maxPriceUnits: null,
    notionalUnits: null,
    offTick: false,
    orderId: exchange.newId(),
    orderType: 'limit',
    outcome: of,
    priceUnits,
    quantity,
    side: 'buy',
    slippageUnits: null,
    timeInForce,
  });
}

/** Plays events of one market by hand: the first moment now, and others by `move`. Two participants are there. */
export async function playEvents(first: readonly TapeEvent[], skipped: readonly TapeEvent[] = []) {
  const summary: TapeSummary = {
    id: 'by hand',
    bytes: 0,
    events: 0,
    format: 'made',
    from: new Date(START_MS).toISOString(),
    markets: [{ closesAt: '2099-01-01T00:00:00.000Z', id: MARKET, prior: 0.5, tickSize: 0.01, title: MARKET }],
    sha256: '0'.repeat(64),
    skipped: [],
    synthetic: true,
    to: new Date(START_MS).toISOString(),
  };
  const exchange = await openTapeExchange(START_MS);
  const player = new TapePlayer(exchange, summary);
  const houses = await player.start();
  const participants = [await exchange.openParticipant(), await exchange.openParticipant()];
  for (const event of skipped) player.skip(event);
  await player.playMoment(first);
  /** Moves to the time of these events, or to `atMs` after the start, and plays them. */
  const move = async (events: readonly TapeEvent[], atMs = 0): Promise<void> => {
    await exchange.moveTo(events[0]?.atMs ?? START_MS + atMs);
    await player.playMoment(events);
  };
  return { exchange, houses, move, participants, player, summary };
}
