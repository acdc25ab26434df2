import { poolOf, PreparedNames } from '@paper/pg-bulk';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/**
 * The same pool, whose connections parse and plan a statement once: to plan what reads many tables takes longer than to
 * run it. What has no parameters (begin, commit) is sent as it is.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  return poolOf(pool, (client) => {
    const names = new PreparedNames();
    return (text, values) => {
      const name = values.length === 0 ? '' : names.take(text).name;
      return client.query({ text, values, ...(name === '' ? {} : { name }) });
    };
  });
}
