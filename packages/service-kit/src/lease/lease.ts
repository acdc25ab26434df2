import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { createRetryLog, type After } from '../retry-log.ts';
import type { Claim, LeaseStore } from './lease-store.ts';

/** How long a lease lasts from each renewal, on the store's clock. */
export const LEASE_MS = 3_000;
/** How long its holder believes in it without a renewal, by its own clock: shorter, so that clocks may differ a little. */
const BELIEVED_MS = 2_000;
/** Where its two clocks differ by more about how long that is, the machine was suspended, or one of them was set. */
const CLOCKS_DIFFER_MS = 500;
const RENEW_EVERY_MS = 1_000;
/** Between two looks at a lease that another holds, and from a renewal that failed to the next. */
const PAUSE_MS = 200;
/** Between two looks of one that could make no use of it: to find that out costs its servers more. */
const UNFIT_PAUSE_MS = 1_000;
/** How long it is not renewed where it is let run out: until it has, and others have had time to take it. */
const LET_GO_MS = LEASE_MS + 2_000;

const CANNOT_LOOK = 'the lease cannot be looked at; it is tried on';

/** Time as a lease uses it; tests bring their own. */
export interface LeaseClock {
  /** Monotonic, in ms. It goes on while the process is stopped, and may stand still while the machine is suspended. */
  readonly now: () => number;
  /** The wall clock, in ms. It can be set, and goes on while the machine is suspended. */
  readonly wall: () => number;
  /** Does the work once, that much later, unless the returned function is called before. */
  readonly after: (ms: number, work: () => void) => () => void;
}

export const systemClock: LeaseClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export interface LeaseOptions {
  readonly store: LeaseStore;
  /** What is to be held by one at a time, such as `writer:main`. */
  readonly name: string;
  /** Where this process is found by those who look at the row; asked when it tries to take it. */
  readonly address: () => string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: LeaseClock;
  /** The clock of what is logged once a minute; default: the machine's. */
  readonly logAfter?: After;
}

/** The time during which this process has the lease. */
export interface Tenure {
  /**
   * Whether the lease is this process's now: renewed within the last 2 s, as both its clocks say. To be asked at each
   * use, since a process that was stopped wakes up in the middle of whatever it was doing. It may be false for a while
   * and then true again: the store could not be reached, and nobody else has had the lease.
   */
  readonly held: () => boolean;
  /** Aborts, with an Error as its reason, once another has had the lease. That is for good. */
  readonly lost: AbortSignal;
  /**
   * Does not renew it for 5 s, so that it runs out and whoever waits for it takes it. Where nobody has, it is this
   * process's again. Whoever calls this logs why.
   */
  readonly letRunOut: () => void;
  /** Gives it up, so that the next takes over at once. Never rejects; again: the same. */
  readonly release: () => Promise<void>;
}

/** A lease elects; it fences nothing. Who holds it and is late must still be refused by what he writes to. */
export interface Lease {
  /**
   * Waits, for as long as it takes, until the lease is free and takes it. Null when the signal aborts before. Where it is
   * free, `isFit` says whether this process can make use of it now; it has to answer within a second or two, and never
   * rejects. Default: it can.
   */
  readonly acquire: (signal: AbortSignal, isFit?: () => Promise<boolean>) => Promise<Tenure | null>;
  /** The address of the one who had it when this process last looked; null where nobody had, and before. */
  readonly seenAt: () => string | null;
}

