import { Readable } from 'node:stream';
import { HOUR_MS, iso, MINUTE_MS } from '@paper/contracts/units';
import { seededNumbers } from '@paper/runtime';
import type { LineBatch } from './lines.ts';
import { digestOf } from './tape-files.ts';
import type { TapeSource } from './tape-files.ts';

export const MADE_NEWS = 'made-news';
const START_MS = Date.UTC(2026, 0, 5, 15);
const STEP_MS = 1_000;
const SIDES = ['yes', 'no'] as const;
const NEWS_MINUTES = [9, 23, 38, 51] as const;
const NEWS_CENTS = [7, 14] as const;
/** How far the book follows the news in a step: a trader who reads the news is faster. */
const CATCH_UP_CENTS = 0.4;
const LEVELS = 5;

/**
 * One hour of one market from a seed: a fair price with jumps by news, a book that follows within half a minute, and
 * takers. Its lines have the format kalshi, so it is read like any other tape.
 */
export function madeNews(seed: number): TapeSource {
  const { fair, lines, news } = make(seed);
  const text = `${lines.join('\n')}\n`;
  const market = {
    title: 'Will the made company report a record quarter?',
    closesAtMs: START_MS + HOUR_MS,
    tickUnits: 100,
    priorUnits: 5_000,
    outcome: fair > 50 ? 'yes' : 'no',
    voidUnits: null,
    settlesAtMs: START_MS + HOUR_MS,
  } as const;
  return {
    id: MADE_NEWS,
    made: true,
    described: new Map([[MADE_NEWS, market]]),
    news: news.join('\n'),
    lines: () => Readable.from([{ file: `${MADE_NEWS}.ndjson`, lines } satisfies LineBatch]),
    identity: () => digestOf(text),
  };
}

function make(seed: number) {
  const random = seededNumbers(seed);
  const [lines, news]: [string[], string[]] = [[], []];
  const book = { yes: new Map<number, number>(), no: new Map<number, number>() };
  const add = (type: string, atMs: number, message: object): void => {
    const msg = { ...message, market_ticker: MADE_NEWS, ts_ms: atMs };
    lines.push(JSON.stringify({ recv_ms: atMs + 15, event: { type, sid: 1, seq: lines.length + 1, msg } }));
  };
  const change = (atMs: number, side: 'yes' | 'no', cents: number, delta: number): void => {
    const size = (book[side].get(cents) ?? 0) + delta;
    if (size === 0) book[side].delete(cents);
    else book[side].set(cents, size);
    add('orderbook_delta', atMs, { side, price_dollars: dollars(cents), delta_fp: delta.toFixed(2) });
  };
  let [fair, quoted] = [50, 50];
  for (let atMs = START_MS; atMs < START_MS + HOUR_MS; atMs += STEP_MS) {
    fair += 0.3 * (random() - 0.5);
    if (NEWS_MINUTES.some((minute) => atMs === START_MS + minute * MINUTE_MS)) {
      const [least, most] = NEWS_CENTS;
      // Far from the middle the fair price moves back, so that it stays between 0 and 100.
      const isUp = fair < 30 || (fair < 70 && random() < 0.5);
      fair += (isUp ? 1 : -1) * (least + (most - least) * random());
      news.push(newsText(news.length + 1, atMs, fair));
    }
    quoted += Math.max(-CATCH_UP_CENTS, Math.min(CATCH_UP_CENTS, fair - quoted));
    // The best bids of both sides, so that the spread is one cent or two.
    const best = { yes: Math.ceil(quoted) - 1, no: 100 - Math.floor(quoted) - 1 };
    for (const side of SIDES) {
      const gone = [...book[side]].filter(([cents]) => cents > best[side] || random() < 0.02);
      for (const [cents, size] of gone) change(atMs, side, cents, -size);
    }
    for (const side of SIDES) {
      for (let cents = best[side]; cents > best[side] - LEVELS; cents -= 1) {
        if (!book[side].has(cents)) change(atMs, side, cents, 10 + Math.floor(190 * random()));
      }
    }
    if (random() > 0.25) continue;
    const [side, taker] = random() < 0.5 ? (['no', 'yes'] as const) : (['yes', 'no'] as const);
    const count = Math.min(book[side].get(best[side]) ?? 0, 1 + Math.floor(40 * random()));
    change(atMs + 400, side, best[side], -count);
    const price = dollars(side === 'yes' ? best.yes : 100 - best.no);
    add('trade', atMs + 400, { yes_price_dollars: price, count_fp: count.toFixed(2), taker_outcome_side: taker });
  }
  return { fair, lines, news };
}

function newsText(number: number, atMs: number, fair: number): string {
  return JSON.stringify({
    externalId: `made-${number}`,
    source: 'Made news',
    headline: `The made company's figures point to ${fair.toFixed(0)} %`,
    citationUrl: `https://example.com/made-news/${number}`,
    publishedAt: iso(atMs),
    marketId: MADE_NEWS,
    fairProb: Math.round(100 * fair) / 10_000,
  });
}

const dollars = (cents: number): string => (cents / 100).toFixed(4);
