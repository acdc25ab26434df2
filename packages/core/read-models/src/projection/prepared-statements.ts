import { poolOf, StatementNames } from '@paper/pg-bulk';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';

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
