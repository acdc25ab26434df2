import { randomUUID } from 'node:crypto';
import { Vault } from '../base/vault.ts';
import type { PortalDatabase } from '../base/database.ts';
import { inMs, NOW } from '../base/database-time.ts';
import { hashToken, newToken } from '../base/tokens.ts';

const IDLE_MS = 30 * 60_000;

/** The precision with which the last use is stored, so that not every request writes. */
const SEEN_EVERY_MS = 60_000;

/**
 * Operators' sessions. The operator's token is encrypted with the session's token, which only the operator's browser
 * has: neither the database nor PORTAL_SECRET can decrypt it.
 */
export class OperatorSessions {
  constructor(private readonly db: PortalDatabase) {}

  /** Starts a session for an operator's checked token, and ends that of `replaced`. Returns the session's token. */
  async begin(operatorToken: string, replaced: string | null): Promise<string> {
    const token = newToken();
    const id = randomUUID();
    await this.sweep();
    if (replaced !== null) await this.end(replaced);
    await this.db
      .insertInto('operator_sessions')
      .values({ id, token_hash: hashToken(token), sealed: new Vault([token]).seal(operatorToken, id) })
      .execute();
    return token;
  }

  /** The operator's token of a session; null if the session is unknown, or was idle for too long. */
  async find(token: string): Promise<string | null> {
    const row = await this.db
      .selectFrom('operator_sessions')
      .select(['id', 'sealed', 'last_seen_at'])
      .where('token_hash', '=', hashToken(token))
      .where('last_seen_at', '>', inMs(-IDLE_MS))
      .executeTakeFirst();
    if (row === undefined) return null;
    if (Date.now() - row.last_seen_at.getTime() >= SEEN_EVERY_MS) {
      await this.db.updateTable('operator_sessions').set({ last_seen_at: NOW }).where('id', '=', row.id).execute();
    }
    return new Vault([token]).open(row.sealed, row.id);
  }

  async end(token: string): Promise<void> {
    await this.db.deleteFrom('operator_sessions').where('token_hash', '=', hashToken(token)).execute();
  }

  async sweep(): Promise<void> {
    await this.db.deleteFrom('operator_sessions').where('last_seen_at', '<=', inMs(-IDLE_MS)).execute();
  }
}
