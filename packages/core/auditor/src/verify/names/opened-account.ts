import type { AuditedEvent } from '../../journal/audited-event.ts';
import type { FaultyEvent } from '../../journal/fault.ts';

/** An account that the journal opens, and the digest of its display name. */
export interface OpenedAccount {
  readonly accountId: string;
  /** The event that opens the account. */
  readonly event: FaultyEvent;
  readonly seq: number;
  /** The time of the event, in ms. */
  readonly at: number;
  /** The owner of a sub-account; null for a primary account, undefined if it is withheld. */
  readonly primaryId: string | null | undefined;
  /** The digest; null if the event itself has the name (version 1): then the table must have no row. */
  readonly nameDigest: string | null;
}

/** An account whose display name was changed, with the digest of the new name. */
export interface RenamedAccount {
  readonly accountId: string;
  readonly event: FaultyEvent;
  readonly seq: number;
  /** The time of the event, in ms. */
  readonly at: number;
  readonly nameDigest: string;
}

/** An account whose display name is to be deleted, with the event that orders it. */
export interface ForgottenAccount {
  readonly accountId: string;
  readonly seq: number;
}

/** The account that an event opens; null for all other events. */
export function openedAccount({ event, formerName, stored }: AuditedEvent): OpenedAccount | null {
  if (event.type !== 'AccountOpened' && event.type !== 'SubAccountOpened') return null;
  const { id, seq, type } = stored;
  const nameDigest = formerName === null ? event.nameDigest : null;
  const primaryId = event.type === 'AccountOpened' ? null : event.primaryAccountId;
  return { accountId: event.accountId, at: event.at, event: { id, type }, nameDigest, primaryId, seq };
}

/** The account whose display name an event changes; null for all other events. */
export function renamedAccount({ event, stored: { id, seq, type } }: AuditedEvent): RenamedAccount | null {
  if (event.type !== 'AccountRenamed') return null;
  const { accountId, at, nameDigest } = event;
  return { accountId, at, event: { id, type }, nameDigest, seq };
}

/** The account whose display name an event orders to forget; null for all other events. */
export function forgottenAccount({ event, stored }: AuditedEvent): ForgottenAccount | null {
  return event.type === 'DisplayNameForgotten' ? { accountId: event.accountId, seq: stored.seq } : null;
}
