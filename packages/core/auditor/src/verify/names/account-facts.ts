import type { AuditedEvent } from '../../journal/audited-event.ts';
import type { FaultyEvent } from '../../journal/fault.ts';

interface NamedAccount {
  readonly accountId: string;
  readonly event: FaultyEvent;
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null if the event itself has the name (version 1): then the table of names must have no row. */
  readonly nameDigest: string | null;
}

/** An account that the journal opens. */
export interface OpenedAccount extends NamedAccount {
  /** Null for a primary account, undefined if the owner is withheld. */
  readonly primaryId: string | null | undefined;
}

/** The facts in events about accounts that are compared with the tables of names and identity. */
export interface AccountFacts {
  readonly opened: OpenedAccount[];
  readonly renamed: (NamedAccount & { readonly nameDigest: string })[];
  readonly forgotten: { readonly accountId: string; readonly seq: number }[];
  readonly keys: { readonly accountId: string; readonly keyId: string }[];
}

export function noteFacts({ event, formerName, stored }: AuditedEvent, facts: AccountFacts): void {
  const { id, seq, type } = stored;
  switch (event.type) {
    case 'AccountOpened':
    case 'SubAccountOpened': {
      const primaryId = event.type === 'AccountOpened' ? null : event.primaryAccountId;
      const nameDigest = formerName === null ? event.nameDigest : null;
      facts.opened.push({ accountId: event.accountId, at: event.at, event: { id, type }, nameDigest, primaryId, seq });
      return;
    }
    case 'AccountRenamed': {
      const { accountId, at, nameDigest } = event;
      facts.renamed.push({ accountId, at, event: { id, type }, nameDigest, seq });
      return;
    }
    case 'DisplayNameForgotten':
      facts.forgotten.push({ accountId: event.accountId, seq });
      return;
    case 'ApiKeyIssued':
      facts.keys.push({ accountId: event.accountId, keyId: event.keyId });
      return;
    default:
  }
}
