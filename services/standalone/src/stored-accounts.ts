import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountBody, IssuedApiKeyBody } from '@paper/contracts';
import { writePrivateFile } from '@paper/embedded-postgres';
import type pg from 'pg';
import { Refused, type ApiClient } from './api-client.ts';
import type { Persist } from './persistence.ts';

/** An account that the standalone opens for itself, with its stored key. */
export interface StoredAccount {
  readonly accountId: string;
  readonly apiKey: string;
}

export interface AccountOptions {
  /** Names the account in keys.json and in the database. */
  readonly role: string;
  readonly displayName: string;
  /** Dollars; default: the setting's. */
  readonly startingBalance?: number;
}

export interface StoredAccounts {
  /** Opens the account at the first start, and finds it later. Replaces a key that was lost or revoked. */
  obtain(options: AccountOptions): Promise<StoredAccount>;
}

export interface StoredAccountsOptions {
  readonly api: ApiClient;
  readonly dataDir: string;
  readonly operatorToken: string;
  readonly persist: Persist;
  readonly pool: pg.Pool;
}

/**
 * The raw keys are in `keys.json` (mode 600), since the exchange stores only their hashes. The account ids by role are
 * in the database too: so with the file lost, the same accounts get new keys.
 */
export async function openStoredAccounts({
  api,
  dataDir,
  operatorToken,
  persist,
  pool,
}: StoredAccountsOptions): Promise<StoredAccounts> {
  const query = <R extends pg.QueryResultRow>(text: string, values: readonly string[] = []): Promise<R[]> =>
    persist(async () => (await pool.query<R>(text, [...values])).rows);
  await query('create schema if not exists standalone');
  await query('create table if not exists standalone.accounts (role text primary key, account_id text not null)');
  const file = join(dataDir, 'keys.json');
  const keys = readKeys(file);
  const post = <T>(path: string, body?: unknown, idempotencyKey?: string): Promise<T> =>
    api({
      method: 'POST',
      path,
      token: operatorToken,
      body,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });

  const works = async ({ apiKey }: StoredAccount): Promise<boolean> => {
    try {
      await api({ path: '/api/portfolio', token: apiKey });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return false;
      throw error;
    }
  };

  const openAccount = async ({ role, displayName, startingBalance }: AccountOptions): Promise<StoredAccount> => {
    const { account, apiKey } = await post<{ account: AccountBody; apiKey: IssuedApiKeyBody }>(
      '/api/operator/accounts',
      { displayName, ...(startingBalance === undefined ? {} : { startingBalance }) },
      // After a kill between here and the note below, this Idempotency-Key makes the next start find the same account.
      `standalone-${role}`,
    );
    await query(
      `insert into standalone.accounts (role, account_id) values ($1, $2)
       on conflict (role) do update set account_id = excluded.account_id`,
      [role, account.id],
    );
    return apiKey.rawKey === undefined ? issueKey(account.id) : { accountId: account.id, apiKey: apiKey.rawKey };
  };

  const issueKey = async (accountId: string): Promise<StoredAccount> => {
    const { apiKey } = await post<{ apiKey: IssuedApiKeyBody }>(`/api/operator/accounts/${accountId}/keys`, {
      name: 'standalone',
      permissions: ['view', 'trade', 'master', 'reconcile'],
    });
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
    async obtain(options) {
      const stored = keys[options.role];
      if (stored !== undefined && (await works(stored))) return stored;
      const noted = await notedAccount(options.role);
      const found = noted === null ? await openAccount(options) : await issueKey(noted);
      // Needed under COMPLIANCE_MODE=kyc; changes nothing otherwise.
      await post(`/api/operator/accounts/${found.accountId}/approve`);
      keys[options.role] = found;
      writePrivateFile(file, `${JSON.stringify(keys, null, 2)}\n`);
      return found;
    },
  };
}

function readKeys(file: string): Record<string, StoredAccount> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, StoredAccount>;
  } catch (error) {
    // An unreadable file counts as lost. Writes are atomic, so it was edited by hand.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
