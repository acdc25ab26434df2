import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';
import { isObject } from '@paper/importers';
import { objectOf } from '../format.ts';
import type { Message, TapeFormat } from '../format.ts';
import { parsePrice, parseSize } from '../sizes.ts';
import type { Level } from '../tape-event.ts';

/**
 * Kalshi's WebSocket messages as collectors record them: `{recv_ms, event: {type, sid, seq, msg}}`. Both sides of its
 * book are bids: one for NO is an ask for YES at 1 minus its price.
 */
export const kalshi: TapeFormat = {
  name: 'kalshi',
  title: "Kalshi's NDJSON",
  synthetic: false,
  recognizes: (line) => eventOf(objectOf(line)) !== null,
  createReader: () => (line) => {
    const recorded = objectOf(line);
    const event = eventOf(recorded);
    if (recorded === null || event === null) return null;
    const read = Object.hasOwn(READERS, event.type) ? READERS[event.type] : undefined;
    // Other channels contain nothing about the book.
    if (read === undefined) return [];
    if (!isObject(event.msg)) return null;
    const { msg } = event;
    const exchangeMs = typeof msg['ts_ms'] === 'number' ? msg['ts_ms'] : null;
    const received = recorded['recv_ms'];
    const atMs = typeof received === 'number' ? received : exchangeMs;
    const message = read(msg, { atMs, exchangeMs, market: msg['market_ticker'] });
    return message === null ? null : [message];
  },
};

function eventOf(recorded: Record<string, unknown> | null): { readonly type: string; readonly msg: unknown } | null {
  const event = recorded?.['event'];
  return isObject(event) && typeof event['type'] === 'string' ? { type: event['type'], msg: event['msg'] } : null;
}

interface Common {
  readonly atMs: number | null;
  readonly exchangeMs: number | null;
  readonly market: unknown;
}

const READERS: Readonly<Record<string, (msg: Record<string, unknown>, common: Common) => Message | null>> = {
  orderbook_snapshot(msg, { atMs, market }) {
    const bids = levelsOf(msg['yes_dollars_fp'], 'yes');
    const asks = levelsOf(msg['no_dollars_fp'], 'no');
    return bids === null || asks === null ? null : { kind: 'levels', atMs, market, bids, asks };
  },
  orderbook_delta(msg, common) {
    const outcome = outcomeOf(msg['side']);
    if (outcome === null) return null;
    return {
      kind: 'change',
      ...common,
      side: outcome === 'yes' ? 'bid' : 'ask',
      priceUnits: inOwnTerms(outcome, parsePrice(msg['price_dollars'])),
      deltaMicros: parseSize(msg['delta_fp']),
    };
  },
  trade: (msg, common) => ({
    kind: 'trade',
    ...common,
    priceUnits: parsePrice(msg['yes_price_dollars']),
    sizeMicros: parseSize(msg['count_fp']),
    taker: outcomeOf(msg['taker_outcome_side'] ?? msg['taker_side']),
  }),
};

const outcomeOf = (value: unknown): Outcome | null => (value === 'yes' || value === 'no' ? value : null);

/** Kalshi leaves an empty side out. */
function levelsOf(side: unknown, outcome: Outcome): readonly Level[] | null {
  if (side === undefined || side === null) return [];
  if (!Array.isArray(side)) return null;
  return side.map((level: unknown) => {
    const [price, size] = Array.isArray(level) ? (level as readonly unknown[]) : [];
    return { priceUnits: inOwnTerms(outcome, parsePrice(price)), sizeMicros: parseSize(size) };
  });
}
