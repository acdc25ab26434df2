import type { MakerRules } from './demo-quotes.ts';

/** Settings of the demo. Money is whole units of $0.0001. */
export const DEFAULT_DEMO_SETTINGS = {
  /** The time from one turn to the next while a client is connected; else `unwatchedTurnMs` applies. */
  turnMs: 3_000,
  unwatchedTurnMs: 20_000,
  /** The time for which a new demo is faster, so that a new user soon sees prices move. */
  openingMs: 12 * 60_000,
  openingTempo: 6,
  unwatchedTempo: 0.1,
  newsEveryMs: 55_000,
  tradesPerMinute: 7,
  /** The number of changes of quotes a minute, without urgent ones. */
  quoteChangesPerMinute: 17,
  /** The furthest that a quote may be on the losing side of the hidden value. */
  giveUnits: 200,
  /** The most that the demo's accounts may lose to others: a budget that refills in an hour. */
  giveAwayUnits: 400_000,
  /** The makers, the one with the best quotes first. Sizes are multiplied by a market's depth, 0.5 to 1.5. */
  makers: [
    { awayUnits: 0, size: 12, toleranceUnits: 50, patienceMs: 60_000, maxInventory: 120, maxSkewUnits: 100 },
    { awayUnits: 350, size: 60, toleranceUnits: 250, patienceMs: Infinity, maxInventory: 240, maxSkewUnits: 0 },
  ] as readonly MakerRules[],
};

export type DemoSettings = Readonly<typeof DEFAULT_DEMO_SETTINGS>;
