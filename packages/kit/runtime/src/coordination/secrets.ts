import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inCoordination, unlessMissing } from './coordination-client.ts';
import { COORDINATION_SCHEMA } from './coordination-schema.ts';

/** The shared secrets: `cursors` signs cursors of paged lists, `fingerprints` keys fingerprints of commands. */
const SECRET_NAMES = ['cursors', 'fingerprints'] as const;

type SecretName = (typeof SECRET_NAMES)[number];

const SECRET_BYTES = 32;

/** The table's owner sees all rows; every other role only the rows that a policy shows it. */
const SECRET_TABLE = `
  ${COORDINATION_SCHEMA}
  create table if not exists coordination.secrets (
    name text primary key,
    value bytea not null
  );
  alter table coordination.secrets enable row level security;`;

/** Creates the table of secrets and fills it, as its owner. An existing secret is not changed. */
export async function prepareSecrets(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(SECRET_TABLE);
  for (const name of SECRET_NAMES) {
    await client.query('insert into coordination.secrets (name, value) values ($1, $2) on conflict (name) do nothing', [
      name,
      randomBytes(SECRET_BYTES),
    ]);
  }
}

/** Reads one secret (32 bytes); creates all of them first if the table is missing and the connection is the owner's. */
export function readSecret(connectionString: string, name: SecretName): Promise<Buffer> {
  const denied = `this role may not read the secret '${name}' in coordination.secrets, or it is missing`;
  return inCoordination(connectionString, denied, async (client) => {
    const found = await selectSecret(client, name);
    if (found !== null) return found;
    await prepareSecrets(client);
    const made = await selectSecret(client, name);
    if (made === null) throw new Error(`the row is hidden from this role`);
    return made;
  });
}

async function selectSecret(client: pg.Client, name: SecretName): Promise<Buffer | null> {
  const found = await unlessMissing(
    client.query<{ value: Buffer }>('select value from coordination.secrets where name = $1', [name]),
  );
  return found?.rows[0]?.value ?? null;
}
