import type { PortalDatabase } from '../base/database.ts';
import type { Person } from '../base/schema.ts';

/**
 * Everything that the portal stores about a person, for the person. Secrets are named and not shown: what is stored of
 * them is a hash, or encrypted. A test compares it with the tables that refer to people.
 */
export async function everythingStored(db: PortalDatabase, person: Person) {
  const { id: personId } = person;
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
    sessions: await sessionsOf(db, personId),
    passkeys: await passkeysOf(db, personId),
    recoveryCodes: await recoveryCodesOf(db, personId),
    company: await companyOf(db, personId),
    emailLinks: await emailLinksOf(db, personId),
    keys: await keysOf(db, personId),
    signUp: await signUpOf(db, personId),
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

function sessionsOf(db: PortalDatabase, personId: string) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'device',
      'created_at as createdAt',
      'last_seen_at as lastSeenAt',
      'expires_at as expiresAt',
      'proven_until as provenUntil',
    ])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .execute();
}

async function passkeysOf(db: PortalDatabase, personId: string) {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
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

function companyOf(db: PortalDatabase, personId: string) {
  return db
    .selectFrom('company_links')
    .select(['issuer', 'subject', 'created_at as createdAt'])
    .where('person_id', '=', personId)
    .execute();
}

function emailLinksOf(db: PortalDatabase, personId: string) {
  return db
    .selectFrom('email_tokens')
    .select(['purpose', 'email', 'created_at as createdAt', 'expires_at as expiresAt'])
    .where('person_id', '=', personId)
    .execute();
}

function keysOf(db: PortalDatabase, personId: string) {
  return db
    .selectFrom('account_keys')
    .select([
      'key_id as keyId',
      'account_id as accountId',
      'purpose',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .execute();
}

async function signUpOf(db: PortalDatabase, personId: string) {
  const row = await db
    .selectFrom('sign_up_jobs')
    .select([
      'invite_id as inviteId',
      'step',
      'came_from as cameFrom',
      'created_at as createdAt',
      'finished_at as finishedAt',
    ])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row ?? null;
}
