import { createHash } from 'node:crypto';
import { nameDigest } from '@paper/journal';
import { withClient } from '@paper/runtime';

/** The display name of an account in a generated journal, with its salt and digest. All follow from the account's id. */
export function testName(accountId: string) {
  const name = `Näme of ${accountId}`;
  const salt = createHash('sha256').update(accountId).digest();
  return { accountId, name, nameDigest: nameDigest(salt, name), salt };
}

/** A later name of an account in a generated journal. The name follows from the id of the command that renames. */
export interface TestRename {
  readonly accountId: string;
  readonly commandId: string;
}

/** Stores the names of opened accounts (by id) and of renamed ones in the table that `ensureNameTables` has created. */
export async function storeTestNames(
  connectionString: string,
  shard: string,
  named: readonly (string | TestRename)[],
): Promise<void> {
  const names = named.map((one) => {
    if (typeof one === 'string') return { ...testName(one), digest: '' };
    const name = testName(one.commandId);
    return { ...name, accountId: one.accountId, digest: name.nameDigest };
  });
  const columns = (['accountId', 'digest', 'salt', 'name'] as const).map((column) => names.map((name) => name[column]));
  await withClient({ connectionString }, (client) =>
    client.query(
      `insert into coordination.names (account_id, digest, shard, salt, name, pending)
       select account_id, digest, $1, salt, name, false
       from unnest($2::text[], $3::text[], $4::bytea[], $5::text[]) as n (account_id, digest, salt, name)`,
      [shard, ...columns],
    ),
  );
}
