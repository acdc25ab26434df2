import pg from 'pg';
import { COORDINATION_SCHEMA } from '../coordination-schema.ts';

/** A candidate for a lease, or its holder. */
export interface Claim {
  /** Names the right that one process holds at a time, such as `writer:main`. */
  readonly name: string;
  /** Unique for each start of a process. */
  readonly holder: string;
  /** The address of the claiming process, stored with the lease. */
  readonly address: string;
}

/** `term` rises whenever the lease changes hands. As long as it is the same, no other process has held the lease. */
export type Taken =
  | { readonly kind: 'taken'; readonly term: number }
  | { readonly kind: 'held'; readonly address: string };

/** Stores leases, by one clock for all processes. Its errors say nothing about the lease. */
export interface LeaseStore {
  /** The address of the lease's current holder; null while it is free. */
  heldAt(name: string): Promise<string | null>;
  /** Takes the lease where it is free or has expired. */
  take(claim: Claim, forMs: number): Promise<Taken>;
  /** Renews the lease from now on; false where another process has had it since. */
  renew(claim: Claim, term: number, forMs: number): Promise<boolean>;
  /** Ends the lease now. */
  release(claim: Claim, term: number): Promise<void>;
  close(): Promise<void>;
}

/** Reads leases, for processes that do not take them. */
export interface LeaseReader {
  /** Whether a process holds the lease now. */
  isHeld(name: string): Promise<boolean>;
}

export interface LeaseStoreOptions {
  readonly connectionString: string;
  /** Called when an idle connection broke. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * Shorter than the rest of a lease when its renewal is due, so that a second try is possible after a connection that
 * hangs.
 */
const ANSWER_MS = 750;

/** Creates the table of leases where it is missing. Run by the database's owner where services have fewer rights. */
export const LEASE_TABLES = `
  ${COORDINATION_SCHEMA}
  create table if not exists coordination.leases (
    name text primary key,
    holder text not null,
    address text not null,
    term bigint not null,
    expires_at timestamptz not null
  );`;

// Reads without locking, since a standby reads several times a second.
const LOOK = 'select address from coordination.leases where name = $1 and expires_at > clock_timestamp()';

/** Compare-and-set in one statement: of two who see it free, the second waits for the first and then finds it held. */
const TAKE = `
  insert into coordination.leases as lease (name, holder, address, term, expires_at)
  values ($1, $2, $3, 1, clock_timestamp() + $4 * interval '1 millisecond')
  on conflict (name) do update
  set holder = $2, address = $3, term = lease.term + 1, expires_at = clock_timestamp() + $4 * interval '1 millisecond'
  where lease.expires_at <= clock_timestamp()
  returning term`;

const RENEW = `
  update coordination.leases set expires_at = clock_timestamp() + $4 * interval '1 millisecond'
  where name = $1 and holder = $2 and term = $3`;

const RELEASE = `
  update coordination.leases set expires_at = clock_timestamp() where name = $1 and holder = $2 and term = $3`;

/**
 * Leases in Postgres, in a schema of their own that is created if missing. `clock_timestamp` is the time at which a
 * statement reaches its row, and not the time at which it began to wait for the row's lock.
 */
export function createLeaseStore({ connectionString, onIdleError }: LeaseStoreOptions): LeaseStore & LeaseReader {
  // A separate pool: a renewal never waits for other connections of this process, however busy they are.
  const pool = new pg.Pool({
    application_name: 'paper-lease',
    connectionString,
    connectionTimeoutMillis: ANSWER_MS,
    keepAlive: true,
    max: 1,
    query_timeout: ANSWER_MS,
  });
  pool.on('error', (error) => onIdleError?.(error));
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
    await ready();
    const { rows } = await pool.query<{ address: string }>(LOOK, [name]);
    return rows[0]?.address ?? null;
  };

  return {
    heldAt,
    async take({ name, holder, address }, forMs) {
      await ready();
      const { rows } = await pool.query<{ term: string }>(TAKE, [name, holder, address, forMs]);
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
      return (await pool.query(LOOK, [name])).rowCount === 1;
    },
    close: () => pool.end(),
  };
}
