import type { AuditedEvent } from '../../journal/audited-event.ts';

/** A key that the journal issues, with its account. */
export interface IssuedKey {
  readonly keyId: string;
  readonly accountId: string;
}

/** The key that an event issues; null for all other events. */
export function issuedKey({ event }: AuditedEvent): IssuedKey | null {
  return event.type === 'ApiKeyIssued' ? { keyId: event.keyId, accountId: event.accountId } : null;
}
