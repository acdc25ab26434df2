import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '@paper/contracts';
import { writePrivateFile } from '@paper/runtime';
import { ApiRefusal, createClient } from 'paper-trading-client';
import type { Requests } from 'paper-trading-client';
import type pg from 'pg';
import type { Persist } from './persistence.ts';

const PERMISSIONS: Permission[] = ['view', 'trade', 'master', 'reconcile'];

/** An account that the standalone opens for itself, with its stored key. */
export interface StoredAccount {
  readonly accountId: string;
  readonly apiKey: string;
}

interface AccountOptions {
  /** The name of the account in keys.json and in the database. */
  readonly role: string;
  readonly displayName: string;
  /** The starting balance in dollars; default: the setting's. */
  readonly startingBalance?: number;
}

export interface StoredAccounts {
  /** Opens the account at the first start, and finds it later. Replaces a key that was lost or revoked. */
  obtain(options: AccountOptions): Promise<StoredAccount>;
}

interface StoredAccountsOptions {
  readonly baseUrl: string;
  readonly operator: Requests<'approveAccount' | 'issueAccountKey' | 'openAccount'>;
  readonly dataDir: string;
  readonly persist: Persist;
  readonly pool: pg.Pool;
}

export async function prepareStoredAccounts(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query('create schema if not exists standalone');
  await client.query(
    'create table if not exists standalone.accounts (role text primary key, account_id text not null)',
  );
}

/**
 * Opens the stored accounts. The raw keys are in `keys.json`, since the exchange stores only their hashes; the ids are
 * also in the database, so that the same accounts get new keys if the file is lost.
 */
export async function openStoredAccounts(options: StoredAccountsOptions): Promise<StoredAccounts> {
  const { baseUrl, operator, dataDir, persist, pool } = options;
  const query = <R extends pg.QueryResultRow>(text: string, values: readonly string[] = []): Promise<R[]> =>
    persist(async () => (await pool.query<R>(text, [...values])).rows);
  await persist(() => prepareStoredAccounts(pool));
  const file = keysFile(dataDir);
  const keys = readKeys(file);

  const works = async ({ apiKey }: StoredAccount): Promise<boolean> => {
    const client = createClient({ baseUrl, key: apiKey });
    try {
      await persist(async () => (await client.request('getPortfolio', {})).assertOk());
      return true;
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === 401) return false;
      throw error;
    }
  };

  const openAccount = async ({ role, displayName, startingBalance }: AccountOptions): Promise<StoredAccount> => {
    const body = { displayName, ...(startingBalance === undefined ? {} : { startingBalance }) };
    // By this Idempotency-Key a start after a kill finds the account that was not noted below.
    const idempotencyKey = `standalone-${role}`;
    const { account, apiKey } = await persist(
      async () => (await operator.request('openAccount', { body }, { idempotencyKey })).body,
    );
    await query(
      `insert into standalone.accounts (role, account_id) values ($1, $2)
       on conflict (role) do update set account_id = excluded.account_id`,
      [role, account.id],
    );
    return apiKey.rawKey === undefined ? issueKey(account.id) : { accountId: account.id, apiKey: apiKey.rawKey };
  };

  const issueKey = async (accountId: string): Promise<StoredAccount> => {
    const body = { name: 'standalone', permissions: PERMISSIONS };
    const params = { id: accountId };
    const { apiKey } = await persist(async () => (await operator.request('issueAccountKey', { params, body })).body);
    if (apiKey.rawKey === undefined) throw new Error(`no raw key came with the new key of ${accountId}`);
    return { accountId, apiKey: apiKey.rawKey };
  };

  const notedAccount = async (role: string): Promise<string | null> => {
    const [noted] = await query<{ account_id: string }>('select account_id from standalone.accounts where role = $1', [
      role,
    ]);
    return noted?.account_id ?? null;
  };

  return {
    async obtain(account) {
      const stored = keys[account.role];
      if (stored !== undefined && (await works(stored))) return stored;
      const noted = await notedAccount(account.role);
      const found = noted === null ? await openAccount(account) : await issueKey(noted);
      // Needed under COMPLIANCE_MODE=kyc; changes nothing otherwise.
      await persist(async () =>
        (await operator.request('approveAccount', { params: { id: found.accountId } })).assertOk(),
      );
      keys[account.role] = found;
      writePrivateFile(file, `${JSON.stringify(keys, null, 2)}\n`);
      return found;
    },
  };
}

const keysFile = (dataDir: string): string => join(dataDir, 'keys.json');

export function storedAccount(dataDir: string, role: string): StoredAccount | null {
  return readKeys(keysFile(dataDir))[role] ?? null;
}

function readKeys(file: string): Record<string, StoredAccount> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, StoredAccount>;
  } catch (error) {
    // An unreadable file counts as lost. Writes are atomic, so a person must have edited it.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
