import type { AuditedEvent } from '../../journal/audited-event.ts';

export interface IssuedKey {
  readonly keyId: string;
  readonly accountId: string;
}

export function issuedKey({ event }: AuditedEvent): IssuedKey | null {
  return event.type === 'ApiKeyIssued' ? { keyId: event.keyId, accountId: event.accountId } : null;
}
