import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { NOW } from '../base/database-time.ts';
import type { PortalDatabase, PortalTransaction } from '../base/database.ts';
import type { PortalTables } from '../base/schema.ts';
import { hashToken, newToken } from '../base/tokens.ts';

type NewInvite = Readonly<{ madeBy: string; uses: number; expiresAt: Date }>;

/** Makes an invite for `uses` people. Returns its id, and its token, which is not stored and cannot be shown again. */
export async function makeInvite(db: PortalDatabase, { madeBy, uses, expiresAt }: NewInvite) {
  const token = newToken();
  const id = randomUUID();
  const validity = { uses_max: uses, expires_at: expiresAt, revoked_at: null };
  const row = { id, token_hash: hashToken(token), made_by: madeBy, ...validity };
  await db.insertInto('invites').values(row).execute();
  return { id, token };
}

/** Counts one use, and returns the invite's id; null if it is invalid. The row lock prevents a use too many. */
export async function takeInvite(transaction: PortalTransaction, token: string): Promise<string | null> {
  const row = await transaction
    .updateTable('invites')
    .set(({ eb }) => ({ uses: eb('uses', '+', 1) }))
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', NOW)
    .where('revoked_at', 'is', null)
    .whereRef('uses', '<', 'uses_max')
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function isOpenInvite(db: PortalDatabase, token: string): Promise<boolean> {
  const found = db.selectFrom('invites').selectAll().where('token_hash', '=', hashToken(token));
  const row = await found.executeTakeFirst();
  return row !== undefined && stateOf(row) === 'open';
}

export async function listInvites(db: PortalDatabase) {
  const rows = await db.selectFrom('invites').selectAll().orderBy('created_at', 'desc').execute();
  return rows.map((row) => ({
    id: row.id,
    madeBy: row.made_by,
    uses: row.uses,
    usesMax: row.uses_max,
    expiresAt: row.expires_at,
    state: stateOf(row),
  }));
}

/** Ends an invite; people who used it keep their accounts. Returns false if no invite has this id. */
export async function revokeInvite(db: PortalDatabase, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invites')
    .set(({ fn }) => ({ revoked_at: fn.coalesce('revoked_at', NOW) }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function stateOf(invite: Selectable<PortalTables['invites']>): 'open' | 'used up' | 'expired' | 'revoked' {
  if (invite.revoked_at !== null) return 'revoked';
  if (invite.uses >= invite.uses_max) return 'used up';
  return invite.expires_at <= new Date() ? 'expired' : 'open';
}
