import { wholeShares } from '@paper/tapes';
import type { BookSide, Tape, TapeEvent } from '@paper/tapes';
import type { State } from '@paper/exchange';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import type { BacktestSettings } from '../../src/protocol.ts';

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
