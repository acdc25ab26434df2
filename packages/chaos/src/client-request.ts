import type { Command } from '@paper/exchange';

/** What a client wants done: one request, sent with the same bytes and the same key until it is answered. */
export interface ClientRequest {
  readonly token: string;
  readonly method: 'DELETE' | 'POST';
  readonly path: string;
  readonly body: unknown;
  /** The Idempotency-Key; null where the endpoint takes none, because what its commands name makes them idempotent. */
  readonly key: string | null;
  /** What its commands are called in the journal: see `nameOf`. */
  readonly names: readonly string[];
}

/** A 200: what the client was told, and the receipt that came with it. */
export interface Acknowledged {
  readonly request: ClientRequest;
  readonly body: unknown;
  /** X-Journal-Seq and X-Journal-Hash: up to where in the journal the answer is true, and in which journal. */
  readonly seq: number;
  readonly hash: string;
}

/** What a command is known by, to the client that sent it and in the journal; null for what no client here sends. */
export function nameOf(command: Command): string | null {
  if (command.idempotency !== null) return keyName(command.idempotency.key);
  switch (command.type) {
    case 'ListMarket':
      return listingName(command.marketId);
    case 'ResolveMarket':
      return resolutionName(command.marketId);
    case 'RecordSignal':
      return signalName(command.externalId);
    default:
      return null;
  }
}

export const keyName = (key: string): string => `key ${key}`;
export const listingName = (marketId: string): string => `listing ${marketId}`;
export const resolutionName = (marketId: string): string => `resolution ${marketId}`;
export const signalName = (externalId: string): string => `signal ${externalId}`;
