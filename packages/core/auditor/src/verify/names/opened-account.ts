import type { AuditedEvent } from '../../journal/audited-event.ts';
import type { FaultyEvent } from '../../journal/fault.ts';

/** An account that the journal opens, and the digest of its display name. */
export interface OpenedAccount {
  readonly accountId: string;
  readonly event: FaultyEvent;
  readonly seq: number;
  readonly at: number;
  /** Null for a primary account, undefined if the owner is withheld. */
  readonly primaryId: string | null | undefined;
  /** Null if the event itself has the name (version 1): then the table must have no row. */
  readonly nameDigest: string | null;
}

export interface RenamedAccount {
  readonly accountId: string;
  readonly event: FaultyEvent;
  readonly seq: number;
  readonly at: number;
  readonly nameDigest: string;
}

export interface ForgottenAccount {
  readonly accountId: string;
  readonly seq: number;
}

export function openedAccount({ event, formerName, stored }: AuditedEvent): OpenedAccount | null {
  if (event.type !== 'AccountOpened' && event.type !== 'SubAccountOpened') return null;
  const { id, seq, type } = stored;
  const nameDigest = formerName === null ? event.nameDigest : null;
  const primaryId = event.type === 'AccountOpened' ? null : event.primaryAccountId;
  return { accountId: event.accountId, at: event.at, event: { id, type }, nameDigest, primaryId, seq };
}

export function renamedAccount({ event, stored: { id, seq, type } }: AuditedEvent): RenamedAccount | null {
  if (event.type !== 'AccountRenamed') return null;
  const { accountId, at, nameDigest } = event;
  return { accountId, at, event: { id, type }, nameDigest, seq };
}

export function forgottenAccount({ event, stored }: AuditedEvent): ForgottenAccount | null {
  return event.type === 'DisplayNameForgotten' ? { accountId: event.accountId, seq: stored.seq } : null;
}
