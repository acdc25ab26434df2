import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PostgresPool, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { CopiedRows, Pipeline, runPipeline } from './pipeline.ts';
import { poolOf } from './pool.ts';
import { StatementNames } from './prepared-names.ts';

/** Wraps a pool so that its connections also run `copy … from stdin` and pipelines, given as the only parameter. */
export function copying(pool: pg.Pool): PostgresPool {
  return poolOf(pool, (client) => {
    const names = new StatementNames();
    return async (text, parameters) => {
      const [first] = parameters;
      if (first instanceof CopiedRows) return copy(client, text, first);
      if (!(first instanceof Pipeline)) return client.query(text, parameters);
      await runPipeline(client, first, names);
      return NO_ROWS;
    };
  });
}

const NO_ROWS: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] };

async function copy(client: pg.PoolClient, text: string, rows: CopiedRows): Promise<PostgresQueryResult<never>> {
  const into = client.query(from(text));
  await pipeline(Readable.from(rows.chunks), into);
  return { command: 'INSERT', rowCount: into.rowCount, rows: [] };
}
