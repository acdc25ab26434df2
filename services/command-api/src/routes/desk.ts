import type { Answer } from '@paper/contracts';
import type { Actor } from '@paper/exchange';
import type { DisplayNames } from '../names/display-names.ts';
import type { Ask, Decided } from '../writer/ask.ts';

/** How an order that is no longer live ended. */
export interface EndedOrder {
  readonly accountId: string;
  /** Of the account that placed it; null for a primary. */
  readonly primaryAccountId: string | null;
  readonly status: 'open' | 'partial' | 'filled' | 'cancelled';
}

/** Whose a key is that the exchange has forgotten. */
export interface KeyOwner {
  readonly accountId: string;
  /** Null for a primary. */
  readonly primaryAccountId: string | null;
}

/** What the command side asks the read models: the exchange remembers live orders only, and keys for a while. */
export interface ReadModel {
  /** Resolves when the projection has gone to this sequence. Throws ApiError `unavailable` after 2 s. */
  readonly fresh: (seq: number) => Promise<void>;
  readonly endedOrder: (orderId: string) => Promise<EndedOrder | null>;
  readonly keyOwner: (keyId: string) => Promise<KeyOwner | null>;
  /** The display name that is in the event of an account that was opened before names left the journal; else null. */
  readonly publicName: (accountId: string) => Promise<string | null>;
}

/** What the handlers need. */
export interface Desk {
  readonly submit: <T>(ask: Ask<T>) => Promise<Decided<T>>;
  readonly names: DisplayNames;
  readonly readModel: ReadModel;
  /** Whether a command by itself, not in a batch, has used this Idempotency-Key of this caller. */
  readonly usedBySingle: (by: Actor, key: string) => boolean;
  /** The id of the event with this sequence, which is durable. */
  readonly eventIdAt: (seq: number) => Promise<string>;
}

/** The answer as the pipeline sends it. */
export function toAnswer<T>({ value, seq, hash, replayed }: Decided<T>): Answer<T> {
  return { body: value, hash, seq, ...(replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}
