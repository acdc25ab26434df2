import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { COORDINATION_SCHEMA } from './coordination-schema.ts';

/**
 * What the processes of a service know together, and nobody else: `cursors` signs the cursors of paged lists,
 * `fingerprints` keys the fingerprints of commands. Each is 32 random bytes, made once and never changed.
 */
export const SECRET_NAMES = ['cursors', 'fingerprints'] as const;

export type SecretName = (typeof SECRET_NAMES)[number];

const SECRET_BYTES = 32;
const ANSWER_MS = 5_000;

/** The table's owner sees all rows; every other role only those that a policy gives it. */
const SECRET_TABLE = `
  ${COORDINATION_SCHEMA}
  create table if not exists coordination.secrets (
    name text primary key,
    value bytea not null
  );
  alter table coordination.secrets enable row level security;`;

const INSUFFICIENT_PRIVILEGE = '42501';
const MISSING = new Set(['42P01', '3F000']);

/** Makes the table of secrets and fills it, as its owner. A secret that is there stays as it is. */
export async function prepareSecrets(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(SECRET_TABLE);
  for (const name of SECRET_NAMES) {
    await client.query('insert into coordination.secrets (name, value) values ($1, $2) on conflict (name) do nothing', [
      name,
      randomBytes(SECRET_BYTES),
    ]);
  }
}

/**
 * Reads one secret, and makes all of them where they are missing and the connection is the owner's.
 *
 * @returns 32 bytes.
 * @throws where the database cannot be reached, and where the role of the connection may not read this secret or there
 * is none; then the message says that `npm run roles` is needed.
 */
export async function readSecret(connectionString: string, name: SecretName): Promise<Buffer> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  // A connection that breaks while nobody waits for it would end the process if nobody listened.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Else a schema that another role makes could hold a function that is called here instead.
    await client.query('set search_path = pg_catalog');
    const found = await selectSecret(client, name);
    if (found !== null) return found;
    await prepareSecrets(client);
    const made = await selectSecret(client, name);
    if (made === null) throw new Error(`the row is hidden from this role`);
    return made;
  } catch (error) {
    throw explain(error, name);
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function selectSecret(client: pg.Client, name: SecretName): Promise<Buffer | null> {
  try {
    const { rows } = await client.query<{ value: Buffer }>('select value from coordination.secrets where name = $1', [
      name,
    ]);
    return rows[0]?.value ?? null;
  } catch (error) {
    if (MISSING.has(codeOf(error))) return null;
    throw error;
  }
}

function explain(error: unknown, name: SecretName): unknown {
  if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) return error;
  return new Error(
    `this role may not read the secret '${name}' in coordination.secrets, or it is missing; run \`npm run roles\` as the database's owner`,
    { cause: error },
  );
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
