import { poolOf, StatementNames } from '@paper/pg-bulk';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/**
 * Wraps a pool so that its connections parse and plan a statement only once: planning a query over many tables takes
 * longer than running it. Statements without parameters (begin, commit) are sent unchanged.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  return poolOf(pool, (client) => {
    const names = new StatementNames();
    return (text, values) => {
      const name = values.length === 0 ? '' : names.take(text).name;
      return client.query({ text, values, ...(name === '' ? {} : { name }) });
    };
  });
}
