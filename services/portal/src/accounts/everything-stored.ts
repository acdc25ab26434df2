import { sql } from 'kysely';
import type { PortalDatabase } from '../base/database.ts';
import type { Person } from '../base/schema.ts';

/** All that the portal stores about a person, without secrets. A test compares it with the tables. */
export async function everythingStored(db: PortalDatabase, person: Person) {
  const { id: personId } = person;
  const rows = (table: string, ...columns: string[]) => rowsOf(db, table, columns, personId);
  const [signUp = null] = await rows('sign_up_jobs', 'invite_id', 'step', 'came_from', 'created_at', 'finished_at');
  return {
    person: {
      id: personId,
      signInName: person.sign_in_name,
      displayName: person.display_name,
      email: person.email,
      accountId: person.account_id,
      state: person.state,
      createdAt: person.created_at,
      password: person.password_hash === null ? null : 'stored as an argon2id hash',
    },
    sessions: await rows('sessions', 'id', 'device', 'created_at', 'last_seen_at', 'expires_at', 'proven_until'),
    passkeys: await passkeysOf(db, personId),
    recoveryCodes: await recoveryCodesOf(db, personId),
    company: await rows('company_links', 'issuer', 'subject', 'created_at'),
    emailLinks: await rows('email_tokens', 'purpose', 'email', 'created_at', 'expires_at'),
    keys: await rows('account_keys', 'key_id', 'account_id', 'purpose', 'created_at', 'last_used_at'),
    signUp,
    elsewhere: {
      exchange:
        'Orders, trades and balances of the account are in the journal for ever, under its id and without a name. GET /api/portfolio shows them.',
      names:
        'The display names of the account and its sub-accounts are stored by the exchange, apart from the journal, until the account is deleted. So is the day on which each API key was last used, which the page Developers shows.',
      throttling:
        'Sign-ups and wrong passwords are counted by address and name for at most a day, as keyed digests that cannot be read back.',
      logs: 'The logs have the time, path and address of requests.',
    },
  };
}

/** The rows about a person, oldest first, with column names in JSON's camel case. */
async function rowsOf(db: PortalDatabase, table: string, columns: readonly string[], personId: string) {
  const shown = columns.map((column) => {
    const name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return sql`${sql.ref(column)} as ${sql.id(name)}`;
  });
  const query = sql<Readonly<Record<string, unknown>>>`
    select ${sql.join(shown)} from ${sql.id('portal', table)} where person_id = ${personId} order by created_at`;
  return (await query.execute(db)).rows;
}

async function passkeysOf(db: PortalDatabase, personId: string) {
  const stored = db.selectFrom('passkeys').selectAll().where('person_id', '=', personId).orderBy('created_at');
  return (await stored.execute()).map((row) => ({
    id: row.id,
    name: row.name,
    credentialId: row.credential_id,
    publicKey: row.public_key.toString('base64url'),
    uses: Number(row.counter),
    transports: row.transports,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

async function recoveryCodesOf(db: PortalDatabase, personId: string) {
  const rows = await db.selectFrom('recovery_codes').select('used_at').where('person_id', '=', personId).execute();
  return {
    stored: 'as hashes',
    left: rows.filter((row) => row.used_at === null).length,
    usedAt: rows.flatMap((row) => row.used_at ?? []),
  };
}
