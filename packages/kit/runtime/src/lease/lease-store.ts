import { openPool } from '@paper/pg-bulk';
import { randomUUID } from 'node:crypto';
import { systemClock } from '@paper/timing';
import { LEASE_TABLES } from '../coordination/coordination-schema.ts';

export interface Claim {
  readonly name: string;
  /** An id that is unique for each start of a process. */
  readonly holder: string;
  readonly address: string;
}

/** The result of taking a lease. `term` rises whenever the lease changes hands. */
export type TakeResult =
  | { readonly kind: 'taken'; readonly term: number }
  | { readonly kind: 'held'; readonly address: string };

/** Stores leases, with one clock for all processes. An error of the store says nothing about the lease. */
export interface LeaseStore {
  readonly holder: string;
  readonly onDisconnect: (listener: () => void) => void;
  /** The address of the lease's current holder; null while it is free, and if its holder has ended. */
  heldAt(name: string): Promise<string | null>;
  /** Takes the lease if it is free, has expired, or its holder has ended. */
  take(claim: Claim, forMs: number): Promise<TakeResult>;
  /** Renews the lease from now on; false if another process has held it since. */
  renew(claim: Claim, term: number, forMs: number): Promise<boolean>;
  release(claim: Claim, term: number): Promise<void>;
  close(): Promise<void>;
}

interface LeaseReader {
  /** Whether a process holds the lease now. */
  isHeld(name: string): Promise<boolean>;
}

interface LeaseStoreOptions {
  readonly connectionString: string;
  readonly onIdleError?: (error: Error) => void;
}

/** The time limit of a request: short enough for a second attempt before the lease expires. */
const ANSWER_MS = 750;

/** How long a holder must be without a connection to count as ended; it stops relying on the lease sooner. */
export const ENDED_AFTER_MS = 300;

/** The prefix of the name of a process's connection to its lease: a connection ends with its process. */
const CONNECTION = 'paper-lease ';
const isConnected = (holder: string): string =>
  `exists (select from pg_stat_activity where application_name = '${CONNECTION}' || ${holder})`;

// Reads without a lock, since a standby reads several times a second.
const LOOK = `
  select address, term, ${isConnected('holder')} as connected
  from coordination.leases where name = $1 and expires_at > clock_timestamp()`;

const IS_HELD = 'select from coordination.leases where name = $1 and expires_at > clock_timestamp()';

/** Takes the lease by a compare-and-set in one statement. $5: the term of a holder that has ended. */
const TAKE = `
  insert into coordination.leases as lease (name, holder, address, term, expires_at)
  values ($1, $2, $3, 1, clock_timestamp() + $4 * interval '1 millisecond')
  on conflict (name) do update
  set holder = $2, address = $3, term = lease.term + 1, expires_at = clock_timestamp() + $4 * interval '1 millisecond'
  where lease.expires_at <= clock_timestamp() or (lease.term = $5 and not ${isConnected('lease.holder')})
  returning term`;

const RENEW = `
  update coordination.leases set expires_at = clock_timestamp() + $4 * interval '1 millisecond'
  where name = $1 and holder = $2 and term = $3`;

const RELEASE = `
  update coordination.leases set expires_at = clock_timestamp() where name = $1 and holder = $2 and term = $3`;

/** Creates the store of leases in Postgres. `clock_timestamp` is the time at which a statement has its row's lock. */
export function createLeaseStore({ connectionString, onIdleError }: LeaseStoreOptions): LeaseStore & LeaseReader {
  const holder = randomUUID();
  // A separate pool: a renewal never waits for other connections of this process, however busy they are.
  const disconnected: (() => void)[] = [];
  const limits = { connectionTimeoutMillis: ANSWER_MS, max: 1, query_timeout: ANSWER_MS };
  const config = { application_name: `${CONNECTION}${holder}`, connectionString, keepAlive: true, ...limits };
  const pool = openPool(config, (error) => {
    for (const listener of disconnected) listener();
    onIdleError?.(error);
  });
  const watch = new HolderWatch();
  let prepared: Promise<void> | null = null;

  const prepare = async (): Promise<void> => {
    const { rows } = await pool.query<{ there: boolean }>(
      `select to_regclass('coordination.leases') is not null as there`,
    );
    if (rows[0]?.there !== true) await pool.query(LEASE_TABLES);
  };

  const ready = async (): Promise<void> => {
    prepared ??= prepare();
    await prepared.catch((error: unknown) => {
      prepared = null;
      throw error;
    });
  };
  const heldAt = async (name: string): Promise<string | null> => {
    try {
      await ready();
      const { rows } = await pool.query<{ address: string; term: string; connected: boolean }>(LOOK, [name]);
      const [held] = rows;
      if (held === undefined) return null;
      return watch.hasEnded(name, Number(held.term), held.connected) ? null : held.address;
    } catch (error) {
      watch.forget(name);
      throw error;
    }
  };

  return {
    holder,
    onDisconnect: (listener) => void disconnected.push(listener),
    heldAt,
    async take({ name, holder, address }, forMs) {
      await ready();
      const { rows } = await pool.query<{ term: string }>(TAKE, [name, holder, address, forMs, watch.endedTerm(name)]);
      if (rows[0] !== undefined) return { kind: 'taken', term: Number(rows[0].term) };
      return { address: (await heldAt(name)) ?? '', kind: 'held' };
    },
    async renew({ name, holder }, term, forMs) {
      return (await pool.query(RENEW, [name, holder, term, forMs])).rowCount === 1;
    },
    async release({ name, holder }, term) {
      await pool.query(RELEASE, [name, holder, term]);
    },
    async isHeld(name) {
      return (await pool.query(IS_HELD, [name])).rowCount === 1;
    },
    close: () => pool.end(),
  };
}

interface WatchedHolder {
  readonly term: number;
  /** The time since which it has no connection, by the monotonic clock; null while it has one. */
  readonly awaySinceMs: number | null;
}

/** Finds holders that have ended before their leases expire, if it saw their connections before. */
class HolderWatch {
  readonly #holders = new Map<string, WatchedHolder>();

  hasEnded(name: string, term: number, connected: boolean): boolean {
    const known = this.#holders.get(name);
    if (connected) {
      this.#holders.set(name, { awaySinceMs: null, term });
    } else if (known?.term === term) {
      this.#holders.set(name, { awaySinceMs: known.awaySinceMs ?? systemClock.monotonic(), term });
    } else {
      this.#holders.delete(name);
    }
    return this.endedTerm(name) === term;
  }

  endedTerm(name: string): number | null {
    const { awaySinceMs = null, term = 0 } = this.#holders.get(name) ?? {};
    return awaySinceMs !== null && systemClock.monotonic() - awaySinceMs >= ENDED_AFTER_MS ? term : null;
  }

  /** Discards the observations of a lease: nothing is known about the time between. */
  forget(name: string): void {
    const known = this.#holders.get(name);
    if (known !== undefined) this.#holders.set(name, { awaySinceMs: null, term: known.term });
  }
}
