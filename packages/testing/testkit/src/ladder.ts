import type { State } from '@paper/exchange';
import { dump } from './dumps/dump.ts';
import type { LevelDump } from './dumps/dump.ts';

/**
 * A market's book as text in YES terms, for human reviewers. Asks are above the line and bids below, with the best
 * prices next to the line. In each level the oldest order is first.
 *
 *     0.60 | a2 ann sell yes 5
 *     -----
 *     0.55 | b1 bob buy yes 10, c1 cy sell no 3
 */
export function ladder(state: State, marketId: string): string {
  const market = dump(state).markets.find(([id]) => id === marketId)?.[1];
  if (market === undefined) throw new Error(`no market ${marketId}`);
  return [...[...market.asks].reverse().map(level), '-----', ...market.bids.map(level)].join('\n');
}

function level([priceUnits, orders]: LevelDump): string {
  const queue = orders.map(
    ([id, account, outcome, side, remaining]) => `${id} ${account} ${side} ${outcome} ${remaining}`,
  );
  return `${(priceUnits / 10_000).toFixed(priceUnits % 100 === 0 ? 2 : 4)} | ${queue.join(', ')}`;
}
