import { copying, openPool, poolOf, StatementNames } from '@paper/pg-bulk';
import { Kysely, PostgresDialect } from 'kysely';
import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { WORD_LIKENESS } from '../engine/trigrams.ts';
import type { ReadDb, ReadTables } from '../models/tables.ts';

export interface DatabaseOptions {
  readonly connectionString: string;
  readonly maxConnections?: number;
  /** False: a commit does not wait for the disk. Only for writers whose checkpoint is in the same transaction. */
  readonly synchronousCommit?: boolean;
  /** Plans each statement once per connection. For readers, which repeat the same statements. */
  readonly prepare?: boolean;
  /** The memory for a sort or a hash, in Postgres's notation; default: the server's. */
  readonly workMem?: string;
  /** The time after which a statement is cancelled, with a transient error; default: no limit. */
  readonly statementTimeoutMs?: number;
  readonly role?: string;
  /** Receives the process id of each new connection's backend, on the database's machine. */
  readonly onBackend?: ((pid: number) => void) | undefined;
  /** Called for idle connections that break; the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
  /** Called at once for every connection that breaks, idle or in use. */
  readonly onBroken?: (error: Error) => void;
}

/** With the default for spinning disks, Postgres reads and sorts all rows of an account, not one page by index. */
const CHEAP_RANDOM_READS = '-c random_page_cost=1.1';

/** Opens a pool of connections to the read models. Integers become numbers; one beyond 2^53 is an error. */
export function connectReadModels(options: DatabaseOptions): ReadDb {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, wholeNumber);
  const config: pg.PoolConfig = {
    connectionString: options.connectionString,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    options: [
      CHEAP_RANDOM_READS,
      WORD_LIKENESS,
      ...(options.synchronousCommit === false ? ['-c synchronous_commit=off'] : []),
      ...(options.workMem === undefined ? [] : [`-c work_mem=${options.workMem}`]),
      ...(options.statementTimeoutMs === undefined ? [] : [`-c statement_timeout=${options.statementTimeoutMs}`]),
      ...(options.role === undefined ? [] : [`-c role=${options.role.replaceAll(/[\\\s]/g, '\\$&')}`]),
    ].join(' '),
    types,
  };
  const pool = openPool(config, options.onIdleError, options.onBackend);
  pool.on('connect', (client) => void client.on('error', (error) => options.onBroken?.(error)));
  return new Kysely<ReadTables>({
    dialect: new PostgresDialect({ pool: options.prepare === true ? preparing(pool) : copying(pool) }),
  });
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is beyond what a number holds exactly`);
  return number;
}

/** Makes connections plan each statement once: planning a query over many tables takes longer than running it. */
export function preparing(pool: pg.Pool): PostgresPool {
  return poolOf(pool, (client) => {
    const names = new StatementNames();
    return (text, values) => {
      const name = values.length === 0 ? '' : names.take(text).name;
      return client.query({ text, values, ...(name === '' ? {} : { name }) });
    };
  });
}
