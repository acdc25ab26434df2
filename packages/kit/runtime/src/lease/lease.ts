import { pause, systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { createRetryLog } from '../retry-log.ts';
import type { Claim, LeaseStore } from './lease-store.ts';
import { Succession } from './succession.ts';

/** How long a lease lasts from each renewal, on the store's clock. */
export const LEASE_MS = 3_000;
/** How long the holder relies on the lease after a renewal, by its own clock, which may differ a little. */
const TRUSTED_MS = 2_000;
/** When the process's two clocks differ by more than this, the machine was suspended or one of them was set. */
const CLOCKS_DIFFER_MS = 500;
/** How long the holder relies on the lease after its connection was lost: less than ENDED_AFTER_MS. */
const TRUSTED_WITHOUT_CONNECTION_MS = 200;
const RENEW_EVERY_MS = 1_000;
/** The pause between two reads of a lease that another process holds. */
const LOOK_EVERY_MS = 100;
const PAUSE_MS = 200;
/** The pause between two health checks, which cost the servers more than a read of the lease. */
const HEALTH_PAUSE_MS = 1_000;
/** How long a holder that steps down does not renew: until the lease has expired and others had time to take it. */
const STEP_DOWN_MS = LEASE_MS + 2_000;

const CANNOT_READ_LEASE = 'the lease cannot be read; retrying';

type LeaseClock = Pick<Clock, 'after' | 'monotonic' | 'now'>;

interface LeaseOptions {
  readonly store: LeaseStore;
  /** The name of the right that one process holds at a time, such as `writer:main`. */
  readonly name: string;
  /** The address of this process, stored with the lease; read at each attempt to take it. */
  readonly address: () => string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: LeaseClock;
  readonly logAfter?: Clock['after'];
}

export interface Tenure {
  /**
   * Whether this process holds the lease now, by both its clocks. Check it at each use, since a suspended process wakes
   * up in the middle of its work. It may be false for a while and then true again, if no other process took the lease.
   */
  readonly held: () => boolean;
  /** Aborts for good, with an Error as its reason, once another process has had the lease. */
  readonly lost: AbortSignal;
  /** Whether another process is healthy and waits for the lease; asked about once a second by an unhealthy holder. */
  readonly hasSuccessor: () => Promise<boolean>;
  /** Stops renewing for 5 s, so that a waiting process takes the lease; else takes it back. */
  readonly stepDown: () => void;
  /** Gives the lease up, so that the next process takes it at once. Never rejects; idempotent. */
  readonly release: () => Promise<void>;
}

/** A right that one process holds at a time. It does not fence: the store must still refuse a late holder. */
export interface Lease {
  /** Waits until the lease is free and takes it; null when the signal aborts before. `isHealthy` never rejects. */
  readonly acquire: (signal: AbortSignal, isHealthy?: () => Promise<boolean>) => Promise<Tenure | null>;
  /** The holder's address when this process last read the lease; null if it was free, and before the first read. */
  readonly seenAt: () => string | null;
}

export function createLease(options: LeaseOptions): Lease {
  const { store, name, logger, metrics, clock = systemClock } = options;
  const { holder } = store;
  const labels = ['lease'] as const;
  const failures = metrics.counter('lease_failures_total', 'Looks at and renewals of a lease that failed', labels);
  // The series begins at 0, since a rate over a series that begins with its first failure would not show that failure.
  failures.inc({ lease: name }, 0);
  let tenure: Tenure | null = null;
  let seenAt: string | null = null;
  metrics.gauge('lease_held', '1 while this process holds the lease', {
    labels,
    collect: (gauge) => gauge.set({ lease: name }, tenure?.held() === true ? 1 : 0),
  });
  const retries = createRetryLog(logger, options.logAfter);
  const failed = (error: unknown): false => {
    failures.inc({ lease: name });
    retries.failed(CANNOT_READ_LEASE, error, { lease: name });
    return false;
  };
  const succeeded = (): void => retries.works(CANNOT_READ_LEASE);

  let loggedAt: string | null = null;
  const see = (address: string | null): void => {
    seenAt = address;
    // A holder that steps down may take the lease back.
    if (address === null || address === loggedAt) return;
    loggedAt = address;
    logger.info({ at: address, lease: name }, 'another process holds the lease; waiting');
  };
  const succession = new Succession(store, name);
  let offeredAtMs = -Infinity;
  const offer = async (isHealthy: () => Promise<boolean>): Promise<void> => {
    if (clock.monotonic() - offeredAtMs < HEALTH_PAUSE_MS) return;
    offeredAtMs = clock.monotonic();
    await succession.offer({ address: options.address(), holder }, isHealthy);
  };
  const tryToTake = async (isHealthy: () => Promise<boolean>): Promise<Tenure | 'held' | 'unfit'> => {
    try {
      see(await store.heldAt(name));
      succeeded();
      if (seenAt !== null) {
        await offer(isHealthy);
        return 'held';
      }
      if (!(await isHealthy())) return 'unfit';
      const requestedAt = bothOf(clock);
      const claim: Claim = { address: options.address(), holder, name };
      const taken = await store.take(claim, LEASE_MS);
      if (taken.kind === 'taken') {
        loggedAt = null;
        logger.info({ lease: name, term: taken.term }, 'the lease is held');
        const parts = { requestedAt, claim, clock, failed, logger, store, succeeded, term: taken.term };
        return { ...createTenure(parts), hasSuccessor: () => succession.seek(claim).catch(failed) };
      }
      see(taken.address);
    } catch (error) {
      failed(error);
    }
    return 'held';
  };

  return {
    async acquire(signal, isHealthy = () => Promise.resolve(true)) {
      const waiting = (): boolean => !signal.aborted;
      while (waiting()) {
        const found = await tryToTake(isHealthy);
        if (found === 'held') await pause(LOOK_EVERY_MS, { clock, signal });
        else if (found === 'unfit') await pause(HEALTH_PAUSE_MS, { clock, signal });
        else if (waiting()) return (tenure = found);
        else await found.release();
      }
      return null;
    },
    seenAt: () => seenAt,
  };
}

interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const bothOf = (clock: LeaseClock): Moment => ({ monotonic: clock.monotonic(), wall: clock.now() });

interface TenureOptions {
  readonly requestedAt: Moment;
  readonly claim: Claim;
  readonly clock: LeaseClock;
  readonly failed: (error: unknown) => void;
  readonly logger: Logger;
  readonly store: LeaseStore;
  readonly succeeded: () => void;
  readonly term: number;
}

type Alone = Omit<Tenure, 'hasSuccessor'>;

function createTenure({ requestedAt, claim, clock, failed, logger, store, succeeded, term }: TenureOptions): Alone {
  const lost = new AbortController();
  let renewed = requestedAt;
  let disconnectedAtMs: number | null = null;
  let countedOn = true;
  let steppingDown = false;
  let notBeforeMs = -Infinity;
  let renewing = false;
  let released: Promise<void> | null = null;
  const over = (): boolean => released !== null || lost.signal.aborted;
  const isFresh = (): boolean => {
    const sinceMs = clock.monotonic() - renewed.monotonic;
    if (clock.monotonic() - (disconnectedAtMs ?? Infinity) >= TRUSTED_WITHOUT_CONNECTION_MS) return false;
    return sinceMs < TRUSTED_MS && Math.abs(clock.now() - renewed.wall - sinceMs) <= CLOCKS_DIFFER_MS;
  };

  const renew = async (): Promise<void> => {
    const begun = bothOf(clock);
    let nextMs: number;
    renewing = true;
    try {
      const still = await store.renew(claim, term, LEASE_MS);
      succeeded();
      if (over()) return;
      if (!still) {
        logger.error({ lease: claim.name, term }, 'the lease was lost: another has taken it');
        lost.abort(new Error(`another process has taken the lease ${claim.name}`));
        return;
      }
      if (!countedOn) logger.warn({ lease: claim.name, term }, 'the lease is held again; no other process had it');
      countedOn = true;
      steppingDown = false;
      renewed = begun;
      disconnectedAtMs = null;
      nextMs = RENEW_EVERY_MS - (clock.monotonic() - begun.monotonic);
    } catch (error) {
      if (over()) return;
      failed(error);
      // A failed request's connection is closed, so the holder counts as disconnected.
      disconnectedAtMs ??= clock.monotonic();
      // A renewal that timed out has already waited: the rest of the lease is left for the next attempt.
      nextMs = PAUSE_MS - (clock.monotonic() - begun.monotonic);
      if (countedOn && !steppingDown && !isFresh()) {
        countedOn = false;
        logger.error(
          { lease: claim.name, term },
          'the lease was not renewed in time; this process does not lead until it is',
        );
      }
    } finally {
      renewing = false;
    }
    schedule(nextMs);
  };
  let cancel = (): void => undefined;
  const schedule = (ms: number): void => {
    cancel();
    cancel = clock.after(Math.max(0, ms, notBeforeMs - clock.monotonic()), () => void renew());
  };
  schedule(RENEW_EVERY_MS);
  store.onDisconnect(() => {
    if (over()) return;
    disconnectedAtMs ??= clock.monotonic();
    if (!renewing) schedule(0);
  });

  return {
    held: () => !over() && isFresh(),
    stepDown() {
      if (over()) return;
      steppingDown = true;
      notBeforeMs = clock.monotonic() + STEP_DOWN_MS;
      if (!renewing) schedule(STEP_DOWN_MS);
    },
    lost: lost.signal,
    release: () =>
      (released ??= (async () => {
        cancel();
        if (lost.signal.aborted) return;
        // If the store cannot be reached, the lease expires by itself.
        await store.release(claim, term).catch(failed);
        logger.info({ lease: claim.name, term }, 'the lease was given up');
      })()),
  };
}
