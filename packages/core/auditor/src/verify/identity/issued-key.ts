import type { AuditedEvent } from '../../journal/audited-event.ts';

/** A key that the journal issues, and the account that it is of. */
export interface IssuedKey {
  readonly keyId: string;
  readonly accountId: string;
}

/** The key that an event issues; null for every other event. */
export function issuedKey({ event }: AuditedEvent): IssuedKey | null {
  return event.type === 'ApiKeyIssued' ? { keyId: event.keyId, accountId: event.accountId } : null;
}
