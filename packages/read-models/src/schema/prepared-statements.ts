import { poolOf } from '@paper/pg-bulk';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** The limit of prepared statements of a connection, since each keeps a plan; others are planned each time. */
const STATEMENTS_MAX = 200;

/**
 * The same pool, whose connections parse and plan a statement once: to plan what reads many tables takes longer than to
 * run it. What has no parameters (begin, commit) is sent as it is.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  return poolOf(pool, (client) => {
    const names = new Map<string, string>();
    return (text, values) => {
      const name = values.length === 0 ? undefined : nameOf(text, names);
      return client.query({ text, values, ...(name === undefined ? {} : { name }) });
    };
  });
}

function nameOf(text: string, names: Map<string, string>): string | undefined {
  const existing = names.get(text);
  if (existing !== undefined || names.size === STATEMENTS_MAX) return existing;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
