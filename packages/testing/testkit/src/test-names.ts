import { createHash } from 'node:crypto';
import { nameDigest } from '@paper/journal';
import { withClient } from '@paper/runtime';

/** A display name with its row in the table of names. */
export interface TestName {
  readonly accountId: string;
  readonly name: string;
  /** 32 bytes. */
  readonly salt: Buffer;
  /** The digest that the journal stores. */
  readonly nameDigest: string;
}

/**
 * The display name of an account in a generated journal. It follows from the account's id, so each run has the same.
 */
export function testName(accountId: string): TestName {
  const name = `Näme of ${accountId}`;
  const salt = createHash('sha256').update(accountId).digest();
  return { accountId, name, nameDigest: nameDigest(salt, name), salt };
}

/** Stores the names of opened accounts in the table of names, which `findNames` has created. */
export async function storeTestNames(
  connectionString: string,
  shard: string,
  accountIds: readonly string[],
): Promise<void> {
  const names = accountIds.map(testName);
  await withClient({ connectionString }, (client) =>
    client.query(
      `insert into coordination.names (account_id, shard, salt, name, pending)
       select account_id, $1, salt, name, false
       from unnest($2::text[], $3::bytea[], $4::text[]) as n (account_id, salt, name)`,
      [shard, accountIds, names.map(({ salt }) => salt), names.map(({ name }) => name)],
    ),
  );
}
