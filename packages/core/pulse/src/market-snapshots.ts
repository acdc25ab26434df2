import { DAY_MS } from '@paper/contracts/units';
import { PULSE_MARKETS, Pulse } from '@paper/contracts/markets';
import { queries } from '@paper/read-models';
import type { ReadModels } from '@paper/read-models';
import type { PulseMessage } from './port.ts';

/** Reads snapshots of markets from the read models. */
export interface MarketSnapshots {
  /** At most PULSE_MARKETS markets: first those with the most traded shares of the last 24 h. */
  mostActive(): Promise<PulseMessage>;
  /** These markets; unknown ones are left out. */
  of(marketIds: readonly string[]): Promise<PulseMessage>;
}

/** Creates the reads; they throw Unavailable without read models. */
export function createMarketSnapshots(readModels: ReadModels, now: () => number): MarketSnapshots {
  const of = (marketIds: readonly string[]): Promise<PulseMessage> =>
    readModels.read(async ({ db, seq }) => ({
      seq,
      pulse: Pulse.body({ at: now(), markets: await queries.pulseEntries(db, marketIds) }),
    }));
  const ranked = shareRanking(() =>
    readModels.read(({ db }) => queries.mostActiveMarkets(db, now() - DAY_MS, PULSE_MARKETS)),
  );
  return { of, mostActive: async () => of(await ranked()) };
}

/** The largest share of the time that rankings take, since each reads all markets. */
const RANKING_SHARE = 0.05;
/** If the last ranking took longer, a pulse uses it again instead of waiting for the next one. */
const RANKING_WAIT_MS = 50;
/** The longest time between two rankings, so that newly active markets appear even after a slow one. */
const RANKING_AGE_MS_MAX = 10_000;

function shareRanking(rank: () => Promise<readonly string[]>): () => Promise<readonly string[]> {
  let ranking: readonly string[] | null = null;
  let tookMs = 0;
  let retryMs = -Infinity;
  let running: Promise<readonly string[]> | null = null;

  const refresh = async (): Promise<readonly string[]> => {
    const startedMs = performance.now();
    try {
      return (ranking = await rank());
    } finally {
      const endedMs = performance.now();
      tookMs = endedMs - startedMs;
      retryMs = endedMs + Math.min(RANKING_AGE_MS_MAX, tookMs / RANKING_SHARE);
      running = null;
    }
  };
  return async () => {
    if (ranking !== null && performance.now() < retryMs) return ranking;
    running ??= refresh();
    if (ranking === null || tookMs <= RANKING_WAIT_MS) return running;
    // A failed ranking also fails the snapshot, which handles the error.
    running.catch(() => undefined);
    return ranking;
  };
}
