import { openPool, poolOf } from '@paper/pg-bulk';
import { Kysely, PostgresDialect } from 'kysely';
import type { Transaction } from 'kysely';
import type { PortalTables } from './schema.ts';

export type PortalDatabase = Kysely<PortalTables>;
export type PortalTransaction = Transaction<PortalTables>;

const CONNECTIONS_MAX = 10;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;

/** Connects to the tables when they are needed. `onIdleError` gets the error of a connection lost while not in use. */
export function connectPortal(connectionString: string, onIdleError: (error: unknown) => void): PortalDatabase {
  const config = {
    connectionString,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    // Without this search path, a function in a schema that another role created could be called instead.
    options: '-c search_path=pg_catalog',
    application_name: 'portal',
  };
  const pool = openPool(config, onIdleError);
  const connections = poolOf(pool, (client) => (text, parameters) => client.query(text, parameters));
  return new Kysely<PortalTables>({ dialect: new PostgresDialect({ pool: connections }) }).withSchema('portal');
}
