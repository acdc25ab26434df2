import { setTimeout as sleep } from 'node:timers/promises';

const TRANSACTIONS_A_SECOND = 20;

/** Limits a fill to this many events a second, so that reads stay fast. */
export function createPace(eventsPerSecond: number) {
  let dueMs = performance.now();
  return {
    batchSize: Math.max(1, Math.round(eventsPerSecond / TRANSACTIONS_A_SECOND)),
    async pace(events: number): Promise<void> {
      const nowMs = performance.now();
      if (dueMs > nowMs) await sleep(dueMs - nowMs);
      // Time lost to a slow write is not made up for by a burst.
      dueMs = Math.max(dueMs, nowMs) + (1000 * events) / eventsPerSecond;
    },
  };
}
