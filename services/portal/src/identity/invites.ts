import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { PortalDatabase } from '../base/database.ts';
import type { PortalTables } from '../base/schema.ts';
import { hashToken, newToken } from '../base/tokens.ts';

/** An invite as its maker sees it, without its secret. */
export interface InviteView {
  readonly id: string;
  readonly madeBy: string;
  readonly uses: number;
  readonly usesMax: number;
  readonly expiresAt: Date;
  readonly state: 'open' | 'used up' | 'expired' | 'revoked';
}

export interface NewInvite {
  readonly madeBy: string;
  /** The number of people who may sign up with it. */
  readonly uses: number;
  readonly expiresAt: Date;
}

/**
 * Makes an invite.
 *
 * @returns its id, and its token, which is not stored and cannot be shown again.
 */
export async function makeInvite(
  db: PortalDatabase,
  { madeBy, uses, expiresAt }: NewInvite,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = newToken();
  const id = randomUUID();
  await db
    .insertInto('invites')
    .values({
      id,
      token_hash: hashToken(token),
      made_by: madeBy,
      uses_max: uses,
      expires_at: expiresAt,
      revoked_at: null,
    })
    .execute();
  return { id, token };
}

/**
 * Counts one use of the invite. Two concurrent sign-ups cannot both take the last use, since the row is locked until
 * the transaction ends.
 * @returns its id; null if it is unknown, used up, expired or revoked.
 */
export async function takeInvite(transaction: Transaction<PortalTables>, token: string): Promise<string | null> {
  const row = await transaction
    .updateTable('invites')
    .set(({ eb }) => ({ uses: eb('uses', '+', 1) }))
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .where('revoked_at', 'is', null)
    .whereRef('uses', '<', 'uses_max')
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Whether a person could sign up with this token now. */
export async function isOpenInvite(db: PortalDatabase, token: string, now = new Date()): Promise<boolean> {
  const found = db.selectFrom('invites').selectAll().where('token_hash', '=', hashToken(token));
  const row = await found.executeTakeFirst();
  return row !== undefined && stateOf(row, now) === 'open';
}

/** All invites, the newest first. */
export async function listInvites(db: PortalDatabase, now = new Date()): Promise<InviteView[]> {
  const rows = await db.selectFrom('invites').selectAll().orderBy('created_at', 'desc').execute();
  return rows.map((row) => ({
    id: row.id,
    madeBy: row.made_by,
    uses: row.uses,
    usesMax: row.uses_max,
    expiresAt: row.expires_at,
    state: stateOf(row, now),
  }));
}

/** Ends an invite; people who used it keep their accounts. Returns false if no invite has this id. */
export async function revokeInvite(db: PortalDatabase, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invites')
    .set(({ fn }) => ({ revoked_at: fn.coalesce('revoked_at', sql<Date>`now()`) }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function stateOf(
  row: {
    readonly uses: number;
    readonly uses_max: number;
    readonly expires_at: Date;
    readonly revoked_at: Date | null;
  },
  now: Date,
): InviteView['state'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.uses >= row.uses_max) return 'used up';
  return row.expires_at <= now ? 'expired' : 'open';
}
