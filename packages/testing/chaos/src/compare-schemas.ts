import { setTimeout as wait } from 'node:timers/promises';
import { connectReadModels, rebuilding } from '@paper/read-models';
import { sql } from 'kysely';

const SAME_WITHIN_MS = 30_000;

/** Compares the rows of a rebuild with the former ones at the same sequence. No event may be appended meanwhile. */
export async function compareSchemas(connectionString: string) {
  const schemas = await bothAtTheSame(connectionString);
  if (schemas === null) {
    return { differences: ['the read models that served do not come to the sequence of those built anew'], text: '' };
  }
  const { active, former } = schemas;
  const db = connectReadModels({ connectionString, maxConnections: 1 });
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = ${active} and table_type = 'BASE TABLE' and table_name <> 'checkpoint' order by 1`.execute(
      db,
    );
    let count = 0;
    const differences: string[] = [];
    for (const { name } of tables) {
      const [anew, served] = [sql.id(active, name), sql.id(former, name)];
      const { rows } = await sql<{ total: number; different: number }>`
        select (select count(*) from ${anew}) as total, (select count(*) from (
          (table ${anew} except all table ${served}) union all (table ${served} except all table ${anew})) d) as different
      `.execute(db);
      count += rows[0]?.total ?? 0;
      const different = rows[0]?.different ?? 0;
      if (different > 0) {
        differences.push(`${different} rows of ${name} differ between ${former} and ${active}, its rebuild`);
      }
    }
    const text = `${count.toLocaleString('en-US')} rows of ${tables.length} tables compared with a rebuild, both ways`;
    return { differences, text };
  } finally {
    await db.destroy();
  }
}

/** Reads both schemas once they are at the same sequence; null if they do not reach the same one. */
async function bothAtTheSame(connectionString: string) {
  const untilMs = performance.now() + SAME_WITHIN_MS;
  for (;;) {
    const { schemas } = await rebuilding.rebuildStatus(connectionString);
    const active = schemas.find(({ status }) => status === 'active');
    const former = schemas.find(({ status }) => status === 'former');
    if (active !== undefined && active.seq === former?.seq) return { active: active.schema, former: former.schema };
    if (performance.now() > untilMs) return null;
    await wait(100);
  }
}
