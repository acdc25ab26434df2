import { DAY_MS } from '@paper/contracts/units';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PortalDatabase } from '../base/database.ts';
import { inMs, NOW } from '../base/database-time.ts';
import type { Person } from '../base/schema.ts';
import { hashToken, newToken } from '../base/tokens.ts';

export const SESSION_MS = 30 * DAY_MS;

const PROOF_MS = 5 * 60_000;

/** The precision with which the last use is stored, so that not every request writes. */
const SEEN_EVERY = '1 minute';

/** The most sessions of a person. A further one ends the session that was least recently used. */
const SESSIONS_MAX = 50;

export interface Session {
  /** The session's id in lists, which is not its token. */
  readonly id: string;
  readonly person: Person;
  /** The end of the last proof; null before the first one. */
  readonly provenUntil: Date | null;
  /** Whether `provenUntil` is in the future. */
  readonly isProven: boolean;
}

/** Sessions of signed-in people: 256-bit tokens, stored hashed. Times are those of the database. */
export class Sessions {
  constructor(private readonly db: PortalDatabase) {}

  /**
   * Starts a session for a person who has just proved who they are, and ends that of the token `replaced`.
   * Returns the token for the cookie; null if the password is no longer `checkedHash` (null: signed in without one).
   */
  async begin(personId: string, device: string, replaced: string | null, checkedHash: string | null) {
    const token = newToken();
    return this.db.transaction().execute(async (db) => {
      if (checkedHash !== null) {
        // A change of the password locks the row, then ends all sessions: it ends this one too, or is seen here.
        const locked = db.selectFrom('people').select('password_hash').where('id', '=', personId).forShare();
        const person = await locked.executeTakeFirst();
        if (person?.password_hash !== checkedHash) return null;
      }
      if (replaced !== null) await db.deleteFrom('sessions').where('token_hash', '=', hashToken(replaced)).execute();
      await db
        .deleteFrom('sessions')
        .where('id', 'in', (older) =>
          older
            .selectFrom('sessions')
            .select('id')
            .where('person_id', '=', personId)
            .orderBy('last_seen_at', 'desc')
            .offset(SESSIONS_MAX - 1),
        )
        .execute();
      const times = { expires_at: inMs(SESSION_MS), proven_until: inMs(PROOF_MS) };
      const row = { id: randomUUID(), token_hash: hashToken(token), person_id: personId, device, ...times };
      await db.insertInto('sessions').values(row).execute();
      return token;
    });
  }

  /** The session of a token; null if it is unknown, has ended, or its person is being deleted. */
  async find(token: string): Promise<Session | null> {
    const row = await this.db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .selectAll('people')
      .select([
        'sessions.id as session_id',
        'proven_until',
        sql<boolean>`coalesce(proven_until > now(), false)`.as('is_proven'),
        sql<boolean>`last_seen_at < now() - ${SEEN_EVERY}::interval`.as('is_unnoted'),
      ])
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', NOW)
      .where('people.state', '=', 'active')
      .executeTakeFirst();
    if (row === undefined) return null;
    const { session_id: id, proven_until: provenUntil, is_proven: isProven, is_unnoted: isUnnoted, ...person } = row;
    if (isUnnoted) await this.db.updateTable('sessions').set({ last_seen_at: NOW }).where('id', '=', id).execute();
    return { id, person, provenUntil, isProven };
  }

  /** Records that the person proved who they are now. Returns until when that is valid. */
  async prove(id: string): Promise<Date> {
    const row = await this.db
      .updateTable('sessions')
      .set({ proven_until: inMs(PROOF_MS) })
      .where('id', '=', id)
      .returning('proven_until')
      .executeTakeFirst();
    return row?.proven_until ?? new Date(0);
  }

  list(personId: string) {
    return this.db
      .selectFrom('sessions')
      .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'device'])
      .where('person_id', '=', personId)
      .where('expires_at', '>', NOW)
      .orderBy('last_seen_at', 'desc')
      .execute();
  }

  /** The newest of the person's sessions that began after this one; null if none did. */
  async newestAfter(id: string) {
    const row = await this.db
      .selectFrom('sessions as own')
      .innerJoin('sessions as other', 'other.person_id', 'own.person_id')
      .select(['other.id', 'other.created_at as createdAt', 'other.device'])
      .where('own.id', '=', id)
      .whereRef('other.created_at', '>', 'own.created_at')
      .where('other.expires_at', '>', NOW)
      .orderBy('other.created_at', 'desc')
      .executeTakeFirst();
    return row ?? null;
  }

  async alive(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .selectFrom('sessions')
      .select('id')
      // One array parameter: writing a thousand parameters would take longer than the look-up.
      .where('id', '=', sql<string>`any(${ids})`)
      .where('expires_at', '>', NOW)
      .execute();
    return new Set(rows.map((row) => row.id));
  }

  async end(personId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('sessions')
      .where('person_id', '=', personId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async endAll(personId: string): Promise<void> {
    await this.db.deleteFrom('sessions').where('person_id', '=', personId).execute();
  }

  async sweep(): Promise<void> {
    await this.db.deleteFrom('sessions').where('expires_at', '<=', NOW).execute();
  }
}
