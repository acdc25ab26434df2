import type { Command } from '@paper/exchange/commands';

/** A client's request, sent with the same bytes and the same key until it is answered. */
export interface ClientRequest {
  readonly token: string;
  readonly method: 'DELETE' | 'POST';
  readonly path: string;
  readonly body: unknown;
  /** The Idempotency-Key; null if the endpoint takes none, since its commands are idempotent by their own ids. */
  readonly key: string | null;
  /** The names of the request's commands, as also found in the journal: see `nameOf`. */
  readonly names: readonly string[];
}

/** An answer with status 200: its body and its receipt. */
export interface Acknowledged {
  readonly request: ClientRequest;
  readonly body: unknown;
  /** X-Journal-Seq and X-Journal-Hash of the answer: the event of the journal that the answer is based on. */
  readonly seq: number;
  readonly hash: string;
}

/** The name of a command, by which a client's request is found in the journal; null if these clients never send it. */
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
