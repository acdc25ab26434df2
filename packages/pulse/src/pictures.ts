import { PULSE_MARKETS, pulseBody } from '@paper/contracts';
import { type ReadModels, queries } from '@paper/read-models';
import type { PulseMessage } from './port.ts';

/** Takes pictures of the markets from the read models. */
export interface Pictures {
  /** The most active markets of the last 24 h, most active first. */
  mostActive(): Promise<PulseMessage>;
  /** These markets; one that does not exist is not in it. */
  of(marketIds: readonly string[]): Promise<PulseMessage>;
}

/** `now`: the wall clock, in ms. @throws (all) ApiError unavailable without read models. */
export function createPictures(readModels: ReadModels, now: () => number): Pictures {
  const of = (marketIds: readonly string[]): Promise<PulseMessage> =>
    readModels.read(async ({ db, seq }) => ({
      seq,
      pulse: pulseBody(now(), await queries.pulseEntries(db, marketIds)),
    }));
  const ranked = shareRanking(() =>
    readModels.read(({ db }) => queries.mostActiveMarkets(db, now() - DAY_MS, PULSE_MARKETS)),
  );
  return { of, mostActive: async () => of(await ranked()) };
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Ranking looks at every market. It may take this part of the time, however many there are. */
const RANKING_SHARE = 0.05;
/** A pulse is on time: it waits for a ranking that takes no longer, else it takes the one before. */
const RANKING_WAIT_MS = 50;
/** A new market, or one that wakes up, is seen after this time at the latest, also after one slow ranking. */
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
    // Its failure will fail the picture too, where it is handled.
    running.catch(() => undefined);
    return ranking;
  };
}
