import type { PortalDatabase } from '../base/database.ts';
import { SealBroken, Vault } from '../base/vault.ts';

const PAGE = 500;

export interface ResealedKeys {
  readonly resealed: number;
  /** The number of keys under a secret that is not given. The portal issues them again when they are needed. */
  readonly unreadable: number;
}

/**
 * Encrypts every stored key with the first secret, while portals run; the older secrets are not needed after that.
 * `onProgress` gets the number of keys that are done, and that of all; 0 before they are counted.
 */
export async function resealKeys(
  db: PortalDatabase,
  secrets: readonly string[],
  onProgress: (done: number, of: number) => void,
): Promise<ResealedKeys> {
  const vault = new Vault(secrets);
  onProgress(0, 0);
  const { keys } = await db
    .selectFrom('account_keys')
    .select(({ fn }) => fn.countAll<string>().as('keys'))
    .executeTakeFirstOrThrow();
  let [after, done, resealed, unreadable] = ['', 0, 0, 0];
  for (;;) {
    const rows = await db
      .selectFrom('account_keys')
      .select(['key_id', 'account_id', 'sealed'])
      .where('key_id', '>', after)
      .orderBy('key_id')
      .limit(PAGE)
      .execute();
    for (const { account_id: accountId, key_id: keyId, sealed } of rows) {
      // A portal may have added keys since they were counted.
      onProgress(done, Math.max(done, Number(keys)));
      done += 1;
      after = keyId;
      if (vault.isCurrent(sealed)) continue;
      try {
        const rawKey = vault.open(sealed, accountId, keyId);
        await db
          .updateTable('account_keys')
          .set({ sealed: vault.seal(rawKey, accountId, keyId) })
          .where('key_id', '=', keyId)
          .where('sealed', '=', sealed)
          .execute();
        resealed += 1;
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        unreadable += 1;
      }
    }
    if (rows.length < PAGE) return { resealed, unreadable };
  }
}