/** A lease under this name, for one that uses it: it is acquired, and after its loss it may be acquired again. */
export function createLease(options: LeaseOptions): Lease {
  const { store, name, logger, metrics, clock = systemClock } = options;
  const holder = randomUUID();
  const labels = ['lease'] as const;
  const failures = metrics.counter('lease_failures_total', 'Looks at and renewals of a lease that failed', labels);
  let tenure: Tenure | null = null;
  let seenAt: string | null = null;
  metrics.gauge('lease_held', '1 while this process holds the lease', {
    labels,
    collect: (gauge) => gauge.set({ lease: name }, tenure?.held() === true ? 1 : 0),
  });
  const retries = createRetryLog(logger, options.logAfter);
  const failed = (error: unknown): void => {
    failures.inc({ lease: name });
    retries.failed(CANNOT_LOOK, error, { lease: name });
  };
  const succeeded = (): void => retries.works(CANNOT_LOOK);

  let loggedAt: string | null = null;
  const see = (address: string | null): void => {
    seenAt = address;
    // A holder that is hindered lets it run out again and again, and has it again.
    if (address === null || address === loggedAt) return;
    loggedAt = address;
    logger.info({ at: address, lease: name }, 'another process holds the lease; waiting');
  };
  const look = async (isFit: () => Promise<boolean>): Promise<Tenure | 'held' | 'unfit'> => {
    try {
      see(await store.heldAt(name));
      succeeded();
      if (seenAt !== null) return 'held';
      if (!(await isFit())) return 'unfit';
      const asked = bothOf(clock);
      const claim: Claim = { address: options.address(), holder, name };
      const taken = await store.take(claim, LEASE_MS);
      if (taken.kind === 'taken') {
        loggedAt = null;
        logger.info({ lease: name, term: taken.term }, 'the lease is held');
        return keep({ asked, claim, clock, failed, logger, store, succeeded, term: taken.term });
      }
      see(taken.address);
    } catch (error) {
      failed(error);
    }
    return 'held';
  };

  return {
    async acquire(signal, isFit = () => Promise.resolve(true)) {
      const wanted = (): boolean => !signal.aborted;
      while (wanted()) {
        const found = await look(isFit);
        if (found === 'held') await pause(clock, PAUSE_MS, signal);
        else if (found === 'unfit') await pause(clock, UNFIT_PAUSE_MS, signal);
        else if (wanted()) return (tenure = found);
        else await found.release();
      }
      return null;
    },
    seenAt: () => seenAt,
  };
}

/** A moment by both clocks of a lease. */
interface Moment {
  readonly now: number;
  readonly wall: number;
}

const bothOf = (clock: LeaseClock): Moment => ({ now: clock.now(), wall: clock.wall() });

interface Keeping {
  /** When it was asked for what was then granted: the store counts from later on. */
  readonly asked: Moment;
  readonly claim: Claim;
  readonly clock: LeaseClock;
  readonly failed: (error: unknown) => void;
  readonly logger: Logger;
  readonly store: LeaseStore;
  readonly succeeded: () => void;
  readonly term: number;
}

/** Renews every second what was taken, until it is released or another has taken it. */
function keep({ asked, claim, clock, failed, logger, store, succeeded, term }: Keeping): Tenure {
  const lost = new AbortController();
  let renewed = asked;
  let believed = true;
  let letGo = false;
  let notBeforeMs = -Infinity;
  let renewing = false;
  let released: Promise<void> | null = null;
  const over = (): boolean => released !== null || lost.signal.aborted;
  const isFresh = (): boolean => {
    const sinceMs = clock.now() - renewed.now;
    return sinceMs < BELIEVED_MS && Math.abs(clock.wall() - renewed.wall - sinceMs) <= CLOCKS_DIFFER_MS;
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
      if (!believed) logger.warn({ lease: claim.name, term }, 'the lease is held again, and nobody else has had it');
      believed = true;
      letGo = false;
      renewed = begun;
      nextMs = RENEW_EVERY_MS - (clock.now() - begun.now);
    } catch (error) {
      if (over()) return;
      failed(error);
      // One that had no answer in time has waited long enough: what is left of the lease is for the next.
      nextMs = PAUSE_MS - (clock.now() - begun.now);
      if (believed && !letGo && !isFresh()) {
        believed = false;
        logger.error(
          { lease: claim.name, term },
          'the lease was not renewed in time; it is not counted on until it is',
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
    cancel = clock.after(Math.max(0, ms, notBeforeMs - clock.now()), () => void renew());
  };
  schedule(RENEW_EVERY_MS);

  return {
    held: () => !over() && isFresh(),
    letRunOut() {
      if (over()) return;
      letGo = true;
      notBeforeMs = clock.now() + LET_GO_MS;
      if (!renewing) schedule(LET_GO_MS);
    },
    lost: lost.signal,
    release: () =>
      (released ??= (async () => {
        cancel();
        if (lost.signal.aborted) return;
        // Not told, the store lets it run out by itself.
        await store.release(claim, term).catch(failed);
        logger.info({ lease: claim.name, term }, 'the lease was given up');
      })()),
  };
}

/** Resolves after the pause, or when the signal aborts. */
function pause(clock: LeaseClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}
